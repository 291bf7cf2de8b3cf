"""Compares readings word by word: diffs, changes, sweeps and blame."""
