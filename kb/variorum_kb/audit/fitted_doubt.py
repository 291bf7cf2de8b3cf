"""Fitted weights: which rule a sentence means, and how likely it is not the cited one.

Fitted by `make score ARGS=--fit-doubt`.
"""

CHOICE_WEIGHTS = (
    3.712,  # fit
    2.071,  # opens with its name
    1.927,  # covered
    3.263,  # rare
    2.520,  # number once
    1.450,  # rule once
    1.057,  # section once
    0.621,  # section
    1.691,  # chapter
    0.628,  # next rule
    1.728,  # letters
    1.172,  # letters added
    0.906,  # letter a
    0.499,  # suffix
    1.841,  # first rule
)
DOUBT_WEIGHTS = (
    -8.236,  # constant
    -4.486,  # keyword
    5.853,  # keyword uncovered
    -4.950,  # beside
    1.018,  # named itself
    -7.337,  # opens with its name
    16.355,  # odds
    -7.023,  # odds outside
    0.803,  # names other
)
