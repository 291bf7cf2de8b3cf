"""Blame: for every word of a provision, the edition that added it."""

from collections import Counter
from functools import partial

from variorum.answers.stored.changed_texts import ChangedTexts, typewritten
from variorum.answers.subject import Subject
from variorum.history.lineages import Link
from variorum.history.word_diffs.blame import WordDates, WordSource
from variorum.record import Record
from variorum.rows import UNCERTAIN, State, count_examples, wording_of
from variorum.text.words import tokens_of
from variorum.thresholds.blame import MOVED_FAR, MOVED_FROM_ANCESTOR, MOVED_NEARBY

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from variorum.answers.knowledge_base import KnowledgeBase
    from variorum.records.lineage import BlamedJson, BlameJson, WordJson

# The tokens of a state's heading and words, each with the edition that added it.
_Ages = tuple[list[int], list[int]]
# At most this many provisions are compared with a provision that may have taken their words.
_MOST_COMPARED = 3
# The cache keeps the dates of about this many states.
_MOST_KNOWN = 30_000


class _HeldState(Record):
    """A state in an edition.

    Attributes:
        state: Its id.
        edition: The place of the edition.
    """

    __slots__ = ()
    state: int
    edition: int


class Blame:
    """Dates the words of provisions by the links of a base."""

    def __init__(self, base: "KnowledgeBase") -> None:
        self._lineages = base.lineages
        self._states = base.states
        self._labels = base.labels
        self._changed = ChangedTexts(base.reader)
        self._known: dict[tuple[int, int], _Ages] = {}

    def blame(self, subject: Subject, *, is_alone: bool = False) -> "BlameJson":
        """Return the words of a provision in an edition, in the form of `cr history --words --json`.

        Args:
            subject: A provision in that edition.
            is_alone: Whether to leave its subrules out.
        """
        if len(self._known) > _MOST_KNOWN:
            self._known.clear()
        below = () if is_alone else subject.tree()
        return {
            **self._blamed(subject),
            "edition": subject.edition.label,
            "doubts": list(subject.edition.doubts),
            "subrules": [self._blamed(subrule) for _, subrule in below],
        }

    def _blamed(self, subject: Subject) -> "BlamedJson":
        row = subject.state
        heading, words = self._ages(_HeldState(row.id, subject.edition.place))
        return {
            "number": row.address if row.kind != "glossary" else None,
            "term": row.heading if row.kind == "glossary" else None,
            "heading": self._words(row.heading, heading),
            "words": self._words(wording_of(row), words),
            "examples": count_examples(row.body),
        }

    def _words(self, text: str, since: list[int]) -> "list[WordJson]":
        return [
            {"text": token, "since": self._labels[edition]}
            for token, edition in zip(tokens_of(text), since, strict=True)
        ]

    def _ages(self, held: _HeldState) -> _Ages:
        """Return the edition that added each token of a state's heading and words.

        The oldest states are dated first, because recursion through a long history goes too deep.
        """
        past: list[tuple[tuple[int, int], list[Link]]] = []
        came = [held]
        while came:
            links = self._lineages.into(came[0].state, came[0].edition)
            key = came[0].state, links[0].edition if links else 0
            past.append((key, links))
            came = [] if key in self._known else _sources(links)
        for key, links in reversed(past):
            if key not in self._known:
                self._known[key] = self._find(*key, links)
        return self._known[past[0][0]]

    def _find(self, state: int, first: int, links: list[Link]) -> _Ages:
        row = self._states[state]
        came = _sources(links)
        if came and _is_same(self._states[came[0].state], row):
            return self._ages(came[0])
        heading, words = WordDates(row.heading, first), WordDates(wording_of(row), first)
        for rank, held in enumerate(came):
            source = self._states[held.state]
            moved = WordSource(source.heading, partial(self._since, held, 0), MOVED_FROM_ANCESTOR)
            two = WordSource(wording_of(source), partial(self._since, held, 1), MOVED_FROM_ANCESTOR)
            if rank:
                heading.take(moved)
                words.take(two)
            else:
                heading.follow(moved)
                words.follow(two)
        if first and row.body:
            self._find_moved(words, _HeldState(state, first), came)
        return heading.since(), words.since()

    def _since(self, held: _HeldState, part: int) -> list[int]:
        """Return the editions that added the tokens of a state's heading (0) or words (1)."""
        return self._ages(held)[part]

    # Words that moved ----------------------------------------------------------------------------

    def _find_moved(self, words: WordDates, new: _HeldState, came: "Sequence[_HeldState]") -> None:
        """Date words that the provision had before, or that it took from others."""
        sought = words.sought()
        if not sought:
            return
        if came:
            kept = [wording_of(self._states[came[0].state])]
            for held in self._former(sought, came[0]):
                words.take(self._source(held, MOVED_NEARBY), kept)
        near = {self._states[held.state].number[:3] for held in came} - {""}
        known = {held.state for held in came}
        for held in self._losers(sought, new.edition):
            if held.state not in known:
                is_near = self._states[held.state].number[:3] in near
                source = self._source(held, MOVED_NEARBY if is_near else MOVED_FAR)
                words.take(source, self._left(held, new))

    def _source(self, held: _HeldState, least: float) -> WordSource:
        return WordSource(
            wording_of(self._states[held.state]), partial(self._since, held, 1), least
        )

    def _former(self, sought: "Sequence[str]", past: _HeldState) -> "Iterator[_HeldState]":
        """Yield the earlier states of a provision that have some of the words, the last first."""
        while (came := _sources(self._lineages.into(past.state, past.edition))) and past.edition:
            past = came[0]
            text = typewritten(wording_of(self._states[past.state]).lower())
            if any(words in text for words in sought):
                yield past

    def _losers(self, sought: "Sequence[str]", edition: int) -> list[_HeldState]:
        """Return those states, changed or ended by a step, that have most of the sought words."""
        hits: Counter[int] = Counter()
        for words in sought:
            hits.update(self._changed.holding(words, edition))
        return [_HeldState(state, edition - 1) for state, _ in hits.most_common(_MOST_COMPARED)]

    def _left(self, held: _HeldState, new: _HeldState) -> list[str]:
        """Return the words of a state's heirs, except the provision being dated."""
        links = self._lineages.leaving(held.state, new.edition)
        heirs = [link.new for link in links if link.new is not None and link.new != new.state]
        return [wording_of(self._states[heir]) for heir in heirs]


def _sources(links: "Sequence[Link]") -> list[_HeldState]:
    """Return the states that links lead from, except the candidates of uncertain steps."""
    return [
        _HeldState(link.old, link.source)
        for link in links
        if link.old is not None and not (link.bits & UNCERTAIN and link.rank)
    ]


def _is_same(before: State, after: State) -> bool:
    return (before.heading, before.body) == (after.heading, after.body)
