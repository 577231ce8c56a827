"""Columns that every table of a study has; parameters and measures have other names."""

FACTS = ("steps", "residual", "residual_speed", "unconverged", "overlap")
ERROR = "_error"  # of the mean over repeats
COLUMNS = ("run", "repeat", *FACTS, "contacts", "warnings", "seconds", "error", "folder", "runs")
