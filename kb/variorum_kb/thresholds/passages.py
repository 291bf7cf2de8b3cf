"""Thresholds of passages: which provision they are, and of which edition."""

# By hand, on the seeds and 1,350 made-up documents of 95 forms; docs/witnesses.md.

SENTENCE_IS_PART = 0.8
"""Likeness. A sentence at least this similar to a part of a provision belongs to it. By hand, see
above."""
ASIDE = 0.65
"""Likeness. A passage among rules that is less similar to every provision is an aside. By hand, see
above."""
ASIDE_OF_FEW_WORDS = 0.8
"""Likeness. Likewise for a passage of a few words, which easily resembles something. By hand, see
above."""
MOSTLY_KNOWN = 0.5
"""Share. If this many sentences or passages have a property, all are taken to have it. By hand:
more than half."""
ENGLISH = 0.1
"""Share. A text is English if the smallest English words are this share of all. By hand, see above:
editions have 0.3, other languages below 0.03."""
TRANSLATED_NUMBERS = 0.9
"""Share. A document is a translation of an edition that has this share of its numbers. By hand, see
above."""
OWN_GAME = 0.2
"""Share. If no edition prints this share of what a document quotes, it is about another game. By
hand, see above."""
EDITION_AS_LIKELY = 0.0002
"""Likeness, for each telling passage. An edition behind the best by no more than this is as likely.
By hand, see above."""
EDITION_WHOLE = 0.8
"""Share. The rest is only listed as missing if a page has at least this share of an edition. By
hand, see above."""
ANNOUNCED_NEAR = 0.25
"""Share. An edition soon after a bulletin is the announced one if this many announcements fit it.
By hand: 565 of 577 announcements of nine bulletins are confirmed."""
ANNOUNCED_SURELY = 0.85
"""Share. If a step confirms this many announcements, no other step is tried. Measured: of 27 steps
near the nine bulletins, the right ones confirm 0.94 and more, all others 0.4 and less."""
ANNOUNCED_ANYWHERE = 0.6
"""Share. Any other edition is the announced one only if this many announcements fit it. By hand: an
edition that changes everything confirms a third of anything."""
