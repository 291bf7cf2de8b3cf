"""Thresholds of sweeps: which words were replaced throughout the rules."""

SWEPT_IN = 5
"""Count. A sweep replaces a phrase by the same words in at least this many provisions. By hand:
users see these sweeps."""
SWEPT = 0.6
"""Share. A phrase was replaced throughout if this many of its places lost it for the same words. By
hand."""
REPLACED_IN = 3
"""Count. An alignment takes a phrase and its replacement for the same words if at least this many
provisions show it. By hand: lower than `SWEPT_IN`, because it only makes candidates more alike."""
