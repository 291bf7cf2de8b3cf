"""Blame: for every word of a provision, the edition that added it."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING

from msgspec import structs

from variorum.history import blame as words_of_rules
from variorum.history.blame import WordDates, WordSource
from variorum.history.lineages import Link
from variorum.records.lineage import DatedProvision, DatedSubrule, DatedWord
from variorum.rows import CHANGE_CLASSES, UNCERTAIN, count_examples, wording_of
from variorum.text import tokens_of

if TYPE_CHECKING:
    from variorum.answers.knowledge_base import KnowledgeBase
    from variorum.answers.subject import Subject

# A state, and the place of an edition that has it.
Held = tuple[int, int]
# The tokens of a state's heading and words, each with the edition that added it.
Ages = tuple[list[int], list[int]]

# At most this many provisions are compared with a provision that may have taken their words.
_MOST_COMPARED = 3
# Words in more texts than this are too common to say where they came from.
_MOST_HOLDING = 6
_CHANGED = (
    "SELECT old, lower(body) FROM link JOIN provision ON provision.id = old "
    "JOIN reading ON reading.id = reading "
    "WHERE edition = ? AND source = edition - 1 AND (new IS NULL OR class = ?)"
)


class Blame:
    """Dates the words of provisions by the links of a base."""

    def __init__(self, base: "KnowledgeBase") -> None:
        self._base, self._lineages, self._states = base, base.lineages, base.states
        self._known: dict[Held, Ages] = {}
        self._changed: dict[int, dict[int, str]] = {}

    def blame(self, subject: "Subject", *, is_alone: bool = False) -> DatedProvision:
        """Return the words of a provision in an edition and, unless it is alone, of its subrules."""
        subrules = [] if is_alone else [self._dated(subrule) for subrule in subject.tree()]
        own, edition = structs.asdict(self._dated(subject)), subject.edition
        doubts = list(edition.doubts)
        return DatedProvision(**own, edition=edition.label, doubts=doubts, subrules=subrules)

    def _dated(self, subject: "Subject") -> DatedSubrule:
        row, labels, is_entry = subject.state, self._base.labels, subject.kind == "glossary"
        ages = self._ages((row.id, subject.edition.place))
        heading, words = (
            [DatedWord(word, labels[at]) for word, at in zip(tokens_of(text), since, strict=True)]
            for text, since in zip((row.heading, wording_of(row)), ages, strict=True)
        )
        number, term = (None, row.heading) if is_entry else (row.address, None)
        return DatedSubrule(number, term, heading, words, count_examples(row.body))

    def _ages(self, held: Held) -> Ages:
        """Return the edition that added each token of a state's heading and words.

        The oldest states are dated first, because recursion through a long history goes too deep.
        """
        past: list[tuple[Held, list[Link]]] = []
        came = [held]
        while came:
            links = self._lineages.into(*came[0])
            key = came[0][0], links[0].edition if links else 0
            past.append((key, links))
            came = [] if key in self._known else _sources(links)
        for key, links in reversed(past):
            if key not in self._known:
                self._known[key] = self._find(*key, links)
        return self._known[past[0][0]]

    def _find(self, state: int, first: int, links: list[Link]) -> Ages:
        row, came = self._states[state], _sources(links)
        for before in [self._states[held[0]] for held in came[:1]]:
            if (before.heading, before.body) == (row.heading, row.body):
                return self._ages(came[0])
        heading, words = WordDates(row.heading, first), WordDates(wording_of(row), first)
        for rank, held in enumerate(came):
            for part, dates in enumerate((heading, words)):
                source = self._source(held, words_of_rules.MOVED_FROM_ANCESTOR, part)
                if rank:
                    dates.take(source)
                else:
                    dates.follow(source)
        if first and row.body:
            self._find_moved(words, (state, first), came)
        return heading.since, words.since

    def _source(self, held: Held, least: float, part: int = 1) -> WordSource:
        text = self._words(held[0]) if part else self._states[held[0]].heading
        return WordSource(text, lambda: self._ages(held)[part], least)

    def _words(self, state: int) -> str:
        return wording_of(self._states[state])

    def _find_moved(self, words: WordDates, new: Held, came: Sequence[Held]) -> None:
        sought = [*words.sought()]
        if not sought:
            return
        nearby, far = words_of_rules.MOVED_NEARBY, words_of_rules.MOVED_FAR
        for held in self._former(sought, came[0]) if came else ():
            words.take(self._source(held, nearby), [self._words(came[0][0])])
        near = {self._states[state].number[:3] for state, _ in came} - {""}
        known = {state for state, _ in came}
        # The states, changed or ended by the step, that have most of the sought words.
        hits = Counter(state for some in sought for state in self._holding(some, new[1]))
        for state, _ in hits.most_common(_MOST_COMPARED):
            if state not in known:
                is_near = self._states[state].number[:3] in near
                source = self._source((state, new[1] - 1), nearby if is_near else far)
                heirs = [link.new for link in self._lineages.step(state, new[1] - 1, new[1])]
                left = [self._words(heir) for heir in heirs if heir not in {None, new[0]}]
                words.take(source, left)

    def _former(self, sought: Sequence[str], past: Held) -> Iterator[Held]:
        """Yield the earlier states of a provision that have some of the words, the last first."""
        while (came := _sources(self._lineages.into(*past))) and past[1]:
            past = came[0]
            text = _typewritten(self._words(past[0]).lower())
            if any(words in text for words in sought):
                yield past

    def _holding(self, words: str, edition: int) -> Sequence[int]:
        """Return the states that have some words and that a step into an edition changed or ended.

        Return none if many texts have the words.
        """
        if edition not in self._changed:
            rows = self._base.reader.query(_CHANGED, [edition, CHANGE_CLASSES.index("substantive")])
            self._changed[edition] = {old: _typewritten(body) for old, body in rows}
        holders = [state for state, text in self._changed[edition].items() if words in text]
        return holders if len(holders) <= _MOST_HOLDING else ()


def _sources(links: Iterable[Link]) -> list[Held]:
    """Return the states that links lead from, except the candidates of uncertain steps."""
    return [
        (link.old, link.source)
        for link in links
        if link.old is not None and not (link.bits & UNCERTAIN and link.rank)
    ]


def _typewritten(text: str) -> str:
    return text.replace("\N{RIGHT SINGLE QUOTATION MARK}", "'")
