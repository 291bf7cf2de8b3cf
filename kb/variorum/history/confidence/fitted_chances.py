"""Fitted weights of the evidence for steps.

`make fit ARGS=steps` fits them again to steps that people read.
"""

from variorum.history.confidence.chances import Chance, Choice

HEIR = Chance(
    weights=(
        -0.656,
        1.032,
        0.029,
        0.437,
        -3.199,
    ),
)

WENT = Choice(
    weights=(
        0.347,
        0.265,
        1.372,
        3.859,
        -0.596,
        -2.199,
        5.046,
        1.865,
        5.663,
        -1.167,
        -2.319,
        -2.849,
        1.182,
        -0.582,
        3.817,
        0.837,
    ),
    nothing=(
        1.803,
        0.134,
        1.632,
        0.587,
        0.672,
    ),
)

CAME = Choice(
    weights=(
        -1.916,
        0.257,
        7.421,
        3.016,
        1.878,
        4.018,
        5.072,
        2.254,
        2.246,
        1.593,
        1.163,
        1.6,
        1.233,
        -0.66,
        3.28,
        0.514,
    ),
    nothing=(
        8.704,
        -0.107,
        -17.755,
        0.212,
        -1.363,
        0.984,
    ),
)

SPLIT = Choice(
    weights=(
        1.081,
        0.365,
        0.876,
        -0.654,
        1.193,
        0.712,
        1.288,
        -4.144,
        0.187,
    ),
    nothing=(0.508,),
)
