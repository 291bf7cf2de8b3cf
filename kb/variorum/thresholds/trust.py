"""Thresholds of trust: whether a document is believed, and its date."""

ENOUGH_PUBLISHERS = 2
"""Count. A text is attested if this many independent publishers served the same words. By hand: no
single publisher is believed."""
RULES_KEPT = 0.9
"""Share. A fetched text with fewer of the rules of the edition before has lost some. Measured: of
120 editions, none has fewer rules than the one before it."""
MOST_EXCHANGED = 4
"""Count. A fetched text in which more rules have changed places with each other is not believed.
Measured: in 120 editions, at most this many have."""
OUT_OF_TIME = 0.08
"""Share. If an edition has this many more of a text's provisions than the editions around the
text's date, that date is wrong. Measured: 0.047 at most in 120 editions."""
SAME_TEXT = 0.0005
"""Share. If another edition lacks no more than this of a text's provisions, the text is that
edition under another date. Measured: 0.0011 at least in 120 editions."""
