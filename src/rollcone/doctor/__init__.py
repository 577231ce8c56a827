"""What `rollcone doctor` tells: where it runs (machine.py), and whether it works (checks.py)."""
