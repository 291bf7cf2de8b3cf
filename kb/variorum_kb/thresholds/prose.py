"""Thresholds of prose beside rulings."""

NOTE_BELOW = 0.8
"""Confidence. The confidence that a note without a number is about the rule above it. By hand."""
