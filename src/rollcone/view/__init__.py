"""Pictures of problems, solves and runs."""
