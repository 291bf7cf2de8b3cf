"""Judges each citation by its number, its date and the words beside it.

The date says which of a number's meanings is meant, else the words do: a name or a quotation beside
the number, or how much of its sentence each meaning has. Whatever is meant is then weighed against all
other rules of the edition, since people also cite wrong numbers.
"""

import re
from collections.abc import Sequence
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING

from variorum.audit.bare_numbers import QuotationFinder
from variorum.audit.choice import MOST_NAMED, CitedNumber, doubt_about, likeliest, with_explained
from variorum.audit.grammar import Citation
from variorum.audit.meanings import CitationVerdict, Meaning, NumberMeanings, can_stand
from variorum.audit.rules import RuleWords, SentenceWords
from variorum.audit.sentences import Sentence, sentences_of
from variorum.errors import NoEditionError
from variorum.records.audit import CURRENT, DOUBTFUL, GONE_SINCE, NEVER, RENUMBERED, SAYS_ELSE
from variorum.rule_numbers import stem_of

if TYPE_CHECKING:
    from variorum.answers.knowledge_base import KnowledgeBase
    from variorum.rows import EditionRow

# "CR 704.5k (2026-08-07)": the author names the edition. A month means its last edition.
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
# With a date, `--fix` needs a line that today's rule doesn't fit by so much more than the heir. By hand,
# on all rewrites of one tree: the greatest difference of a right one is 0.11.
_SAID_MORE = 0.2
# Without a date, `--fix` needs an heir that fits so much better than today's rule. By hand, likewise.
_FITS_BETTER = 1.25
# From this chance on, a finding says that another rule is meant; a smaller chance is a note.
_LIKELY = 0.5
# A sentence is about a former rule of a number, and not about the one that it cites, if the words that
# only the former has weigh so much, relative to how much more of them it has; of a name, less. By hand, on
# two trees, where seven of eight such findings are true. Half of it hinders a rewrite.
_SAID_ONCE, _NAMED_ONCE, _PERHAPS_ONCE, _CHANCE_ONCE = 6.9, 3.0, 0.5, 0.8
# People remember what a section's number meant if at least so many editions, some three years, printed
# it so, for so many editions after the last of these. Measured on the 101 corrections: at 30, 9 fewer are
# reported. Without both, 150 more right citations of one tree are doubted.
_REMEMBERED_FROM, _REMEMBERED_FOR = 12, 60
# Citations recur in a project; so many verdicts are kept.
_KEPT = 20_000


