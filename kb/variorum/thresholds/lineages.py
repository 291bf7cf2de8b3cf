"""Thresholds of lineages: which heir a step names, and what is split, merged or copied."""

PRICE_OF_NEW_OR_GONE = 5.0
"""Points. A provision and its heir are matched if what they share is worth more than this. By hand:
it sets the scale of all points of `history/aligning/align.py`."""
MOST_CHANCE = 0.9999
"""Chance. No chance counts for more as a feature. By hand: nothing is certain."""
ANCHOR_CHANCE = 0.9999
"""Chance. The chance of an heir with the same words, if each edition prints these words once. By
hand: nothing is certain."""
READ_CHANCE = 0.98
"""Chance. The chance of a step that two readers decided alike, or that a third one settled. By
hand; docs/verdicts.md says how often they agreed."""

# What is split, merged and copied.
# Each is a share of the words of a text, weighed in bits. By hand, on the gold set: 11 of 16 are
# recognised, and of 45 hard steps read by eye 5 are wrong; docs/lineage.md.

SWEEP_LIKENESS = 0.45
"""Likeness. Only pairs at least this similar show which phrases an edition replaced. By hand, see
above."""
UNLIKE = 0.4
"""Likeness. A lower likeness is evidence against two texts being one provision. By hand, see
above."""
CHOSEN_AGAIN = 0.97
"""Chance. A less likely heir is chosen again among all candidates, with everything known after the
alignment. Measured: this includes nearly all heirs that readers found wrong."""
SAYS_SOME = 0.3
"""Share. A candidate with less of a provision's words is not compared sentence by sentence. By
hand: readers found hardly any heir or source below this."""
SAME_TOPIC = 0.6
"""Likeness. How similar the heading of a new rule's section and the headword of a glossary entry
with its words must be, for the rule to come from that entry. By hand, see above."""
SAID_TOO = 0.04
"""Share. The entry must have this much more than half of the rule's words. By hand, see above."""
KEPT_SAYING = 0.5
"""Share. Of the words that a new provision shares with an old one: if the old one's heir lost less
than this share, the new one is a copy, otherwise a part. By hand: the greater share decides."""
