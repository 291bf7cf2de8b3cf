"""How chances of steps are corrected by how often steps like them were right: counted.

`make score ARGS=--fit-corrections` counts anew, on steps that were read. What is as likely as `end`
is not hard, so that not all of it was read: its chance stays as it is.
"""

from variorum_kb.history.chances import Calibration

OLD_STEPS = Calibration(
    levels=(
        (0.0356, 0.226),
        (0.431, 0.3511),
        (0.4998, 0.6472),
        (0.7133, 0.8295),
        (0.868, 0.9184),
        (0.9611, 0.9729),
    ),
    end=0.99,
)

NEW_STEPS = Calibration(
    levels=(
        (0.1983, 0.4188),
        (0.7131, 0.7331),
        (0.8557, 0.809),
        (0.9122, 0.8812),
        (0.9467, 0.9255),
    ),
    end=0.95,
)
