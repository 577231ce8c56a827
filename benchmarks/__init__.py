"""Measurements: `python -m benchmarks` prints all tables; `--write` puts them in README.md."""
