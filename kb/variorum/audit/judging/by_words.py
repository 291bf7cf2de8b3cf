"""Weighs the words beside a citation against its date."""

from collections.abc import Sequence
from typing import NamedTuple

from variorum.answers.cited_heirs import (
    CURRENT,
    DOUBTFUL,
    MERGED_INTO,
    NEVER,
    RENUMBERED,
    REUSED,
    SAYS_ELSE,
    SPLIT_UP,
)
from variorum.answers.knowledge_base import KnowledgeBase
from variorum.audit.citations.number_lists import Citation
from variorum.audit.judging.by_date import NumberVerdicts, verdict_of
from variorum.audit.judging.cited_numbers import CitedNumbers
from variorum.audit.judging.likeliest_rules import MOST_NAMED
from variorum.audit.judging.names_of_numbers import NamesOfNumbers
from variorum.audit.judging.rule_words import RuleWords, SentenceWords
from variorum.audit.judging.says_else import beside_heir, doubt_about, likeliest
from variorum.audit.judging.sentence import Sentence
from variorum.audit.judging.verdict import CitationVerdict, NumberMeaning
from variorum.audit.judging.words_beside import Beside, CitationContext
from variorum.model import RuleNumber
from variorum.rule_numbers import stem_of

# BM25, weighted by rarity: no sentence about something else fits a rule this well. By hand, on
# two trees: docs/audit.md.
_FITS_NOTHING_ELSE = 14.0
# Without a date, the words decide for a rule that has this share of them.
_SAID_PLAINLY = 0.5
# A sentence is about a rule that has this share of its words, weighted by rarity, if the date
# agrees. By hand, on two trees: docs/audit.md.
_SAID_TODAY = 0.35

# Without a date, `--fix` needs a heir that fits so much better than today's rule. By hand, on two trees.
_FITS_BETTER = 1.25
# From this chance on, a finding says that another rule is meant; a smaller chance is a note.
_LIKELY = 0.5

# The most words of a quotation that are shown.
_SHOWN = 8


class _Share(NamedTuple):
    """How well one meaning of a number fits the sentence.

    Attributes:
        part: The share of the sentence's words that the meaning has, weighted by rarity.
        verdict: The verdict on that meaning.
    """

    part: float
    verdict: CitationVerdict


def _part(share: _Share) -> float:
    return share.part


