"""Blame: for every word of a provision, the edition in which it came in."""

from typing import TYPE_CHECKING

from variorum_kb.answers.subject import Subject
from variorum_kb.forms.lineage import BlamedJson, BlameJson, WordJson
from variorum_kb.history.blame import inherit
from variorum_kb.rows import UNCERTAIN, State, wording_of
from variorum_kb.text.words import tokens_of

if TYPE_CHECKING:
    from variorum_kb.answers.knowledge_base import KnowledgeBase

# Heading and words of a state, and since when each of their tokens stands there.
_Ages = tuple[list[int], list[int]]


class Blame:
    """Follows words through the links of a base."""

    def __init__(self, base: "KnowledgeBase") -> None:
        self._lineages = base.lineages
        self._states = base.states
        self._labels = base.labels
        self._known: dict[tuple[int, int], _Ages] = {}

    def blame(self, subject: Subject, *, is_alone: bool = False) -> BlameJson:
        """Return the words of what an edition holds, in the form of `cr blame --json`.

        Args:
            subject: A provision in that edition.
            is_alone: Leave its subrules out.
        """
        below = () if is_alone else subject.tree()
        return {
            **self._blamed(subject),
            "edition": subject.edition.label,
            "doubts": list(subject.edition.doubts),
            "subrules": [self._blamed(subrule) for _, subrule in below],
        }

    def _blamed(self, subject: Subject) -> BlamedJson:
        row = subject.state
        heading, words = self.ages(row.id, subject.edition.place)
        return {
            "number": row.address if row.kind != "glossary" else None,
            "term": row.heading if row.kind == "glossary" else None,
            "heading": self._words(row.heading, heading),
            "words": self._words(wording_of(row), words),
        }

    def _words(self, text: str, since: list[int]) -> list[WordJson]:
        return [
            {"text": token, "since": self._labels[edition]}
            for token, edition in zip(tokens_of(text), since, strict=True)
        ]

    def ages(self, state: int, edition: int) -> _Ages:
        """Return since which edition each token of a state's heading and words stands there."""
        links = self._lineages.into(state, edition)
        first = links[0].edition if links else 0
        known = self._known.get((state, first))
        if known is None:
            known = self._known[state, first] = self._find(state, first, edition)
        return known

    def _find(self, state: int, first: int, edition: int) -> _Ages:
        row = self._states[state]
        heading, words = row.heading, wording_of(row)
        sources: list[tuple[State, _Ages]] = [
            (self._states[link.old], self.ages(link.old, link.source))
            for link in self._lineages.into(state, edition)
            if link.old is not None and not (link.bits & UNCERTAIN and link.rank)
        ]
        if sources and _is_same(sources[0][0], row):
            return sources[0][1]
        return (
            inherit(heading, first, [(one.heading, ages[0]) for one, ages in sources]),
            inherit(words, first, [(wording_of(one), ages[1]) for one, ages in sources]),
        )


def _is_same(one: State, other: State) -> bool:
    return (one.heading, one.body) == (other.heading, other.body)
