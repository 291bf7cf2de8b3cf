"""The regression that turns the likeness of a sentence and a rule into the chance of a doubt.

Fitted by `make score ARGS=--fit-doubt`; the order is that of `says_else.NAMES`.
"""

CONSTANT = -6.906
WEIGHTS = (
    1.471,
    -3.470,
    -3.534,
    5.980,
    -5.491,
    1.763,
    0.523,
    -1.072,
    0.233,
    -7.229,
    5.493,
    1.151,
    1.255,
)
