"""Judges each citation by its number, its date and the words beside it."""

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING

from variorum.answers.cited_heirs import (
    CURRENT,
    DOUBTFUL,
    GONE_SINCE,
    NEVER,
    RENUMBERED,
    REUSED,
    SAYS_ELSE,
)
from variorum.audit.bare_numbers import BareNumbers
from variorum.audit.choice import (
    MOST_NAMED,
    CitedNumber,
    beside_heir,
    doubt_about,
    likeliest,
    with_explained,
)
from variorum.audit.heirs import CitationVerdict, Meaning, NumberVerdicts, verdict_of
from variorum.audit.meanings import Context, MeaningsOfNumbers
from variorum.audit.numbers import Citation
from variorum.audit.rules import RuleWords
from variorum.audit.sentences import Sentence, sentences_of
from variorum.errors import NoEditionError
from variorum.model import RuleNumber
from variorum.rule_numbers import stem_of

if TYPE_CHECKING:
    from variorum.answers.editions import EditionEntry
    from variorum.answers.knowledge_base import KnowledgeBase

# "CR 704.5k (2026-08-07)": the author names the edition.
_PINNED = re.compile(
    r"\s?[(\[](?:as of |on |of )?"
    r"(?:(?P<edition>\d{4}-\d\d-\d\d(?:\.\d)?|[A-Z0-9]{3})|(?P<month>\d{4}-\d\d))[)\]]"
)
# BM25, weighted by rarity: no sentence about something else fits a rule this well. By hand, on
# two trees: docs/audit.md.
_FITS_NOTHING_ELSE = 14.0
# Without a date, the words decide for a rule that has this share of them.
_SAID_PLAINLY = 0.5
# A sentence is about a rule that has this share of its words, weighted by rarity, if the date
# agrees. By hand, on two trees: docs/audit.md.
_SAID_TODAY = 0.35
# Without a date, `--fix` needs an heir that fits so much better than today's rule. By hand, likewise.
_FITS_BETTER = 1.25
# A single word that today's rule lacks is too little evidence for another.
_FEWEST_OWN = 2
# From this chance on, a finding says that another rule is meant; a smaller chance is a note.
_LIKELY = 0.5
# The most words of a quotation that are shown.
_SHOWN = 8
# People remember what a section's number meant if at least this many editions, some three years,
# printed it so. By hand: the result for the 101 corrections is the same from 1 to 36.
_REMEMBERED_FROM = 12
# They remember it for this many editions after the last one that printed it so. Measured on the
# 101 corrections: at 30, 9 fewer are reported; without a limit, as many.
_REMEMBERED_FOR = 60
# Citations recur in a project; so many verdicts are kept.
_KEPT = 20_000


