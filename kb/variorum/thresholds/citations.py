"""Thresholds of citations in programs: whether they mean the rules that they cite."""

ANOTHER_MEANT = 0.13
"""Chance. From this chance on, `cr audit` reports that the cited rule does not say what the
sentence says. Measured: finds three quarters of the citations that people corrected, and reports
one in eighty of the corrected lines; docs/audit.md."""
FAMILY_AHEAD = 0.15
"""Points. The most by which a rule near the cited one leads all others, as a feature that counts 18
in log odds: a bound that saves ranking rules. By hand: the result for the 101 corrections is the
same without it."""
REMEMBERED_FROM = 12
"""Count. People remember what a section's number meant if at least this many editions, some three
years, printed it so. By hand: the result for the 101 corrections is the same from 1 to 36."""
REMEMBERED_FOR = 60
"""Count. They remember it for this many editions after the last one that printed it so. Measured on
the 101 corrections: at 30, 9 fewer are reported; without a limit, as many."""
SAID_TODAY = 0.35
"""Share. A sentence is about a rule that has this share of its words, weighted by rarity, if the
date agrees. By hand, on two trees: docs/audit.md."""
SAID_PLAINLY = 0.5
"""Share. Without a date, the words decide for a rule that has this share of them. By hand, see
above."""
SAID_RATHER = 0.2
"""Share. If today's rule has this many more of the words than the rule meant by date, `--fix` leaves the
citation alone. By hand, on made-up citations of today's rules under a date of 2016 to 2023."""
FITS_NOTHING_ELSE = 14.0
"""Points. BM25, weighted by rarity: no sentence about something else fits a rule this well. By
hand, on two trees: docs/audit.md."""
FITS_A_RULE = 12.0
"""Points. Likewise: a few common words hardly fit a rule this well. By hand, see above."""
PLAINLY_SAID = 0.6
"""Share. A cited rule says what the sentence says if it has this much of the weight of its words.
By hand."""
NUMBERS_OF_RULES = 0.8
"""Share. Bare numbers of a file count as citations if this many of those that look like rules' are
numbers of rules. By hand."""
