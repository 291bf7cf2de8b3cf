"""Every level at which something is believed: its scale, its reason, and what set it.

Scales: a *chance* is calibrated, so that of 100 steps with 0.9 some 90 are right; a *confidence* is
the program's own estimate, not calibrated; a *likeness* compares two texts, a *share* counts parts of
a whole, both from 0 to 1; *points* add up the evidence for a pair, a *count* is of things. "By hand" means that nobody
measured other values: the level was chosen, and the figures named with it hold for that choice.

Four levels were once called "sure": `STEP_CERTAIN` (a step says which heir), `FOLLOWED` (a citation is
followed), `ACTED_ON` (the program rewrites or reports without asking) and those above which an
answer names no chance: `SHOWN_CERTAIN`, `LINT_CERTAIN` and `WITNESS_CERTAIN`.

The regression and the table that turn an alignment into chances are in `history/fitted_chances.py`,
fitted by `make score ARGS=--fit`; `history/fitted_corrections.py` corrects these by what was read. Weights of ranking and measures of a printed page are no levels and
stay where they are used.
"""

# Lineages: what a step says --------------------------------------------------------------------------

PRICE = 5.0
"""Points. What a provision and its heir must have in common to be worth more than being alone. By
hand: it sets the scale of all points of `history/align.py`."""

STEP_CERTAIN = 0.5
"""Chance. A less likely step is uncertain and lists its candidates. By hand: likelier right than
wrong; 0.01 % of the steps outside the rewrites are uncertain."""
MOST_CHANCE = 0.9999
"""Chance. What is fitted says no more. By hand: nothing is certain."""
ANCHOR_CHANCE = 0.9999
"""Chance. Of an heir with the same words, which stand once on each side. By hand: nothing is
certain."""
READ_CHANCE = 0.98
"""Chance. Of a step that two readers decided alike, or a third between them. By hand; docs/verdicts.md
says how often they agreed."""
RETURNED_CHANCE = 0.95
"""Chance. That words which return after an absence are the provision that went. By hand: short
words may return by chance."""

OUT_OF_TIME = 0.08
"""Share. Of the provisions of a text that one edition has and the editions beside its date have not:
its date is wrong. Measured: 0.047 at most in 120 editions."""

SAME_TEXT = 0.0005
"""Share. Of the provisions of a text that another edition has not: with no more it is that edition
under another date. Measured: 0.0011 at least in 120 editions."""

# Lineages: what is split, merged and copied ----------------------------------------------------------
# Shares of the weight of words in bits. By hand, on the gold set: 11 of 16 are recognised, and of 45
# hard steps read by eye 5 are wrong; docs/lineage.md.

SWEEP_LIKENESS = 0.45
"""Likeness. Only pairs as like as this tell which phrases an edition replaced. By hand, see above."""
UNLIKE = 0.4
"""Likeness. Texts less alike speak against being one provision. By hand, see above."""
CHOSEN_AGAIN = 0.97
"""Chance. A less likely heir is weighed again, with all that is known then, as if there were none.
Measured: so nearly all heirs are weighed again that readers found wrong."""
SAYS_SOME = 0.3
"""Share. A candidate that has less of a provision's words is not compared sentence by sentence. By
hand: readers found hardly an heir or source below it."""
SAME_TOPIC = 0.6
"""Likeness. Of the headings of a new rule's section and of a glossary entry that says it too, so that
the rule comes from that entry. By hand, see above."""
SAID_TOO = 0.04
"""Share. So much beyond half of the rule's words that entry says. By hand, see above."""
KEPT_SAYING = 0.5
"""Share. With less than this of what a new provision has from an old one gone from that one's heir, it
is a copy, and with more a part. By hand: the greater share."""

# Lineages: who relies on them ------------------------------------------------------------------------

