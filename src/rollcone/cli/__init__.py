"""The `rollcone` command: one file per subcommand."""
