"""Runs in the browser: a page served on this machine that plays what was recorded."""
