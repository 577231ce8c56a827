"""`python -m rollcone` is the command `rollcone`."""

from rollcone.cli.main import main

main()
