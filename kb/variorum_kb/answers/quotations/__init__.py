"""Finds the editions that quoted words come from."""
