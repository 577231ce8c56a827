"""Whether this process compiles kernels or calls compiled ones.

The process of a build (`__main__.py`) sets `compiling` before it imports any module with kernels:
the decorators of `kernels.py` then make Numba's dispatchers. In all other processes they make
handles on the library, and Numba is not imported.
"""

compiling = False
bounds_checks = False  # whether a build reports an index out of range: for tests, debugging
