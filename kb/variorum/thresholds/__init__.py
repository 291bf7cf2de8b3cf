"""Thresholds of alignment; any other stands beside its only use, or in `model`.

A *chance* is calibrated, so that of 100 steps with 0.9 some 90 are right; a *likeness* compares two
texts, a *share* counts parts of a whole, both from 0 to 1; *points* add up evidence. "By hand" means
that nobody measured other values.
"""
