"""The files that every page loads: its script, its style and its icons."""