FOLLOWED = 0.8
"""Chance. Along a less likely lineage no citation is followed: its fate is uncertain. By hand."""
ACTED_ON = 0.95
"""Chance. The least with which `cr audit --fix` and `cr where --sed` rewrite a number and `cr lint`
reports a stale citation. By hand: of a first version 17 of 27 stale citations
were right when read; with this and `SAME_SUBJECT` all 21 are."""
SAME_SUBJECT = 0.5
"""Share. An heir that keeps fewer of the words is too different to say that a citation means it. By
hand, see `ACTED_ON`."""
ANOTHER_MEANT = 0.11
"""Chance. From this on, `cr audit` says that a rule says something else than the sentence that cites
it. Measured: tells three quarters of the citations that people corrected, and reports one in fifty
of the corrected lines; docs/audit.md."""
FAMILY_AHEAD = 0.15
"""Points. The most, of 18 in the logarithm of odds, by which a rule beside the cited one is ahead of all
others: a bound that saves ranking rules. By hand: the 101 corrections fare the same without it."""
SAID_TODAY = 0.35
"""Share. Of a sentence's words, by rarity: the sentence is about a rule that has this many, if its date
agrees. By hand, on two trees: docs/audit.md."""
SAID_PLAINLY = 0.5
"""Share. With this many more, the words decide if there is no date. By hand, see above."""
SAID_RATHER = 0.2
"""Share. If today's rule has this many more of the words than the rule meant by date, `--fix` leaves the
citation alone. By hand, on made-up citations of today's rules under a date of 2016 to 2023."""
FITS_NOTHING_ELSE = 14.0
"""Points. As in BM25, by rarity: no sentence about something else fits a rule so well. By hand, on two
trees: docs/audit.md."""
FITS_A_RULE = 12.0
"""Points. Likewise: a few common words hardly fit a rule so well. By hand, see above."""
SHOWN_CERTAIN = 0.95
"""Chance. An answer about a lineage names the chance of a less likely one. By hand."""
LINT_CERTAIN = 0.99
"""Chance. A finding names the chance of a less likely step it rests on. By hand: whoever
reports an editor's mistake names a small doubt as well."""
WITNESS_CERTAIN = 0.995
"""Confidence. That of a passage is named below this: above, it is printed as 100 %. By arithmetic."""

# Quotations: which provision some words come from ----------------------------------------------------

QUOTED_LIKE = 0.6
"""Likeness. Of a passage and a provision of which it may be a reading at all. By hand."""
QUOTED_FROM = 0.7
"""Likeness. Of words to a provision that `cr resolve` may name. By hand: 99.4 % of what was taken as
right is right; docs/search.md."""
QUOTED_AS_LIKE = 0.01
"""Likeness. So little less than the best, another provision may be meant as well. By hand, as above."""
QUOTED_WHOLE = 0.97
"""Likeness. From here on words are all that a provision says; longer ones that hold them are left
out. By hand, as above."""
QUOTED_WITH_NUMBER = 0.2
"""Likeness. So much less than the best is believed of the provision whose number stands beside the
words. By hand, as above."""
QUOTED_SAME = 0.005
"""Likeness. Readings of one lineage so near the best print the same words. By hand, as above."""
MISSPELT = 0.72
"""Likeness. Of a word that is not there to one that may be meant. By hand."""
MISSPELT_TERM = 0.6
"""Likeness. Of a headword that is not there to one that is named instead. As `difflib` has it. By hand."""
MISSPELT_COMMAND = 0.75
"""Likeness. Of a word to a command that may be meant. By hand."""

# Documents: what they are ----------------------------------------------------------------------------
# By hand, on the 120 editions, their originals and the documents of each kind; docs/layouts.md and
# docs/witnesses.md say how they are read.

UTF8_BROKEN = 0.1
"""Share. So few invalid sequences are damage to UTF-8, more are another encoding. By hand, see above."""
TEXT_PLAUSIBLE = 0.8
"""Share. Of characters beyond ASCII that make sense, below which bytes are no text. By hand:
random bytes reach about a third."""
TEXT_SENSIBLE = 0.9
"""Share. Likewise, above which a text was not decoded wrongly. By hand, see above."""
MISNUMBERED = 0.02
"""Share. With more numbers out of order a document is refused. By hand: editions have up to five,
which are allowed besides; a shuffled or spliced text has hundreds."""
BLANK_LINE_FORGOTTEN = 0.1
"""Share. Rules without a blank line above them are misprints where so few are; where
more are, that is how the page is set. By hand, see above."""
PERSONAL = 0.5
"""Share. More prose than this, in a personal voice, is an article. By hand, see above."""
STAMP_WHOLE = 0.8
"""Share. Of a paragraph that a note on its edition fills, for it to be nothing else. By hand, see
above."""
BULLETIN = 0.2
"""Share. Of paragraphs that announce a change, in a bulletin without a title. By hand, see above."""
BULLETIN_TITLED = 0.1
"""Share. Likewise under a title that says what it is. By hand, see above."""
DEFINITIONS = 0.25
"""Share. Of paragraphs short enough for headwords, in a list of definitions. By hand, see above."""
DEFINED_ON_THE_LINE = 0.5
"""Share. Of paragraphs that define their first words, in such a list. By hand, see above."""
MAIN_COLUMN = 0.5
"""Share. Of the words of a page in the part that is taken for its content. By hand, see above."""