class WordJudge:
    """Weighs the words beside citations."""

    def __init__(
        self,
        base: KnowledgeBase,
        rules: RuleWords,
        numbers: NumberVerdicts,
        names: NamesOfNumbers,
    ) -> None:
        self._base = base
        self._numbers = numbers
        self._names = names
        self._rules = rules
        self._cited = CitedNumbers(base, numbers, names)

    def weigh(
        self,
        citation: Citation,
        verdict: CitationVerdict,
        beside: Beside,
        context: CitationContext | None,
        sentence: Sentence,
    ) -> CitationVerdict:
        """Weigh the words beside a citation; without a date, only words make a new number sure."""
        verdict = self._weigh(citation, verdict, beside, context, sentence)
        if verdict.as_of or not verdict.is_sure or verdict.status == CURRENT:
            return verdict
        is_named = context is not None and context.is_strong
        least = 0.0 if is_named or verdict.status == RENUMBERED else _FITS_NOTHING_ELSE
        is_sure = self._is_told(citation.first.number, verdict, sentence, least)
        return verdict._replace(is_sure=is_sure)

    def _is_told(
        self, number: str, verdict: CitationVerdict, sentence: Sentence, least: float
    ) -> bool:
        """Say whether a sentence fits the heir of a number, and any other of its rules less."""
        rules = self._rules
        words = rules.sentence_words(sentence._replace(beside=()))
        best = [rules.listed[place].stem for place in rules.fits(words).best[:1]]
        share, fit = rules.share(words, verdict.heir), rules.fit(words, verdict.heir)
        heirs = {meaning.outcome.heirs[:1] for meaning in self._numbers.meanings_of(number)}
        others = {number, *[heir for each in heirs for heir in each]} - {verdict.heir}
        cited = self._cited.of(number, verdict)
        return (
            best == [stem_of(verdict.heir)]
            and share >= _SAID_TODAY
            and fit >= least
            and all(share >= rules.share(words, other) for other in others)
            and all(fit >= _FITS_BETTER * rules.fit(words, other) for other in others)
            and cited is not None
            and doubt_about(rules, cited, sentence) is None
        )

    def _weigh(
        self,
        citation: Citation,
        verdict: CitationVerdict,
        beside: Beside,
        context: CitationContext | None,
        sentence: Sentence,
    ) -> CitationVerdict:
        """Weigh the words beside a citation against its date.

        Args:
            citation: The citation to judge.
            verdict: The verdict by its date.
            beside: The words on both sides.
            context: The meaning that these words name or quote.
            sentence: The sentence of the citation.
        """
        number = citation.first.number
        if citation.last is not None:
            return verdict
        if verdict.status == NEVER:
            return self._unknown(number, verdict, sentence)
        if context is not None:
            meant = self._numbers.meanings_of(number)[context.which]
            by_words = verdict_of(meant.outcome, verdict.as_of, number)
            if (by_words.status, by_words.heirs) != (verdict.status, verdict.heirs):
                named = self._against(verdict, by_words, self._numbers.meant(meant), context)
                if self._decides(citation, context, by_words, verdict, sentence):
                    return self._of_name(number, named, context, sentence)
                if context.is_hint and not _is_open(verdict):
                    verdict = named
        if not verdict.is_pinned:
            verdict = self._by_sentence(number, verdict, sentence)
        if verdict.is_sure and (name := self._names.misnamed(number, beside)):
            return verdict._replace(why=f"but beside it: “{name}”", is_sure=False)
        return verdict

    def _decides(
        self,
        citation: Citation,
        context: CitationContext,
        by_words: CitationVerdict,
        verdict: CitationVerdict,
        sentence: Sentence,
    ) -> bool:
        """Say whether the words beside a citation decide against the verdict by its date."""
        if context.is_hint:
            # Common words can confirm a citation, but only a rare word can refute it.
            is_enough = by_words.status == CURRENT or self._rules.has_rare(context.words)
            return is_enough and _is_open(verdict)
        if not verdict.as_of and not context.is_strong:
            # A name further away may be there by chance: today's rule must fit the words less.
            words = self._rules.sentence_words(sentence._replace(beside=()))
            number = citation.first.number
            return self._rules.fit(words, by_words.heir) >= self._rules.fit(words, number)
        return not verdict.as_of or context.is_quoted or not self._is_said(verdict, sentence)

    # The sentence --------------------------------------------------------------------------------

    def _by_sentence(
        self, number: str, verdict: CitationVerdict, sentence: Sentence
    ) -> CitationVerdict:
        """Return the verdict by the sentence if it differs from the verdict by the date."""
        words = self._rules.sentence_words(sentence)
        if not words.weights:
            is_missing = (
                verdict.status == DOUBTFUL
                and bool(verdict.meanings and verdict.as_of)
                and not self._numbers.is_today(number)
            )
            return self._unknown(number, verdict, sentence) if is_missing else verdict
        if verdict.meanings and verdict.status != CURRENT:
            verdict = self._of_meanings(number, verdict, words, sentence)
            if verdict.status == DOUBTFUL:
                return verdict
        return self._doubted(number, verdict, sentence)

    def _of_name(
        self,
        number: str,
        verdict: CitationVerdict,
        context: CitationContext,
        sentence: Sentence,
    ) -> CitationVerdict:
        """Return the verdict on a number that has a rule's name beside it.

        A name does not say which subrule is meant, so the likeliest subrules become further heirs.
        """
        if context.is_quoted or verdict.is_pinned:
            return verdict
        if verdict.status == CURRENT:
            return self._doubted(number, verdict, sentence)
        if context.is_hint or verdict.is_sure or not verdict.heirs:
            return verdict
        if verdict.status not in {RENUMBERED, REUSED}:
            return verdict
        cited = self._cited.missing(number)
        near = beside_heir(self._rules, cited, sentence, verdict.heir)
        heirs = (*verdict.heirs, *[(heir, heir) for heir in near])
        return verdict._replace(heirs=tuple(dict.fromkeys(heirs))[:MOST_NAMED])

    def _doubted(
        self, number: str, verdict: CitationVerdict, sentence: Sentence
    ) -> CitationVerdict:
        """Return the verdict, changed if the sentence fits another rule."""
        cited = self._cited.of(number, verdict)
        if cited is None or verdict.status not in {CURRENT, RENUMBERED}:
            return verdict
        doubt = doubt_about(self._rules, cited, sentence)
        if doubt is None:
            return verdict
        is_likely = doubt.chance >= _LIKELY
        return verdict._replace(
            status=SAYS_ELSE if is_likely else DOUBTFUL,
            heirs=tuple([(likely, likely) for likely in doubt.likeliest if likely != cited.today]),
            confidence=doubt.chance,
            was=verdict.was or self._gist(cited.today),
            now_means=self._gist(doubt.likeliest[0]),
            why=""
            if is_likely
            else f"another rule is meant with a chance of {doubt.chance * 100:.0f} %",
            meanings=(),
            is_sure=False,
        )

    def _of_meanings(
        self, number: str, verdict: CitationVerdict, words: SentenceWords, sentence: Sentence
    ) -> CitationVerdict:
        """Return the verdict on the meaning of the number that fits the sentence."""
        meant = self._meant_by(number, verdict, sentence)
        if meant is None and verdict.status != RENUMBERED and self._may_be_another(verdict, words):
            return self._unknown(number, verdict._replace(status=DOUBTFUL), sentence)
        verdict = meant or verdict
        if verdict.as_of and verdict.status == DOUBTFUL:
            return self._missing(number, verdict, sentence)
        return verdict

    def _meant_by(
        self,
        number: str,
        verdict: CitationVerdict,
        sentence: Sentence,
    ) -> CitationVerdict | None:
        """Return the verdict on the meaning that a sentence fits; None if it fits none.

        The number has no date.

        Args:
            number: The cited number.
            verdict: The verdict without the words, which names all meanings of the number.
            sentence: The sentence of the citation.
        """
        # Another rule cited beside it has some of the words; they are about this one, too.
        words = self._rules.sentence_words(sentence._replace(beside=()))
        shares: list[_Share] = []
        for meaning in self._numbers.meanings_of(number):
            became = verdict_of(meaning.outcome, verdict.as_of, number)
            if became.heir not in sentence.beside:
                also = self._cited.stems_of(number, meaning)
                shares.append(_Share(self._rules.covered(words, became.heir, also), became))
        best = max(shares, key=_part, default=_Share(0.0, verdict))
        today = [share for share in shares if share.verdict.status == CURRENT]
        if today:
            current = max(today, key=_part)
            least = _SAID_PLAINLY if verdict.as_of else 0.0
            if current.part >= least and best.part - current.part < _SAID_TODAY:
                return current.verdict._replace(as_of=verdict.as_of, is_sure=False)
        others = [share.part for share in shares if share.verdict.heirs != best.verdict.heirs]
        is_told = not (verdict.as_of or today) or self._is_telling(words)
        if (
            is_told
            and best.part >= _SAID_PLAINLY
            and best.part - max(others, default=0.0) >= _SAID_TODAY
        ):
            is_sure = best.verdict.is_sure and not verdict.as_of
            return best.verdict._replace(why="by the words beside it", is_sure=is_sure)
        return None

    def _may_be_another(self, verdict: CitationVerdict, words: SentenceWords) -> bool:
        """Say whether the words may name a rule that the number never meant."""
        if not verdict.as_of and verdict.status not in {MERGED_INTO, SPLIT_UP}:
            return verdict.status == DOUBTFUL
        return self._is_telling(words)

    def _is_telling(self, words: SentenceWords) -> bool:
        """Say whether the words fit a rule well enough to settle the matter."""
        return self._rules.fits(words).most >= _FITS_NOTHING_ELSE

    def _is_said(self, verdict: CitationVerdict, sentence: Sentence) -> bool:
        """Say whether the main heir in the verdict has enough words of the sentence."""
        words = self._rules.sentence_words(sentence)
        return bool(words.weights) and self._rules.covered(words, verdict.heir) >= _SAID_TODAY

    def _unknown(
        self, number: str, verdict: CitationVerdict, sentence: Sentence
    ) -> CitationVerdict:
        """Return the verdict on a number that its edition lacks, with candidates."""
        likely = likeliest(self._rules, self._cited.missing(number), sentence)
        named = self._with_latest(number, likely)
        if verdict.status == NEVER and (above := self._rules.nearest_above(number)):
            named = [above, *[other for other in named if other != above]][:MOST_NAMED]
        return verdict._replace(
            heirs=tuple([(likely, likely) for likely in named]),
            now_means=self._gist(named[0]) if named else "",
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
        return named._replace(now_means=self._gist(named.heir))

    def _with_latest(self, number: str, named: Sequence[str]) -> list[str]:
        """Return the candidates, with the number's last meaning in first or second place."""
        meanings = self._numbers.meanings_of(number)
        heirs = meanings[-1].outcome.heirs[:1] if meanings else ()
        latest = [
            heir for heir in heirs if RuleNumber.read(heir) is not None and heir not in named[:2]
        ]
        return [*named[:1], *latest, *[number for number in named[1:] if number not in latest]][
            :MOST_NAMED
        ]

    def _gist(self, number: str) -> str:
        bearer = self._numbers.bearer(number)
        return self._base.headings.gist(bearer, self._rules.edition.place) if bearer else ""

    def _against(
        self,
        verdict: CitationVerdict,
        by_words: CitationVerdict,
        meant: NumberMeaning,
        context: CitationContext,
    ) -> CitationVerdict:
        """Return the verdict by the words if it differs from the verdict by the date."""
        words = context.words.split()
        shown = " ".join(words[:_SHOWN]) + ("…" if words[_SHOWN:] else "")
        why = f"beside it: “{shown}”"
        if not verdict.as_of:
            is_sure = by_words.is_sure and context.is_strong and not verdict.is_pinned
            return by_words._replace(why=why, is_sure=is_sure)
        if context.is_strong or _is_open(verdict):
            why = f"{why}, which it meant {_when(meant)}"
            return by_words._replace(why=why, is_sure=False, is_pinned=verdict.is_pinned)
        return verdict._replace(why=f"but {why}", is_sure=False)


def _is_open(verdict: CitationVerdict) -> bool:
    """Say whether no date decides which meaning of a number is meant."""
    return not verdict.as_of or (verdict.status == DOUBTFUL and not verdict.was)


def _when(meant: NumberMeaning) -> str:
    return f"in {meant.first}" if meant.first == meant.last else f"{meant.first} to {meant.last}"
