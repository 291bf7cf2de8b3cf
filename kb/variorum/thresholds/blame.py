"""Thresholds of blame: whether words moved."""

MOVED_WITHIN = 2.0
"""Points. Words worth this much that are in another place of the same rule have moved, and keep
their date. For this and the next three levels, each word counts 1, a common one a quarter, and a
whole sentence half as much again. By hand, after some 90 moves between rules were read."""
MOVED_FROM_ANCESTOR = 1.25
"""Points. Likewise for words from the provision that was split, copied or merged. By hand, see
above."""
MOVED_NEARBY = 4.5
"""Points. Likewise for words from an earlier wording, or from a rule of the same section that no
longer has them. By hand, see above."""
MOVED_FAR = 6.0
"""Points. Likewise for words from any other rule that no longer has them. By hand, see above."""