# Blame: whether words moved --------------------------------------------------------------------------

MOVED_WITHIN = 2.0
"""Points. Words that say so much stand elsewhere in the same rule than before: they moved, and keep
their date. Of this and the next three, each word counts 1, a common one a quarter, a whole sentence
half as much again. By hand, after some 90 moves between rules were read."""
MOVED_FROM_ANCESTOR = 1.25
"""Points. Likewise from a part, a copy or what was merged. By hand, see above."""
MOVED_NEARBY = 4.5
"""Points. Likewise from an earlier wording, or from a rule of the same section that no longer says it.
By hand, see above."""
MOVED_FAR = 6.0
"""Points. Likewise from any other rule that no longer says it. By hand, see above."""

# Documents: whether they are believed ----------------------------------------------------------------

ENOUGH_PUBLISHERS = 2
"""Count. Of independent publishers that served the same words: a text is attested. By hand: no one
publisher is believed alone."""
RULES_KEPT = 0.9
"""Share. Of the rules of the edition before: with fewer, a fetched text has lost some. Measured: of
120 editions none has fewer rules than the one before it."""

# Passages: which provision they are, and of which edition --------------------------------------------
# By hand, on the seeds and 1,350 made-up documents of 95 forms; docs/witnesses.md.

PASSAGE_IS = 0.8
"""Likeness. A passage so like a provision quotes it, if not word for word. By hand, see above."""
PASSAGE_IS_IN_PLACE = 0.6
"""Likeness. Likewise of the provision with its own number. By hand, see above."""
SENTENCE_IS_PART = 0.8
"""Likeness. A sentence so like a part of a provision belongs to it. By hand, see above."""
ASIDE = 0.65
"""Likeness. Less like any provision a passage among rules is an aside. By hand, see above."""
ASIDE_OF_FEW_WORDS = 0.8
"""Likeness. Likewise of a few words, which are soon like something. By hand, see above."""
MOSTLY_KNOWN = 0.5
"""Share. Of sentences or passages that speaks for all of them. By hand: more than half."""
ENGLISH = 0.1
"""Share. Of the smallest English words among all: editions have 0.3, other languages below 0.03. By
hand, see above."""
TRANSLATED_NUMBERS = 0.9
"""Share. Of a document's numbers that the edition must have whose translation it is. By hand, see
above."""
OWN_GAME = 0.2
"""Share. Of what a document quotes and some edition must print, or it is of another game. By hand,
see above."""
EDITION_AS_LIKELY = 0.0002
"""Likeness, for each telling passage. Editions so near the best are as likely. By hand, see above."""
EDITION_WHOLE = 0.8
"""Share. A page with less of an edition lacks nothing of the rest. By hand, see above."""
SET_NAME = 0.88
"""Likeness. A name so like a set's is a slip of the pen. By hand, see above."""
SET_NAME_AHEAD = 0.06
"""Likeness. So far ahead of the next set's it must be. By hand, see above."""
ANNOUNCED_NEAR = 0.25
"""Share. Of announcements that fit an edition which came soon after a bulletin. By hand: 565 of 577
announcements of nine bulletins are confirmed."""
ANNOUNCED_SURELY = 0.85
"""Share. Of announcements that a step confirms, so that no other is tried. Measured: of 27 steps near
the nine bulletins the right ones confirm 0.94 and more, all others 0.4 and less."""
ANNOUNCED_ANYWHERE = 0.6
"""Share. Likewise of any other edition. By hand: one that changes everything confirms a third of
anything."""

