"""Thresholds of certainty: how sure something must be to be followed, acted on, or shown as certain.

Each has a name of its own, since "sure" once meant all of these: `STEP_CERTAIN` (a step names an
heir), `FOLLOWED` (a citation is followed), `ACTED_ON` (the program rewrites or reports without asking)
and those above which an answer names no chance.
"""

STEP_CERTAIN = 0.5
"""Chance. A less likely step is uncertain and lists its candidates. By hand: likelier right than
wrong; 0.01 % of the steps outside the rewrites are uncertain."""
FOLLOWED = 0.8
"""Chance. No citation is followed along a less likely lineage: its outcome is uncertain. By
hand."""
ACTED_ON = 0.95
"""Chance. The least chance at which `cr audit --fix` and `cr where --sed` rewrite a number and `cr
lint` reports a stale citation. By hand: readers found 17 of 27 stale citations of a first version
right; with this level and `SAME_SUBJECT`, all 21."""
SAME_SUBJECT = 0.5
"""Share. An heir that keeps fewer of the words is too different to say that a citation means it. By
hand, see `ACTED_ON`."""
SHOWN_CERTAIN = 0.95
"""Chance. If a lineage is less likely, an answer about it prints its chance. By hand."""
WITNESS_CERTAIN = 0.995
"""Confidence. Below this, the confidence of a passage is printed; above, it would be rounded to 100
%. By arithmetic."""
