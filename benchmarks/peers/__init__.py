"""The same heaps in Rollcone and in other programs, each in a process of its own.

scene.py makes the scenes, measure.py takes an engine through one and measures it, run_NAME.py are
the engines, programs.py starts them, tables.py makes the tables, plot.py the picture,
bed_problem.py compares solvers. Other programs have their own Python: PEERS_PYTHON names it. What
is not installed is left out.
"""
