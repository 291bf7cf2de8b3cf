"""Splits rules that run together without numbers, by sentences that occur together."""

import itertools
import math
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from variorum_kb.answers.quotations.quotation_matching import Quoted
from variorum_kb.answers.quotations.quotation_search import (
    FoundQuotation,
    Identifier,
    count_by_edition,
)
from variorum_kb.text.folding import fold_words
from variorum_kb.text.likeness import part_likeness
from variorum_kb.text.sentences import sentences_of_rules
from variorum_kb.thresholds.passages import MOSTLY_KNOWN, SENTENCE_IS_PART

_EXAMPLE = re.compile(r"Examples?:\s+")
# Shorter texts are rarely two provisions.
_FEWEST_RUN_ON = 8
# Shorter sentences, such as "See rule 119.3.", occur in too many provisions.
_TELLING = 7
_LONGEST_HEADING = 9
# The cost of a text that is a whole paragraph, part of a paragraph, or too short to tell.
_WHOLE, _PART, _UNSURE = 1.0, 1.3, 3.0
# What a text costs in addition if no likely edition has it: a fixed cost, and a cost per sentence.
_UNLIKELY, _MORE = 1.5, 0.5


@dataclass(slots=True)
class _SentenceGroup:
    """Sentences that occur together in a provision.

    Attributes:
        text: The sentences, joined.
        states: The states that have them; empty if unknown; None if they are too short to tell.
        is_example: Whether they begin an example.
        is_altered: Whether the provision has some of them in other words.
    """

    text: str
    states: set[int] | None
    is_example: bool = False
    is_altered: bool = False


