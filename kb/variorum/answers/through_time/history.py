"""The whole history of a provision: numbers, readings, steps and their evidence."""

from variorum.answers.stored.number_runs import Run, latest_first
from variorum.answers.subject import Subject
from variorum.answers.through_time.readings import LifeReading, readings_of
from variorum.answers.through_time.subrule_histories import SubruleHistories, place_json
from variorum.answers.through_time.subrules import Subrules
from variorum.history.lineages import Link, Stretch
from variorum.rows import State, count_examples, name_of, wording_of
from variorum.stored_rows import StepEvidence
from variorum.text.keys import keys_of, word_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from variorum.answers.knowledge_base import KnowledgeBase
    from variorum.records.lineage import (
        HistoryJson,
        NowJson,
        OtherBearerJson,
        ReadingJson,
        ReadJson,
        StepJson,
    )


class History:
    """Answers about the histories of provisions, from an open base."""

    def __init__(self, base: "KnowledgeBase") -> None:
        self._base = base
        self._labels = base.labels
        self._lineages = base.lineages
        self._subrules = SubruleHistories(base)

    def history(
        self, subject: Subject, *, is_alone: bool = False, is_full: bool = False
    ) -> "HistoryJson":
        """Return the history of a provision, in the form of `cr history --json`.

        Other provisions that have had the number are under "others".

        Args:
            subject: The provision.
            is_alone: Whether to leave its subrules out.
            is_full: Whether to include how the words of its subrules changed.
        """
        life = subject.lineage
        states = self._states_of(life)
        return {
            "now": self._now(life, states),
            "readings": [self._reading(reading) for reading in readings_of(life, states)],
            "steps": [self.step(link) for link in self._links(life)],
            "others": self.others(subject),
            "witnesses": self._base.witnesses.quoted(life),
            "doubts": {
                edition.label: list(edition.doubts)
                for edition in self._base.editions
                if edition.doubts and any(run.first <= edition.place <= run.last for run in life)
            },
            "subrules": None if is_alone else self._subrules.history(life, is_full=is_full),
        }

    def _states_of(self, life: "Sequence[Stretch]") -> dict[int, State]:
        return self._base.states.of(stretch.state for stretch in life)

    def _now(self, life: "Sequence[Stretch]", states: dict[int, State]) -> "NowJson | None":
        last = life[-1]
        if last.last < len(self._labels) - 1:
            return None
        return place_json(states[last.state], self._labels[last.last])

    def _reading(self, reading: LifeReading) -> "ReadingJson":
        state, is_current = reading.state, reading.last == len(self._labels) - 1
        return {
            "number": state.address if state.kind != "glossary" else None,
            "term": state.heading if state.kind == "glossary" else None,
            "from": self._labels[reading.first],
            "to": None if is_current else self._labels[reading.last],
            "heading": state.heading,
            "text": wording_of(state),
            "examples": count_examples(state.body),
            "class": reading.change,
            "words": reading.pieces,
        }

    def unchanged_since(self, subject: Subject) -> str:
        """Return the label of the last edition that changed a provision or any of its subrules.

        Editions later than the subject's do not count.
        """
        life, last = subject.lineage, subject.edition.place
        changed = [*(stretch.first for stretch in life), *Subrules(self._base, life).steps]
        return self._labels[max(place for place in changed if place <= last)]

    # Steps ---------------------------------------------------------------------------------------

    def _links(self, life: "Sequence[Stretch]") -> "Iterator[Link]":
        for stretch in life:
            yield from [] if stretch.into is None else [stretch.into, *stretch.beside]
        yield from self._lineages.out_of(life[-1].state, life[-1].last)[:1]

    def step(self, link: Link) -> "StepJson":
        """Return the whole step that a link belongs to."""
        links = [link] if link.old is None else self._lineages.step(link.old, link)
        news = [sibling.new for sibling in links if sibling.new is not None]
        states = self._base.states.of([*news, *([] if link.old is None else [link.old])])
        evidence = self._base.links.evidence(link)
        return {
            "from_edition": self._labels[link.source],
            "to_edition": self._labels[link.edition],
            "from": None if link.old is None else name_of(states[link.old]),
            "to": [name_of(states[new]) for new in news],
            "kinds": link.kinds,
            "class": next((sibling.change for sibling in links if sibling.rank == 0), ""),
            "confidence": link.confidence,
            "read": _read_json(evidence),
            "evidence": list(evidence.reasons),
            "announced": self._base.witnesses.announced(links),
        }

    def why(self, subject: Subject) -> "list[StepJson]":
        """Return each step of a provision, oldest first, with its evidence."""
        return [self.step(link) for link in self._links(subject.lineage)]

    # Other provisions with the number -------------------------------------------------------------

    def others(self, subject: Subject) -> "list[OtherBearerJson]":
        """Return the other provisions that have had the number asked for, the latest first.

        Return none if the question named an edition.
        """
        return list(self._others(subject.asked, subject.lineage)) if subject.asked else []

    def _others(self, word: str, life: "Sequence[Stretch]") -> "Iterator[OtherBearerJson]":
        """Yield the other lineages that a number belonged to, the latest first."""
        seen = {(stretch.state, stretch.first) for stretch in life}
        for bearer in latest_first(self._base.reader, word):
            life_there = self._before_and_after(bearer, seen)
            if not life_there:
                continue
            states = self._states_of(life_there)
            bore = [stretch for stretch in life_there if word in _words(states[stretch.state])]
            is_current = bore[-1].last == len(self._labels) - 1
            yield {
                "from": self._labels[bore[0].first],
                "to": None if is_current else self._labels[bore[-1].last],
                "heading": states[bore[-1].state].heading,
                "text": wording_of(states[bore[-1].state]),
                "now": self._now(life_there, states),
                "last": place_json(states[life_there[-1].state], self._labels[life_there[-1].last]),
            }

    def _before_and_after(self, bearer: Run, seen: set[tuple[int, int]]) -> list[Stretch]:
        """Return the history of a bearer unless it is listed already, and mark it as listed."""
        links = self._lineages.into(bearer.state, bearer.last)
        first = links[0].edition if links else 0
        if (bearer.state, first) in seen:
            return []
        life = self._lineages.life(bearer.state, bearer.last)
        seen |= {(stretch.state, stretch.first) for stretch in life}
        return life


def _words(state: State) -> list[str]:

    return [word_of(key) for key in keys_of(state)]


def _read_json(evidence: StepEvidence) -> "ReadJson | None":
    if not evidence.readings:
        return None
    return {"readings": evidence.readings, "reason": evidence.verdict}