class CitationJudge:
    """Judges citations against one target edition.

    Its `bare_numbers` recognise citations without a word before them; `rules` are the edition's.
    """

    def __init__(self, base: "KnowledgeBase", target: "EditionEntry") -> None:
        self._base = base
        self._numbers = NumberVerdicts(base, target)
        self._meanings = MeaningsOfNumbers(base, self._numbers)
        self.rules = RuleWords(base, target)
        self.bare_numbers = BareNumbers(base, target, self._numbers)
        self._cited: dict[str, CitedNumber] = {}
        self._weighed: dict[object, CitationVerdict] = {}

    def judge_all(
        self, text: str, citations: Sequence[Citation], days: Sequence[str]
    ) -> list[CitationVerdict]:
        """Return the verdicts on the citations of a text, in order; each has a day, "" if unknown."""
        if not citations:
            return []
        by_date = [
            self._dated(citation, day, text) for citation, day in zip(citations, days, strict=True)
        ]
        if not self._base.has_words:
            return by_date
        sentences = with_explained(self.rules, citations, sentences_of(text, citations))
        contexts = [
            self._context(citation, verdict, sentence)
            for citation, verdict, sentence in zip(citations, by_date, sentences, strict=True)
        ]
        elsewhere = _agreed(citations, contexts)
        return [
            self._weigh(
                citation, verdict, context or elsewhere.get(citation.first.number), sentence
            )
            for citation, verdict, context, sentence in zip(
                citations, by_date, contexts, sentences, strict=True
            )
        ]

    def _dated(self, citation: Citation, day: str, text: str) -> CitationVerdict:
        pinned = _PINNED.match(text, citation.end)
        # A month means its last edition.
        label = pinned["edition"] or f"{pinned['month']}-28" if pinned else citation.edition
        named = self._edition(label)
        edition = named or self._edition(day)
        first, last = citation.first.number, (citation.last or citation.first).number
        verdict = self._numbers.of(first, last, edition)
        if named is not None:
            return verdict._replace(is_sure=False, is_pinned=True, is_dated_itself=True)
        return verdict

    def _edition(self, day: str) -> "EditionEntry | None":
        try:
            return self._base.edition(day) if day else None
        except NoEditionError:  # git's date precedes the first edition
            return None

    def _context(
        self, citation: Citation, verdict: CitationVerdict, sentence: Sentence
    ) -> Context | None:
        if citation.last is not None:
            return None
        in_doubt = verdict.status not in {CURRENT, RENUMBERED} or not verdict.as_of
        return self._meanings.look(
            citation.first.number, sentence.before, sentence.after, in_doubt=in_doubt
        )

    def _weigh(
        self,
        citation: Citation,
        verdict: CitationVerdict,
        context: Context | None,
        sentence: Sentence,
    ) -> CitationVerdict:
        """Weigh the words beside a citation against its date."""
        if citation.last is None:
            key = citation.first.number, verdict, context, sentence._replace(before="", after="")
            if key not in self._weighed:
                if len(self._weighed) >= _KEPT:
                    self._weighed.clear()
                self._weighed[key] = self._by_words(*key)
            verdict = self._weighed[key]
        # If the program does not understand a whole citation, no part of it is certain.
        is_told = bool(verdict.as_of) or citation.last is None
        is_sure = verdict.is_sure and not citation.is_open and is_told
        return verdict if is_sure == verdict.is_sure else verdict._replace(is_sure=is_sure)

    def _by_words(
        self, number: str, verdict: CitationVerdict, context: Context | None, sentence: Sentence
    ) -> CitationVerdict:
        if verdict.status == NEVER:
            return self._unknown(number, verdict, sentence)
        weighed = None
        if context is not None:
            weighed = self._by_context(number, verdict, context, sentence)
        if weighed is None:
            is_pinned = verdict.is_pinned
            weighed = verdict if is_pinned else self._by_sentence(number, verdict, sentence)
        if not weighed.is_sure or weighed.status == CURRENT:
            return weighed
        is_named = context is not None and context.is_strong
        return weighed._replace(
            is_sure=self._is_certain(number, weighed, sentence, is_named=is_named)
        )

    def _is_certain(
        self, number: str, verdict: CitationVerdict, sentence: Sentence, *, is_named: bool
    ) -> bool:
        """Say whether the words allow a rewrite that the date, if any, speaks for.

        Without a date, they must fit the heir, and any other rule that the number means or meant less.
        """
        rules, cited = self.rules, self._facts(number, verdict)
        if cited is None or doubt_about(rules, cited, sentence) is not None:
            return bool(verdict.as_of) and cited is None
        if verdict.as_of:
            return True
        words = rules.sentence_words(sentence._replace(beside=()))
        share, fit = rules.covered(words, verdict.heir), rules.fit(words, verdict.heir)
        best = [rules.listed[place].stem for place in rules.fits(words).best[:1]]
        heirs = {meaning.outcome.heirs[:1] for meaning in self._numbers.meanings_of(number)}
        others = {number, *[heir for each in heirs for heir in each]} - {verdict.heir}
        least = 0.0 if is_named or verdict.status == RENUMBERED else _FITS_NOTHING_ELSE
        return (
            best == [stem_of(verdict.heir)]
            and share >= _SAID_TODAY
            and fit >= least
            and all(share >= rules.covered(words, other) for other in others)
            and all(fit >= _FITS_BETTER * rules.fit(words, other) for other in others)
        )

    # A name or a quotation beside it -------------------------------------------------------------

    def _by_context(
        self, number: str, verdict: CitationVerdict, context: Context, sentence: Sentence
    ) -> CitationVerdict | None:
        """Return the verdict on the meaning that words name or quote; None if the date decides."""
        meant = self._numbers.meanings_of(number)[context.which]
        by_words = verdict_of(meant.outcome, verdict.as_of, number)
        if (by_words.status, by_words.heirs) == (verdict.status, verdict.heirs):
            return None
        if by_words.heir in sentence.beside:
            return None  # the name is that of another number beside it
        if not self._decides(number, context, by_words, verdict, sentence):
            return None
        words = context.words.split()
        why = f"beside it: “{' '.join(words[:_SHOWN])}{'…' if words[_SHOWN:] else ''}”"
        if not verdict.as_of:
            is_sure = by_words.is_sure and context.is_strong and not verdict.is_pinned
            named = by_words._replace(why=why, is_sure=is_sure)
        elif context.is_strong or _is_open(verdict):
            first, last, *_ = self._numbers.meant(meant)
            why = (
                f"{why}, which it meant {f'in {first}' if first == last else f'{first} to {last}'}"
            )
            named = by_words._replace(why=why, is_sure=False, is_pinned=verdict.is_pinned)
        else:
            named = verdict._replace(why=f"but {why}", is_sure=False)
        if context.is_quoted or named.is_pinned:
            return named
        if named.status == CURRENT:
            return self._doubted(number, named, sentence)
        if named.is_sure or not named.heirs or named.status not in {RENUMBERED, REUSED}:
            return named
        # A name does not say which subrule is meant, so the likeliest become further heirs.
        near = beside_heir(self.rules, self.facts_of(number), sentence, named.heir)
        heirs = (*named.heirs, *[(heir, heir) for heir in near])
        return named._replace(heirs=tuple(dict.fromkeys(heirs))[:MOST_NAMED])

    def _decides(
        self,
        number: str,
        context: Context,
        by_words: CitationVerdict,
        verdict: CitationVerdict,
        sentence: Sentence,
    ) -> bool:
        if verdict.as_of:
            words = self.rules.sentence_words(sentence)
            share = self.rules.covered(words, verdict.heir) if words.weights else 0.0
            return context.is_quoted or share < _SAID_TODAY
        if context.is_strong:
            return True
        # A name further away may be there by chance: today's rule must fit the words less.
        words = self.rules.sentence_words(sentence._replace(beside=()))
        return self.rules.fit(words, by_words.heir) >= self.rules.fit(words, number)

    # The sentence --------------------------------------------------------------------------------

    def _by_sentence(
        self, number: str, verdict: CitationVerdict, sentence: Sentence
    ) -> CitationVerdict:
        """Return the verdict by the sentence if it differs from the verdict by the date."""
        has_words = bool(self.rules.sentence_words(sentence).weights)
        if verdict.meanings and verdict.status != CURRENT:
            meant = self._meant_by(number, verdict, sentence) if has_words else None
            is_open = verdict.status == DOUBTFUL or (verdict.as_of and verdict.status != RENUMBERED)
            is_missing = verdict.as_of and number not in self.rules.by_number
            if meant is not None:
                verdict = meant
            elif is_open if has_words else is_missing and verdict.status == DOUBTFUL:
                verdict = self._unknown(number, verdict._replace(status=DOUBTFUL), sentence)
            if verdict.status == DOUBTFUL:
                return self._missing(number, verdict, sentence) if verdict.as_of else verdict
        return self._doubted(number, verdict, sentence) if has_words else verdict

    def _meant_by(
        self, number: str, verdict: CitationVerdict, sentence: Sentence
    ) -> CitationVerdict | None:
        """Return the verdict on the meaning that a sentence fits; None if it fits none."""
        # Another rule cited beside it has some of the words; they are about this one, too.
        rules = self.rules
        words = rules.sentence_words(sentence._replace(beside=()))
        shares: list[tuple[float, CitationVerdict]] = []
        for meaning in self._numbers.meanings_of(number):
            became = verdict_of(meaning.outcome, verdict.as_of, number)
            if became.heir not in sentence.beside:
                shares.append((rules.covered(words, became.heir), became))
        best, fitting = max(shares, key=_share, default=(0.0, verdict))
        today = [share for share in shares if share[1].status == CURRENT]
        if today:
            current, still = max(today, key=_share)
            least = _SAID_PLAINLY if verdict.as_of else 0.0
            if current >= least and best - current < _SAID_TODAY:
                return still._replace(as_of=verdict.as_of, is_sure=False)
        others = [share for share, became in shares if became.heirs != fitting.heirs]
        here, there = rules.around(number), rules.around(fitting.heir)
        own = [stem for stem in words.weights if stem in there and stem not in here]
        is_telling = rules.fits(words).most >= _FITS_NOTHING_ELSE
        is_telling = is_telling and (not today or len(own) >= _FEWEST_OWN)
        is_told = is_telling or not (verdict.as_of or today)
        if is_told and best >= _SAID_PLAINLY and best - max(others, default=0.0) >= _SAID_TODAY:
            is_sure = fitting.is_sure and not verdict.as_of
            return fitting._replace(why="by the words beside it", is_sure=is_sure)
        return None

    def _doubted(
        self, number: str, verdict: CitationVerdict, sentence: Sentence
    ) -> CitationVerdict:
        """Return the verdict, changed if the sentence fits another rule."""
        cited = self._facts(number, verdict)
        if cited is None or verdict.status not in {CURRENT, RENUMBERED}:
            return verdict
        doubt = doubt_about(self.rules, cited, sentence)
        if doubt is None:
            return verdict
        is_likely = doubt.chance >= _LIKELY
        chance = f"another rule is meant with a chance of {doubt.chance * 100:.0f} %"
        return verdict._replace(
            status=SAYS_ELSE if is_likely else DOUBTFUL,
            heirs=tuple([(likely, likely) for likely in doubt.likeliest if likely != cited.today]),
            confidence=doubt.chance,
            was=verdict.was or self._numbers.gist(cited.today),
            now_means=self._numbers.gist(doubt.likeliest[0]),
            why="" if is_likely else chance,
            meanings=(),
            is_sure=False,
        )

    def _unknown(
        self, number: str, verdict: CitationVerdict, sentence: Sentence
    ) -> CitationVerdict:
        """Return the verdict on a number that its edition lacks, with candidates."""
        named = likeliest(self.rules, self.facts_of(number), sentence)
        if verdict.status == NEVER and (above := self.rules.nearest_above(number)):
            named = (above, *[other for other in named if other != above])
        elif not verdict.as_of and (meanings := self._numbers.meanings_of(number)):
            # What the number meant last comes second at the latest.
            last = [heir for heir in meanings[-1].outcome.heirs[:1] if heir not in named[:1]]
            numbers = [heir for heir in last if RuleNumber.read(heir) is not None]
            named = tuple(dict.fromkeys([*named[:1], *numbers, *named[1:]]))
        return verdict._replace(
            heirs=tuple([(likely, likely) for likely in named[:MOST_NAMED]]),
            now_means=self._numbers.gist(named[0]) if named else "",
            confidence=0.0,
            meanings=verdict.meanings if verdict.status == DOUBTFUL else (),
            is_sure=False,
        )

    def _missing(
        self, number: str, verdict: CitationVerdict, sentence: Sentence
    ) -> CitationVerdict:
        """Return the verdict, with candidates, on a number that only other editions have."""
        unknown = self._unknown(number, verdict, sentence)
        heirs = tuple(dict.fromkeys([*verdict.heirs[:2], *unknown.heirs, *verdict.heirs]))
        named = unknown._replace(heirs=heirs[:MOST_NAMED])
        return named._replace(now_means=self._numbers.gist(named.heir))

    # The cited number ----------------------------------------------------------------------------

    def _facts(self, number: str, verdict: CitationVerdict) -> CitedNumber | None:
        """Return the facts of a cited number; None if it means no rule of today."""
        today = verdict.heir
        if verdict.status in {DOUBTFUL, GONE_SINCE} or RuleNumber.read(today) is None:
            return None
        facts = self.facts_of(number)
        return facts._replace(today=today, once=frozenset(facts.once) - {today})

    def facts_of(self, number: str) -> CitedNumber:
        """Return the facts of a number that its edition lacks."""
        if number not in self._cited:
            meanings_of = self._numbers.meanings_of
            remembered = filter(self._is_remembered, meanings_of(number[:3]))
            sections = [heir[:3] for each in remembered for heir in _others(each, number[:3])]
            once = [heir for each in meanings_of(number) for heir in _others(each, number)]
            facts = CitedNumber(number, number, frozenset(once), frozenset(sections))
            self._cited[number] = facts
        return self._cited[number]

    def _is_remembered(self, meaning: Meaning) -> bool:
        lasted = sum([run.last - run.first + 1 for run in meaning.runs])
        ended = max([run.last for run in meaning.runs])
        return lasted >= _REMEMBERED_FROM and ended >= self._numbers.target.place - _REMEMBERED_FOR


def _share(share: tuple[float, CitationVerdict]) -> float:
    return share[0]


def _others(meaning: Meaning, number: str) -> list[str]:
    """Return the heirs of a meaning that are rules, without the number itself."""
    return [
        heir
        for heir in meaning.outcome.heirs
        if heir != number and RuleNumber.read(heir) is not None
    ]


def _is_open(verdict: CitationVerdict) -> bool:
    """Say whether no date decides which meaning of a number is meant."""
    return not verdict.as_of or (verdict.status == DOUBTFUL and not verdict.was)


def _agreed(
    citations: Sequence[Citation], contexts: Sequence[Context | None]
) -> dict[str, Context]:
    """Return the meaning of each number that the text names correctly somewhere."""
    meant: dict[str, dict[int, Context]] = {}
    for citation, context in zip(citations, contexts, strict=True):
        if context is not None and context.is_strong:
            meant.setdefault(citation.first.number, {})[context.which] = context
    return {
        number: next(iter(each.values()))._replace(is_strong=False)
        for number, each in meant.items()
        if len(each) == 1
    }
