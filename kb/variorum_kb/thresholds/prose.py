"""Thresholds of prose: what it is about, and when it was written."""

# Fitted to 268 paragraphs of nine bulletins, whose numbers tell the right rule.

DISCUSSED = 0.8
"""Chance. The least chance at which a paragraph is linked to a provision. Measured on 138
paragraphs of articles kept out of the fitting, 128 of them about a rule: see docs/witnesses.md."""
DISCUSSED_BESIDE = 0.42
"""Chance. Likewise if the paragraphs around it discuss the same section. Measured on the same: of
the 67 links of both levels 66 are right, and 51 % of the paragraphs have one; at 0.35, 95 % are
right."""
DISCUSSED_IN_TOPIC = 0.35
"""Chance. Likewise for the rule that most paragraphs are about. By hand, on the same."""
DISCUSSED_SUBRULE = 0.8
"""Chance. The least chance at which a paragraph is linked to a subrule of the article's rule.
Measured on the 1,141 reworded rules of 2001-07-23, 2005-08-01 and 2010-02-01, compared with today's
subrules without their numbers: 93 % reach this chance, and 99 % of these are right."""
DISCUSSED_AT_MOST = 0.95
"""Chance. The highest chance that words alone can prove. By hand."""
ABOUT_SOME_RULE = 0.5
"""Chance. From this chance on, a paragraph is about some rule, though it may be unknown which. By
hand: likelier than not."""
TOPIC = 0.5
"""Share. A rule that this many paragraphs are about is the topic of all. By hand."""
TOPIC_NEAR = 0.7
"""Share. A rule with this share of the best rule's points is among those that a paragraph is about.
By hand."""
TWIN_NEAR = 0.75
"""Share. Likewise for a rule that says much the same, to be named beside the best. By hand."""
TWIN_ALIKE = 0.35
"""Share. Two rules of different sections say much the same if they share this much of the weight of
their words. By hand, with `DISCUSSED`."""
TWIN_SAME = 0.9
"""Share. Likewise for two rules of one section, whose keywords are described in the same words. By
hand, as above."""
CITED_NUMBER = 0.98
"""Confidence. The confidence that prose means the only provision with the number it cites. By
hand."""
CITED_TOLD_APART = 0.9
"""Confidence. Likewise if several provisions had the number and the words decide between them. By
hand."""
CITED_GUESSED = 0.6
"""Confidence. Likewise if nothing decides between them: the latest is taken. By hand."""
NOTE_BELOW = 0.8
"""Confidence. The confidence that a note without a number is about the rule above it. By hand."""
WORDS_COME = 0.05
"""Share. A word printed by less than this share of its highest number of texts is not in use yet,
but a card's name in an example. By hand."""
WORDS_GO = 0.1
"""Share. Likewise, it is no longer in use, except in entries on obsolete words. By hand."""
WORDS_OFTEN = 0.01
"""Share. A word in this many texts of an edition belongs to the rules. By hand."""
