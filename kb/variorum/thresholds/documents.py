"""Thresholds of documents: what they are."""

# By hand, on the 120 editions, their originals and the documents of each kind; docs/layouts.md and
# docs/witnesses.md say how they are read.

UTF8_BROKEN = 0.1
"""Share. With no more invalid sequences, a text is damaged UTF-8; with more, it has another
encoding. By hand, see above."""
TEXT_PLAUSIBLE = 0.8
"""Share. If fewer of the characters beyond ASCII make sense, the bytes are not a text. By hand:
random bytes reach about a third."""
TEXT_SENSIBLE = 0.9
"""Share. If more of the characters beyond ASCII make sense, the text was not decoded wrongly. By
hand, see above."""
MISNUMBERED = 0.02
"""Share. With more numbers out of order, a document is refused. By hand: editions have up to five,
which are allowed in addition; a shuffled or spliced text has hundreds."""
BLANK_LINE_FORGOTTEN = 0.1
"""Share. If no more rules than this lack a blank line above them, they are misprints; if more do,
the page is set that way. By hand, see above."""
