"""Thresholds of plain questions: which rules answer them."""

SUBRULE_SHOWN = 0.6
"""Share. A subrule with this share of the points of a rule's best subrule is shown beside it. By
hand."""
WORTH_A_REASON = 0.25
"""Points. Anything that adds less to a passage's score is not given as a reason for it. By hand."""