class CitationJudge:
    """Judges citations against one target edition."""

    def __init__(self, base: "KnowledgeBase", target: "EditionRow") -> None:
        self._base, self._target = base, target
        self.numbers = NumberMeanings(base, target)
        self.quotations = QuotationFinder(base, self.numbers)
        self._sections: dict[str, frozenset[str]] = {}
        self._weighed = lru_cache(_KEPT)(self._weigh)

    @cached_property
    def rules(self) -> RuleWords:
        return RuleWords(self._base, self._target)

    def judge_all(
        self, text: str, citations: Sequence[Citation], days: Sequence[str]
    ) -> list[CitationVerdict]:
        """Return the verdicts on the citations of a text, in order; each has a day, "" if unknown."""
        days_of = zip(citations, days, strict=True)
        verdicts = [self._dated(citation, day, text) for citation, day in days_of]
        has_words = self._base.has_words
        if has_words:
            sentences = with_explained(self.rules, citations, sentences_of(text, citations))
            verdicts = [
                verdict
                if citation.last
                else self._weighed(citation.first.number, verdict, sentence)
                for citation, verdict, sentence in zip(citations, verdicts, sentences, strict=True)
            ]
        # Of a citation that the program does not understand as a whole, no part is certain. Without a date,
        # only the words of one number can speak for a rewrite.
        return [
            verdict._replace(is_sure=False)
            if citation.is_open or not (verdict.as_of or (has_words and citation.last is None))
            else verdict
            for citation, verdict in zip(citations, verdicts, strict=True)
        ]

    def _dated(self, citation: Citation, day: str, text: str) -> CitationVerdict:
        pinned = _PINNED.match(text, citation.end)
        label = pinned["edition"] or f"{pinned['month']}-28" if pinned else ""
        own = self._edition(label)
        first, last = citation.first.number, (citation.last or citation.first).number
        verdict = self.numbers.verdict(first, last, own or self._edition(day))
        if own is None:
            return verdict
        return verdict._replace(is_sure=False, is_pinned=True, is_dated_itself=True)

    def _edition(self, day: str) -> "EditionRow | None":
        try:
            return self._base.edition(day) if day else None
        except NoEditionError:  # git's date precedes the first edition
            return None

    def _weigh(self, number: str, verdict: CitationVerdict, sentence: Sentence) -> CitationVerdict:
        """Weigh the words beside a citation against its date."""
        if verdict.status == NEVER:
            weighed = self._unknown(number, verdict, sentence)
        elif verdict.is_pinned:
            weighed = verdict
        else:
            weighed = self._by_sentence(number, verdict, sentence)
            is_told = weighed.as_of and weighed.status != SAYS_ELSE
            if is_told or weighed.status in {CURRENT, DOUBTFUL}:
                weighed = self._once(number, weighed, sentence) or weighed
        if weighed.is_sure and weighed.status != CURRENT:
            weighed = weighed._replace(is_sure=self._is_certain(number, weighed, sentence))
        return weighed

    def _is_certain(self, number: str, verdict: CitationVerdict, sentence: Sentence) -> bool:
        """Say whether the words allow a rewrite.

        With a date, they must not be today's rule's. Without one, they must fit the heir, and any other
        rule that the number means or meant less.
        """
        rules, cited, heir = self.rules, self._facts(number, verdict), verdict.heir
        if self._once(number, verdict, sentence, _PERHAPS_ONCE):
            return False
        if cited is None or doubt_about(rules, cited, sentence) is not None:
            return bool(verdict.as_of) and cited is None
        words = rules.sentence_words(sentence, alone=True)
        share = rules.covered(words, heir)
        if verdict.as_of:
            is_today = number in rules.places and bool(words.weights)
            return not is_today or rules.covered(words, number) - share < _SAID_MORE
        best = [rules.rules[place].stem for place in rules.fits(words).best[:1]]
        meant = {first for each in self.numbers.of(number) for first in each.heirs[:1]}
        least = 0.0 if verdict.status == RENUMBERED else _FITS_NOTHING_ELSE
        is_about = best == [stem_of(heir)] and share >= _SAID_TODAY
        return (is_about and rules.fit(words, heir) >= least) and all(
            self._fits_better(words, heir, other) for other in {number, *meant} - {heir}
        )

    def _fits_better(self, words: SentenceWords, heir: str, other: str) -> bool:
        rules = self.rules
        is_more = rules.covered(words, heir) >= rules.covered(words, other)
        return is_more and rules.fit(words, heir) >= _FITS_BETTER * rules.fit(words, other)

    def _by_sentence(
        self, number: str, verdict: CitationVerdict, sentence: Sentence
    ) -> CitationVerdict:
        """Return the verdict by the sentence if it differs from the verdict by the date."""
        has_words = bool(self.rules.sentence_words(sentence).weights)
        said, both = sentence.stems.weights, (number, verdict.heir)
        is_named = [it for it in both if self.rules.is_named(it, said)] == [number]
        if verdict.as_of and is_named and number[:3] in {"701", "702"}:  # the date is too early
            today = self.numbers.verdict(number, number, self._target)
            return today._replace(as_of=verdict.as_of, is_sure=False)
        if verdict.meanings and verdict.status != CURRENT:
            meant = self._meant(number, verdict, sentence) if has_words else None
            is_gone = bool(verdict.as_of) and has_words and verdict.status != RENUMBERED
            is_doubtful = verdict.status == DOUBTFUL and (has_words or bool(verdict.as_of))
            if meant is not None:
                verdict = meant
            elif is_gone or is_doubtful:
                return self._unknown(number, verdict._replace(status=DOUBTFUL), sentence)
            if verdict.status == DOUBTFUL:
                return verdict
        return self._doubted(number, verdict, sentence) if has_words else verdict

    def _once(
        self, number: str, verdict: CitationVerdict, sentence: Sentence, least: float = 1.0
    ) -> CitationVerdict | None:
        """Return the verdict on a sentence about a former rule of a number; None if it fits the cited one."""
        is_dated = bool(verdict.as_of) or verdict.status != DOUBTFUL
        rules, cited = self.rules, verdict.heir if is_dated else number
        words, former = rules.sentence_words(sentence, alone=True), dict[Meaning, float]()
        if cited not in rules.places or sentence.is_explained:
            return None
        for meaning in self.numbers.of(number):
            heir = next(iter(meaning.heirs), "")
            if heir not in rules.places or heir in {cited, *sentence.beside}:
                continue
            only = words.weights.keys() & rules.around(heir) - rules.around(cited)
            weight = sum([words.weights[stem] for stem in only])
            more = rules.covered(words, heir) - rules.covered(words, cited)
            is_named = more > 0 and any(only >= {*name} for name in rules.titles(heir))
            former[meaning] = weight / _NAMED_ONCE if is_named else weight * more / _SAID_ONCE
        likely = [it for it in former if it.heirs[0] == verdict.heir and former[it] >= least]
        best = max(likely or former, key=former.__getitem__, default=None)
        if best is None or former[best] < least or (least == 1 and best.heirs[0] == number):
            return None
        return verdict._replace(
            status=SAYS_ELSE,
            heirs=best.verdict.heirs[:1],
            confidence=_CHANCE_ONCE,
            was=verdict.was if is_dated else self.numbers.bearer(number),
            now_means=self.numbers.bearer(best.verdict.heir),
            why=self._meant_until(number, best.heirs[0]),
            meanings=(),
            is_sure=False,
        )

    def _meant(
        self, number: str, verdict: CitationVerdict, sentence: Sentence
    ) -> CitationVerdict | None:
        """Return the verdict on the meaning that a sentence fits; None if it fits none."""
        # Another rule cited beside it has some of the words; they are about this one, too.
        rules, words = self.rules, self.rules.sentence_words(sentence, alone=True)
        became = [each.verdict._replace(as_of=verdict.as_of) for each in self.numbers.of(number)]
        apart = [each for each in became if each.heir not in sentence.beside]
        shares = {each: rules.covered(words, each.heir) for each in apart}
        if not shares:
            return None
        # A name decides if only one of the meanings bears it, unless today's rule fits as well.
        named = [each for each in shares if rules.is_named(each.heir, words.weights)]
        if len({each.heirs[:1] for each in named}) == 1:
            told = named[0]
            if told.status == CURRENT:
                return told._replace(is_sure=False)
            if self._fits_better(words, told.heir, number):
                # A name does not say which subrule is meant, so the likeliest become further heirs.
                near = likeliest(rules, self.cited(number), sentence)
                heirs = [*told.heirs, *[(each, each) for each in near if each[:3] == told.heir[:3]]]
                return told._replace(
                    heirs=tuple(dict.fromkeys(heirs))[:MOST_NAMED],
                    why="by the name beside it",
                    is_sure=told.is_sure and not verdict.as_of,
                )
        fitting = max(shares, key=shares.__getitem__)
        best, today = shares[fitting], [each for each in shares if each.status == CURRENT]
        if today:
            still = max(today, key=shares.__getitem__)
            least = _SAID_PLAINLY if verdict.as_of else 0.0
            if shares[still] >= least and best - shares[still] < _SAID_TODAY:
                return still._replace(is_sure=False)
        others = [share for each, share in shares.items() if each.heirs != fitting.heirs]
        is_telling = rules.fits(words).most >= _FITS_NOTHING_ELSE
        is_told = is_telling or not (verdict.as_of or today)
        if is_told and best >= _SAID_PLAINLY and best - max(others, default=0.0) >= _SAID_TODAY:
            is_sure = fitting.is_sure and not verdict.as_of
            return fitting._replace(why="by the words beside it", is_sure=is_sure)
        return None

    def _doubted(
        self, number: str, verdict: CitationVerdict, sentence: Sentence
    ) -> CitationVerdict:
        cited = self._facts(number, verdict) if verdict.status in {CURRENT, RENUMBERED} else None
        doubt = doubt_about(self.rules, cited, sentence) if cited else None
        if cited is None or doubt is None:
            return verdict
        chance, named = doubt
        is_likely, until = chance >= _LIKELY, self._meant_until(number, named[0])
        why = until if is_likely else f"{cited.today} by its number"
        return verdict._replace(
            status=SAYS_ELSE if is_likely else DOUBTFUL,
            heirs=tuple([(likely, likely) for likely in named if likely != cited.today]),
            confidence=chance,
            was=verdict.was or self.numbers.bearer(cited.today),
            now_means=self.numbers.bearer(named[0]),
            why=why,
            meanings=(),
            is_sure=False,
        )

    def _meant_until(self, number: str, heir: str) -> str:
        """Return until when a number meant what has another number today; "" if it never did."""
        meant = [it for it in self.numbers.of(number) if it.heirs[:1] == (heir,)]
        ends = [run.last for each in meant for run in each.runs]
        return f"which {number} meant until {self._base.labels[max(ends)]}" if ends else ""

    def _unknown(
        self, number: str, verdict: CitationVerdict, sentence: Sentence
    ) -> CitationVerdict:
        """Return the verdict on a number that its edition lacks, or that has no date, with candidates."""
        named = [*likeliest(self.rules, self.cited(number), sentence)]
        meanings, words = self.numbers.of(number), self.rules.sentence_words(sentence)
        is_told = self.rules.fits_a_rule(words) or self.rules.names_any(words.weights)
        if verdict.status == NEVER and not is_told:
            named = []
        if verdict.status == NEVER and (above := self.rules.nearest_above(number)):
            named = [above, *named]
        elif not verdict.as_of and meanings:
            # What the number meant last comes second at the latest.
            last = [heir for heir in meanings[-1].heirs[:1] if can_stand((heir, heir))]
            named = [*named[:1], *last, *named[1:]]
        heirs = [(likely, likely) for likely in named]
        if not words.weights:
            heirs = [*verdict.heirs[:2], *heirs]
        heirs = list(dict.fromkeys(heirs))[:MOST_NAMED]
        return verdict._replace(
            heirs=tuple(heirs),
            now_means=self.numbers.bearer(heirs[0][0]) if heirs else None,
            confidence=0.0,
            meanings=verdict.meanings if verdict.status == DOUBTFUL else (),
            is_sure=False,
        )

    def _facts(self, number: str, verdict: CitationVerdict) -> CitedNumber | None:
        today = verdict.heir
        if verdict.status in {DOUBTFUL, GONE_SINCE} or not can_stand((today, today)):
            return None
        return self.cited(number)._replace(today=today)

    def cited(self, number: str) -> CitedNumber:
        """Return the facts of a number that its edition lacks."""
        section = number[:3]
        if section not in self._sections:
            remembered = [it for it in self.numbers.of(section) if self._is_remembered(it)]
            others = [heir[:3] for it in remembered for heir in _others(it, section)]
            self._sections[section] = frozenset(others)
        had_by = [heir for each in self.numbers.of(number) for heir in _others(each, number)]
        return CitedNumber(number, number, self._sections[section], tuple(had_by))

    def _is_remembered(self, meaning: Meaning) -> bool:
        lasted = sum([run.last - run.first + 1 for run in meaning.runs])
        ended = max([run.last for run in meaning.runs])
        return lasted >= _REMEMBERED_FROM and ended >= self._target.place - _REMEMBERED_FOR


def _others(meaning: Meaning, number: str) -> list[str]:
    """Return the heirs of a meaning that are rules, without the number itself."""
    return [heir for heir in meaning.heirs if heir != number and can_stand((heir, heir))]
