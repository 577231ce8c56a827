"""Time stepping: one scheme per file, with what they share."""
