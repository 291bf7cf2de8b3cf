"""Corrections of the chances of steps, from the share of similar steps that people found right.

They were counted on steps that people read. Chances of at least `end` stay, because not all such steps
were read.
"""

from variorum_kb.history.confidence.chances import ArrivalCalibration, Calibration

OLD_STEPS = Calibration(
    levels=(
        (0.044, 0.2892),
        (0.4835, 0.641),
        (0.7009, 0.79),
        (0.8199, 0.9218),
        (0.9721, 0.9899),
    ),
    end=0.99,
)

NEW_STEPS = ArrivalCalibration(
    weights=(
        -0.421,
        0.695,
        0.343,
        -0.963,
    ),
    end=0.95,
)
