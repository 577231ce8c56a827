"""Measurements: `python -m benchmarks` prints all tables; `--write` puts them in README.md.
`python -m benchmarks compare COMMIT` times this checkout next to another commit.
"""