# Passages: quotations in articles --------------------------------------------------------------------

ARTICLE_QUOTES = 0.75
"""Likeness. Of words in an article beside a number to the provision that they quote. By hand."""
ARTICLE_QUOTES_UNNUMBERED = 0.85
"""Likeness. Likewise without a number, where they may be a card's. By hand."""
ALMOST_QUOTED = 0.99
"""Likeness. The most of words that are no provision's word for word. By hand."""
QUOTED_WITH_NUMBER_CONFIDENCE = 0.98
"""Confidence. Of a quotation under its number, times its likeness. By hand."""
QUOTED_ALONE_CONFIDENCE = 0.9
"""Confidence. Of another quotation, times its likeness. By hand."""

# Prose: what it is about, and when it was written ----------------------------------------------------
# Fitted to 268 paragraphs of nine bulletins, whose numbers tell the right rule.

DISCUSSED = 0.8
"""Chance. That a paragraph discusses a provision. Measured on 138 paragraphs of articles kept out
of the fitting, 128 of them about a rule: see docs/witnesses.md."""
DISCUSSED_BESIDE = 0.42
"""Chance. Likewise where the paragraphs around it discuss the same section. Measured on the same: of
the 67 links of both levels 66 are right, and 51 % of the paragraphs have one; at 0.35 95 % are right."""
DISCUSSED_IN_TOPIC = 0.35
"""Chance. Likewise of the rule that most paragraphs are about. By hand, on the same."""
DISCUSSED_SUBRULE = 0.8
"""Chance. Of the subrules of the rule that an article is about, the one that a paragraph discusses.
Measured on the 1,141 reworded rules of 2001-07-23, 2005-08-01 and 2010-02-01, held against today's
subrules without their numbers: of those so sure 99 % are right, and 93 % of all are so sure."""
DISCUSSED_AT_MOST = 0.95
"""Chance. The most that words alone prove. By hand."""
ABOUT_SOME_RULE = 0.5
"""Chance. That a paragraph is about some rule, not told which. By hand: likelier than not."""
TOPIC = 0.5
"""Share. Of paragraphs that are about one rule: it is the topic of all. By hand."""
TOPIC_NEAR = 0.7
"""Share. Of the points of the best: a rule so near it is among those a paragraph is about. By hand."""
TWIN_NEAR = 0.75
"""Share. Likewise for a rule that says much the same to be named beside it. By hand."""
TWIN_ALIKE = 0.35
"""Share. Of the weight of words that two rules of different sections share, to say much the same. By
hand, with `DISCUSSED`."""
TWIN_SAME = 0.9
"""Share. Likewise of one section, whose keywords are told in the same words. By hand, as above."""
CITED_NUMBER = 0.98
"""Confidence. That prose means the one provision with the number it cites. By hand."""
CITED_TOLD_APART = 0.9
"""Confidence. Likewise where the words tell it from others with that number. By hand."""
CITED_GUESSED = 0.6
"""Confidence. Likewise where nothing tells them apart: the latest is taken. By hand."""
NOTE_BELOW = 0.8
"""Confidence. That a note without a number is about the rule above it. By hand."""
WORDS_COME = 0.05
"""Share. Of the most texts that print a word: with fewer it is not in use yet, but a card's name in
an example. By hand."""
WORDS_GO = 0.1
"""Share. Likewise not in use any more, but in entries on obsolete words. By hand."""
WORDS_OFTEN = 0.01
"""Share. Of the texts of an edition: a word in so many is the rules' own. By hand."""
SWEPT = 0.6
"""Share. Of the places that had a phrase: so many must have lost it for the same words, for it to be
replaced throughout. By hand."""
PLAINLY_SAID = 0.6
"""Share. Of the weight of a sentence's words that the cited rule has: with so much it says what the
sentence says. By hand."""
NUMBERS_OF_RULES = 0.8
"""Share. Of the bare numbers of a file that look like rules': so many must be rules for all to be taken
for citations. By hand."""
SUBRULE_SHOWN = 0.6
"""Share. Of the points of the best subrule of a rule: others with so much are shown beside it. By hand."""
WORTH_A_REASON = 0.25
"""Points. What adds less to a passage's score is not given as a reason for it. By hand."""
