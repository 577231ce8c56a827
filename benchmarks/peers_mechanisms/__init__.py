"""The same mechanisms in Rollcone and in other programs, each in a process of its own.

scenes.py has the mechanisms, references.py their motion to many digits, engine.py is what a
program's process does, run_NAME.py are the programs, figures.py measures what they give, tables.py
makes the table. PEERS_PYTHON names a Python with MuJoCo and PyBullet, SICONOS_PYTHON one with
Siconos. What is not installed is told as absent.
"""
