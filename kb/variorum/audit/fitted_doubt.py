"""Weights to rank the rules that a sentence may mean, and to doubt the cited rule.

Fitted by `make fit ARGS=doubt`.
"""

CHOICE_WEIGHTS = (
    3.724,  # fit
    2.056,  # opens with its name
    1.857,  # covered
    3.264,  # rare
    2.512,  # number once
    1.419,  # rule once
    1.089,  # section once
    0.544,  # section
    1.622,  # chapter
    0.650,  # next rule
    1.671,  # letters
    1.118,  # letters added
    0.916,  # letter a
    0.509,  # suffix
    1.845,  # first rule
)
DOUBT_WEIGHTS = (
    -8.646,  # constant
    -4.787,  # keyword
    6.623,  # keyword uncovered
    -4.570,  # beside
    -7.258,  # opens with its name
    2.378,  # fit
    14.479,  # odds
    -7.200,  # odds outside
    0.749,  # names other
    0.451,  # other fits
    2.543,  # section once
)
