"""Finds the changes of a provision and its subrules between two editions."""

import contextlib
from dataclasses import dataclass
from typing import TYPE_CHECKING

from variorum.answers.between_editions.change_finder import find_changes_within
from variorum.answers.between_editions.changes import Change, Changes, diff_json
from variorum.answers.question_parser import NUMBER, parse_questions
from variorum.errors import NotFoundError
from variorum.rows import name_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from variorum.answers.edition_entry import EditionEntry
    from variorum.answers.knowledge_base import KnowledgeBase
    from variorum.answers.subject import Subject
    from variorum.records.lineage import BearerThereJson, DiffJson


@dataclass(frozen=True, slots=True)
class SubjectChanges:
    """The changes of the provisions that a question names.

    Attributes:
        asked: The question.
        read_in: The edition whose number the question names.
        old: The provisions in the first edition.
        new: The provisions in the other edition.
        others: Other provisions that have the number in one of the two editions.
        changes: The changes of the provisions and their subrules.
    """

    asked: str
    read_in: "EditionEntry"
    old: "tuple[Subject, ...]"
    new: "tuple[Subject, ...]"
    others: "tuple[BearerThereJson, ...]"
    changes: Changes

    @property
    def unchanged_since(self) -> str | None:
        """Return the last edition that changed the provisions; None if the two editions differ."""
        if self.changes.all:
            return None
        older = min((*self.old, *self.new), key=lambda subject: subject.edition.place)
        return older.unchanged_since


def subject_changes(
    base: "KnowledgeBase",
    question: str,
    editions: "tuple[EditionEntry, EditionEntry]",
    on: "str | EditionEntry | None" = None,
    *,
    is_alone: bool = False,
) -> SubjectChanges:
    """Return the changes of the provisions that a question names, from one edition to another.

    Args:
        base: The base that has both editions.
        question: A number, a range or a term.
        editions: The editions, in the order asked.
        on: The edition whose number it is; by default the newer of the two editions, or the older
            if only this prints the number.
        is_alone: Whether to leave the subrules out.

    Raises:
        NoEditionError: The designator names no edition.
        NotFoundError: The question names no provision of that edition.
    """
    subjects = _find(base, question, editions, on)
    old, new = (tuple(_in(edition, subjects)) for edition in editions)
    held = (_ids(old, is_alone=is_alone), _ids(new, is_alone=is_alone))
    changes = find_changes_within(base, editions, held)
    others = _others(base, question, editions, (old, new))
    return SubjectChanges(question, subjects[0].edition, old, new, tuple(others), changes)


def subject_diff_json(
    difference: SubjectChanges, is_wanted: "Callable[[Change], bool] | None" = None
) -> "DiffJson":
    """Return the form of `cr diff A B NUMBER --json`."""
    return {
        **diff_json(difference.changes, is_wanted),
        "subject": {
            "asked": difference.asked,
            "edition": difference.read_in.label,
            "from": [subject.name for subject in difference.old],
            "to": [subject.name for subject in difference.new],
            "others": list(difference.others),
            "unchanged_since": difference.unchanged_since,
        },
    }


def _find(
    base: "KnowledgeBase",
    question: str,
    editions: "tuple[EditionEntry, EditionEntry]",
    on: "str | EditionEntry | None",
) -> "tuple[Subject, ...]":
    on = on or parse_questions(question)[0].edition
    if on:
        return base.subjects.find(question, base.edition(on))
    older, newer = sorted(editions, key=lambda edition: edition.place)
    for edition in (newer, older):
        with contextlib.suppress(NotFoundError):
            return base.subjects.find(question, edition)
    return base.show(question, newer)


def _in(edition: "EditionEntry", subjects: "tuple[Subject, ...]") -> "Iterator[Subject]":
    """Yield the heirs of provisions in an edition, each once."""
    states = dict.fromkeys(
        subject.state.id
        if subject.edition.place == edition.place
        else subject.destination(edition).heir
        for subject in subjects
    )
    base = subjects[0].base
    return (base.subjects.at(state, edition.place) for state in states if state is not None)


def _ids(subjects: "tuple[Subject, ...]", *, is_alone: bool) -> set[int]:
    """Return the ids of provisions in their edition, and of all below them."""
    below = () if is_alone else (each for subject in subjects for _, each in subject.tree())
    return {each.state.id for each in (*subjects, *below)}


def _others(
    base: "KnowledgeBase",
    question: str,
    editions: "tuple[EditionEntry, EditionEntry]",
    subjects: "tuple[tuple[Subject, ...], tuple[Subject, ...]]",
) -> "Iterator[BearerThereJson]":
    """Yield the other provisions with the number in one of two editions."""
    kind, word, _ = parse_questions(question)[0].question
    for place, edition in enumerate(editions if kind == NUMBER else ()):
        own = {subject.state.id for subject in subjects[place]}
        there = editions[1 - place]
        for state in base.subjects.matches(word, edition):
            bearer = base.subjects.at(state.id, edition.place)
            if state.id not in own:
                heir = bearer.destination(there).heir
                yield {
                    "edition": edition.label,
                    "number": state.address,
                    "gist": bearer.gist,
                    "elsewhere": None if heir is None else name_of(base.states[heir]),
                }
