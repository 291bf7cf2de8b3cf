"""Every threshold above which the program believes something: its scale, its reason, and what set it.

Scales: a *chance* is calibrated, so that of 100 steps with 0.9 some 90 are right; a *confidence* is
the program's own estimate, not calibrated; a *likeness* compares two texts, a *share* counts parts of
a whole, both from 0 to 1; *points* add up evidence; a *count* counts things. "By hand" means that
nobody measured other values: the level was chosen, and the figures given hold for that choice.

Formerly, all of these were called "sure": `STEP_CERTAIN` (a step says which heir), `FOLLOWED` (a
citation is followed), `ACTED_ON` (the program rewrites or reports without asking) and those above
which an answer names no chance: `SHOWN_CERTAIN`, `LINT_CERTAIN` and `WITNESS_CERTAIN`.

The regression and the table that turn an alignment into chances are in `history/confidence/fitted_chances.py`,
fitted by `make score ARGS=--fit`; `history/confidence/fitted_corrections.py` corrects them by what people read.
Weights of ranking and measures of a printed page are not thresholds and stay where they are used.
"""

# Lineages: what a step says --------------------------------------------------------------------------

PRICE_OF_NEW_OR_GONE = 5.0
"""Points. A provision and its heir are matched if what they share is worth more than this. By hand:
it sets the scale of all points of `history/aligning/align.py`."""

STEP_CERTAIN = 0.5
"""Chance. A less likely step is uncertain and lists its candidates. By hand: likelier right than
wrong; 0.01 % of the steps outside the rewrites are uncertain."""
MOST_CHANCE = 0.9999
"""Chance. Fitted chances are never higher. By hand: nothing is certain."""
ANCHOR_CHANCE = 0.9999
"""Chance. The chance of an heir with the same words, if each edition prints these words once. By
hand: nothing is certain."""
READ_CHANCE = 0.98
"""Chance. The chance of a step that two readers decided alike, or that a third one settled. By
hand; docs/verdicts.md says how often they agreed."""
RETURNED_CHANCE = 0.95
"""Chance. The chance that words which return after an absence are the provision that disappeared.
By hand: short words may return by chance."""

OUT_OF_TIME = 0.08
"""Share. If an edition has this many more of a text's provisions than the editions around the
text's date, that date is wrong. Measured: 0.047 at most in 120 editions."""

SAME_TEXT = 0.0005
"""Share. If another edition lacks no more than this of a text's provisions, the text is that
edition under another date. Measured: 0.0011 at least in 120 editions."""

# Lineages: what is split, merged and copied ----------------------------------------------------------
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

# Lineages: who relies on them ------------------------------------------------------------------------

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
LINT_CERTAIN = 0.99
"""Chance. If a finding rests on a less likely step, it prints the chance. By hand: a report of an
editor's mistake should also name a small doubt."""
WITNESS_CERTAIN = 0.995
"""Confidence. Below this, the confidence of a passage is printed; above, it would be rounded to 100
%. By arithmetic."""

# Citations in programs: whether they mean what they cite ------------------------------------------

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

# Quotations: which provision some words come from ----------------------------------------------------

QUOTED_LIKE = 0.6
"""Likeness. A passage less similar to a provision is not compared with it as its reading. By
hand."""
QUOTED_FROM = 0.7
"""Likeness. The least likeness of words to a provision that `cr resolve` names. By hand: 99.4 % of
the answers are right; docs/search.md."""
QUOTED_AS_LIKE = 0.01
"""Likeness. Another provision may also be meant if it is behind the best by no more than this. By
hand, as above."""
QUOTED_WHOLE = 0.97
"""Likeness. From here on, the words are a whole provision; longer provisions that contain them are
left out. By hand, as above."""
QUOTED_WITH_NUMBER = 0.2
"""Likeness. The provision with the number beside the words is believed if it is behind the best by
no more than this. By hand, as above."""
QUOTED_SAME = 0.005
"""Likeness. Readings of one lineage that are behind the best by no more than this print the same
words. By hand, as above."""
MISSPELT = 0.72
"""Likeness. The least likeness of an unknown word to one that may be meant. By hand."""
MISSPELT_TERM = 0.6
"""Likeness. The least likeness, as `difflib` measures it, of an unknown headword to one that is
suggested. By hand."""
MISSPELT_COMMAND = 0.75
"""Likeness. The least likeness of a word to a command that may be meant. By hand."""

# Sweeps: words replaced throughout the rules ------------------------------------------------------

SWEPT_IN = 5
"""Count. A sweep replaces a phrase by the same words in at least this many provisions. By hand:
users see these sweeps."""
SWEPT = 0.6
"""Share. A phrase was replaced throughout if this many of its places lost it for the same words. By
hand."""
REPLACED_IN = 3
"""Count. An alignment takes a phrase and its replacement for the same words if at least this many
provisions show it. By hand: lower than `SWEPT_IN`, because it only makes candidates more alike."""