class RunningOn:
    """Splits the texts of a document that contain several provisions."""

    def __init__(self, quotations: Sequence[FoundQuotation], identifier: Identifier) -> None:
        """Look up every sentence of texts that match no provision."""
        self._identifier = identifier
        self._states: dict[str, tuple[int, ...]] = {}
        sentences = self._look_up(
            [quotation.quoted for quotation in quotations if not quotation.states]
        )
        self._likely = _likely([*quotations, *sentences], identifier.count)
        self._look_up(
            [quotation.quoted for quotation in quotations if self._is_elsewhere(quotation)]
        )

    def _look_up(self, texts: Iterable[Quoted]) -> list[FoundQuotation]:
        if self._identifier.is_left_out:
            return []
        return self._look_up_all(
            [sentence for text in texts if _is_long(text) for sentence in _sentences(text)]
        )

    def _look_up_all(self, sentences: Iterable[str]) -> list[FoundQuotation]:
        wanted = sorted({_bare(sentence) for sentence in sentences} - set(self._states))
        quotations = self._identifier.holding(wanted)
        self._states |= {
            sentence: each.states for sentence, each in zip(wanted, quotations, strict=True)
        }
        return quotations

    def _is_elsewhere(self, quotation: FoundQuotation) -> bool:
        return bool(quotation.states) and not quotation.editions & self._likely

    def parts(self, quotation: FoundQuotation) -> list[tuple[Quoted, bool]]:
        """Return the provisions of a text, or the text if it is one provision or mostly unknown.

        The second item is whether the provision is too short to identify.
        """
        quoted = quotation.quoted
        groups = list[_SentenceGroup]()
        is_found = bool(quotation.states) and not self._is_elsewhere(quotation)
        if _is_long(quoted) and not (is_found or self._identifier.is_left_out):
            groups = self._groups(list(_sentences(quoted)))
        last = len(groups) - 1
        if last < 1 or not self._is_better(groups, quotation):
            return [(quoted, False)]
        return [
            (
                quoted._replace(
                    text=group.text,
                    examples=(),
                    is_cut_before=quoted.is_cut_before and place == 0,
                    is_cut_after=quoted.is_cut_after and place == last,
                    is_last=quoted.is_last and place == last,
                ),
                group.states is None,
            )
            for place, group in enumerate(groups)
        ]

    def _is_better(self, groups: Sequence[_SentenceGroup], quotation: FoundQuotation) -> bool:
        """Say whether a text is probably several provisions."""
        if not quotation.states:
            known = [bool(group.states) for group in groups if group.states is not None]
            return sum(known) > MOSTLY_KNOWN * len(known)
        editions = self._identifier.editions
        return all(
            any(editions(state) & self._likely for state in group.states or ())
            and not group.is_altered
            for group in groups
        )

    def _groups(self, sentences: Sequence[str]) -> list[_SentenceGroup]:
        """Return the sentences in the fewest groups that each occur in one provision."""
        units = self._units(sentences)
        # The least cost of grouping the first sentences, and the last group of the cheapest
        # grouping.
        least = [0.0] + [math.inf] * len(units)
        last: list[tuple[int, _SentenceGroup]] = [(0, _SentenceGroup("", None))] * (len(units) + 1)
        for start in range(len(units)):
            for end, group in self._growing(units, start):
                cost = least[start] + self._cost(group, end - start)
                if cost < least[end]:
                    least[end], last[end] = cost, (start, group)
        groups: list[_SentenceGroup] = []
        end = len(units)
        while end:
            end, group = last[end]
            groups.append(group)
        return list(self._with_altered(groups[::-1]))

    def _growing(
        self, units: Sequence[_SentenceGroup], start: int
    ) -> Iterator[tuple[int, _SentenceGroup]]:
        """Yield the groups that begin with a sentence, with the end of each."""
        group: _SentenceGroup | None = units[start]
        for end in range(start + 1, len(units) + 1):
            if group is None:
                return
            yield end, group
            is_last = end == len(units) or units[end].is_example
            group = None if is_last else self._joined(group, units[end])

    def _cost(self, group: _SentenceGroup, count: int) -> float:
        """Return the cost of a group of sentences, lowest for a whole paragraph."""
        if group.states is None:
            return _UNSURE if count == 1 else math.inf
        editions = self._identifier.editions
        words = fold_words(group.text)
        likely = [state for state in group.states if editions(state) & self._likely]
        is_whole = any(words in self._identifier.wholes(state) for state in likely or group.states)
        return (_WHOLE if is_whole else _PART) + (0.0 if likely else _UNLIKELY + _MORE * count)

    def _units(self, sentences: Sequence[str]) -> list[_SentenceGroup]:
        """Return the sentences, split where a provision ends without a period."""
        units: list[_SentenceGroup] = []
        pending = list(reversed(sentences))
        while pending:
            sentence = pending.pop()
            text = _bare(sentence)
            unit = _SentenceGroup(text, self._of(text), is_example=sentence != text)
            cut = self._cut(units[-1] if units else None, text) if unit.states == set() else 0
            if cut:
                words = text.split()
                rest, start = " ".join(words[cut:]), " ".join(words[:cut])
                pending += [rest, sentence.removesuffix(text) + start]
                self._look_up_all([rest, start])
            else:
                units.append(unit)
        return units

    def _cut(self, before: _SentenceGroup | None, text: str) -> int:
        """Return how many first words of an unknown sentence belong to the text before it.

        Headings, headwords and some lists end without a period.
        """
        words = fold_words(text)
        for state in sorted(before.states or ()) if before else ():
            _, _, rest = self._identifier.words(state).partition(
                fold_words(before.text) if before else ""
            )
            if rest.strip() and words.startswith(f"{rest.strip()} "):
                return _count_words(text, len(rest.split()))
        starts = [" ".join(text.split()[:count]) for count in range(1, _LONGEST_HEADING)]
        headed = [place for place, start in enumerate(starts, 1) if self._is_heading(start)]
        for count in reversed(headed):
            [quotation] = self._identifier.holding([" ".join(text.split()[count:])])
            if quotation.states:
                return count
        return 0

    def _is_heading(self, text: str) -> bool:
        return fold_words(text) in self._identifier.headwords or self._identifier.is_heading(text)

    def _of(self, text: str) -> set[int] | None:
        """Return the states that have a sentence; None if it is too short to tell."""
        states = self._states[text]
        return set(states) if states or len(fold_words(text).split()) >= _TELLING else None

    def _joined(self, group: _SentenceGroup, following: _SentenceGroup) -> _SentenceGroup | None:
        """Return two groups joined, if a provision has the second right after the first."""
        text, is_example = f"{group.text} {following.text}", group.is_example
        states = _both(group.states, following.states)
        if states is None:
            return _SentenceGroup(text, None, is_example)
        words = f" {fold_words(text)} "
        held = {state for state in states if words in f" {self._identifier.words(state)} "}
        return _SentenceGroup(text, held, is_example) if held else None

    def _with_altered(self, groups: Sequence[_SentenceGroup]) -> Iterator[_SentenceGroup]:
        """Yield groups, with altered sentences joined to the group of their provision."""
        before: _SentenceGroup | None = None
        for group in groups:
            joined = None if before is None or group.is_example else self._mended(before, group)
            if before is not None and joined is None:
                yield before
            before = joined or group
        if before is not None:
            yield before

    def _mended(self, before: _SentenceGroup, group: _SentenceGroup) -> _SentenceGroup | None:
        """Return two groups joined, if either is an altered part of the other's provision."""
        text = f"{before.text} {group.text}"
        if before.is_altered and before.states and group.states:
            states = before.states & group.states
        elif group.states == set() and before.states:
            states = self._like(group.text, before.states)
        elif group.states and before.states == set():
            states = self._like(before.text, group.states)
        else:
            states = set[int]()
        if not states:
            return None
        return _SentenceGroup(text, states, is_example=before.is_example, is_altered=True)

    def _like(self, text: str, states: set[int]) -> set[int]:
        """Return the states with a similar sentence."""
        words = fold_words(text)
        wholes = [(state, self._identifier.words(state)) for state in states]
        return {
            state
            for state, paragraph in wholes
            if len(words) <= len(paragraph) and part_likeness(words, paragraph) >= SENTENCE_IS_PART
        }


def _is_long(quoted: Quoted) -> bool:
    """Say whether a text without number or heading may be several provisions."""
    return quoted.is_loose and len(quoted.words.split()) >= _FEWEST_RUN_ON


def _sentences(quoted: Quoted) -> Iterator[str]:
    """Yield the sentences of a text and its examples, each example marked "Example:"."""
    yield from sentences_of_rules(quoted.text) if quoted.text else ()
    for example in quoted.examples:
        first, *following = sentences_of_rules(example)
        yield from (f"Example: {first}", *following)


def _count_words(text: str, count: int) -> int:
    """Return how many first words of a text give exactly `count` folded words; 0 if none do."""
    words = text.split()
    so_far = list(itertools.accumulate(len(fold_words(word).split()) for word in words))
    return so_far.index(count) + 1 if count in so_far else 0


def _bare(sentence: str) -> str:
    return _EXAMPLE.sub("", sentence, count=1)


def _both(states: set[int] | None, following: set[int] | None) -> set[int] | None:
    """Return the states that have two sentences; None if both are too short to tell."""
    if states is None or following is None:
        return following if states is None else states
    return states & following


def _likely(quotations: Sequence[FoundQuotation], editions: int) -> int:
    """Return the editions that have the most quotations, as bits."""
    counts = count_by_edition(quotations, editions)
    most = max(counts.values(), default=0)
    return sum(1 << place for place, count in counts.items() if count == most)
