"""Thresholds that several rooms share: their scale, their reason, and what set them.

Any other threshold stands beside its only use.

Scales: a *chance* is calibrated, so that of 100 steps with 0.9 some 90 are right; a *confidence* is
the program's own estimate, not calibrated; a *likeness* compares two texts, a *share* counts parts of
a whole, both from 0 to 1; *points* add up evidence; a *count* counts things. "By hand" means that
nobody measured other values: the level was chosen, and the figures given hold for that choice.

The table that turns an alignment into chances is in `history/confidence/chances.py`, the weights before it in
`history/confidence/fitted_chances.py`, fitted by `make fit ARGS=steps`.
Weights of ranking and measures of a printed page are not thresholds and stay where they are used.
"""
