"""Compares quoted rules with the editions."""