# Plain questions: which rules answer them ---------------------------------------------------------

SUBRULE_SHOWN = 0.6
"""Share. A subrule with this share of the points of a rule's best subrule is shown beside it. By
hand."""
WORTH_A_REASON = 0.25
"""Points. Anything that adds less to a passage's score is not given as a reason for it. By hand."""

# Documents: what they are ----------------------------------------------------------------------------
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
PERSONAL = 0.5
"""Share. With more prose than this in a personal voice, a page is an article. By hand, see
above."""
STAMP_WHOLE = 0.8
"""Share. If a note on its edition fills this much of a paragraph, the paragraph is nothing else. By
hand, see above."""
BULLETIN = 0.2
"""Share. A page without a title is a bulletin if this many of its paragraphs announce a change. By
hand, see above."""
BULLETIN_TITLED = 0.1
"""Share. Likewise for a page whose title announces changes. By hand, see above."""
DEFINITIONS = 0.25
"""Share. A list of definitions has at least this many paragraphs short enough for headwords. By
hand, see above."""
DEFINED_ON_THE_LINE = 0.5
"""Share. In such a list, at least this many paragraphs define their first words. By hand, see
above."""
MAIN_COLUMN = 0.5
"""Share. A part of a page is its content if it has more than this share of the page's words. By
hand, see above."""

# Blame: whether words moved --------------------------------------------------------------------------

MOVED_WITHIN = 2.0
"""Points. Words worth this much that are in another place of the same rule have moved, and keep
their date. For this and the next three levels, each word counts 1, a common one a quarter, and a
whole sentence half as much again. By hand, after some 90 moves between rules were read."""
MOVED_FROM_ANCESTOR = 1.25
"""Points. Likewise for words from the provision that was split, copied or merged. By hand, see
above."""
MOVED_NEARBY = 4.5
"""Points. Likewise for words from an earlier wording, or from a rule of the same section that no
longer has them. By hand, see above."""
MOVED_FAR = 6.0
"""Points. Likewise for words from any other rule that no longer has them. By hand, see above."""

# Documents: whether they are believed ----------------------------------------------------------------

ENOUGH_PUBLISHERS = 2
"""Count. A text is attested if this many independent publishers served the same words. By hand: no
single publisher is believed."""
RULES_KEPT = 0.9
"""Share. A fetched text with fewer of the rules of the edition before has lost some. Measured: of
120 editions, none has fewer rules than the one before it."""
MOST_EXCHANGED = 4
"""Count. A fetched text in which more rules have changed places with each other is not believed.
Measured: in 120 editions, at most this many have."""

# Passages: which provision they are, and of which edition --------------------------------------------
# By hand, on the seeds and 1,350 made-up documents of 95 forms; docs/witnesses.md.

PASSAGE_IS = 0.8
"""Likeness. A passage at least this similar to a provision quotes it, though not word for word. By
hand, see above."""
PASSAGE_IS_IN_PLACE = 0.6
"""Likeness. Likewise for the provision with the passage's own number. By hand, see above."""
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
SET_NAME = 0.88
"""Likeness. A name at least this similar to a set's is that set's, misspelt. By hand, see above."""
SET_NAME_AHEAD = 0.06
"""Likeness. It must also lead the next set's name by this much. By hand, see above."""
ANNOUNCED_NEAR = 0.25
"""Share. An edition soon after a bulletin is the announced one if this many announcements fit it.
By hand: 565 of 577 announcements of nine bulletins are confirmed."""
ANNOUNCED_SURELY = 0.85
"""Share. If a step confirms this many announcements, no other step is tried. Measured: of 27 steps
near the nine bulletins, the right ones confirm 0.94 and more, all others 0.4 and less."""
ANNOUNCED_ANYWHERE = 0.6
"""Share. Any other edition is the announced one only if this many announcements fit it. By hand: an
edition that changes everything confirms a third of anything."""

# Passages: quotations in articles --------------------------------------------------------------------

ARTICLE_QUOTES = 0.75
"""Likeness. Words beside a number in an article quote the numbered provision if they are at least
this similar. By hand."""
ARTICLE_QUOTES_UNNUMBERED = 0.85
"""Likeness. Likewise without a number; such words may be a card's. By hand."""
ALMOST_QUOTED = 0.99
"""Likeness. The highest likeness given to words that are not a provision's word for word. By
hand."""
QUOTED_WITH_NUMBER_CONFIDENCE = 0.98
"""Confidence. The confidence of a quotation under its number, multiplied by its likeness. By
hand."""
QUOTED_ALONE_CONFIDENCE = 0.9
"""Confidence. The confidence of any other quotation, multiplied by its likeness. By hand."""

# Prose: what it is about, and when it was written ----------------------------------------------------
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
