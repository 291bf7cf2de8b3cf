"""Answers about the sample rulebook and its witnesses, value for value."""

import json
from collections.abc import Callable, Iterable, Iterator
from datetime import date
from itertools import pairwise

import pytest

from tests.conftest import MakeOnce
from tests.support.witness_base import hear
from variorum_kb.answers.changes import NONE, diff_json
from variorum_kb.answers.comparison import find_changes
from variorum_kb.answers.knowledge_base import KnowledgeBase
from variorum_kb.answers.number_histories import Life, NumberHistories
from variorum_kb.answers.refs import refs_of
from variorum_kb.answers.subject import Subject
from variorum_kb.errors import NotFoundError
from variorum_kb.rows import name_of

QUESTIONS: dict[str, Callable[[Subject], object]] = {
    "attestations": Subject.attestations,
    "blame": Subject.blame,
    "commentary": Subject.commentary,
    "history": Subject.history,
    "refs": lambda item: refs_of([item]),
    "terms": Subject.terms,
    "where": lambda row: row.where("first"),
    "why": Subject.why,
}
# What each edition holds of interest: split, merged, moved, printed twice, misprinted, a headword.
NUMBERS = {
    "2003-02-10": ["409.3", "Flip a Coin"],
    "2006-03-01": ["511"],
    "2008-06-20": ["211", "306.b", "511.2", "600.4b"],
    "2010-01-22": ["1", "505.54", "702.9", "705", "705.1"],
    "2022-02-11": ["702.11", "800.4"],
    "2025-05-30": ["704.5a", "705.1", "Boat"],
}
EVERY = 61


@pytest.fixture(scope="module")
def base(make_once: MakeOnce) -> Iterator[KnowledgeBase]:
    """Return the sample rulebook and its witnesses."""
    folder = make_once("answers", hear)
    with KnowledgeBase.open(folder / "kb", today=date(2026, 1, 1)) as result:
        yield result


@pytest.fixture(scope="module")
def subjects(base: KnowledgeBase) -> list[Subject]:
    """Return the numbers above and every provision at a multiple of `EVERY` in each edition."""
    named = [
        match for day, words in NUMBERS.items() for word in words for match in base.show(word, day)
    ]
    return [
        *named,
        *[provision for day in base.editions for provision in [*base.provisions(day)][::EVERY]],
    ]


@pytest.mark.parametrize("question", QUESTIONS)
def test_answers(
    subjects: list[Subject],
    golden: Callable[[str, object], None],
    question: str,
) -> None:
    """The answer to each question about a provision is unchanged."""
    golden(
        f"answers/{question}.jsonl",
        lines(
            (
                (subject.edition.label, subject.address or subject.heading),
                QUESTIONS[question](subject),
            )
            for subject in subjects
        ),
    )


def test_changes(base: KnowledgeBase, golden: Callable[[str, object], None]) -> None:
    """The changes from edition to edition are unchanged."""
    told: list[tuple[tuple[str, ...], object]] = []
    for old, new in pairwise(base.editions):
        result = diff_json(find_changes(base, old, new), lambda change: change.change != NONE)
        told += [((new.label,), result["summary"])]
        told += [((new.label, change["old"] or "-"), change) for change in result["changes"]]

    golden("answers/changes.jsonl", lines(told))


def test_witnesses(base: KnowledgeBase, golden: Callable[[str, object], None]) -> None:
    """The answers about each witness and its passages are unchanged."""
    golden(
        "answers/witnesses.jsonl",
        lines(
            (
                (witness["layout"], witness["sha256"][:12]),
                [witness, *base.witnesses.passages_of(witness["sha256"])],
            )
            for witness in base.witnesses.all()
        ),
    )


def test_lives(base: KnowledgeBase, golden: Callable[[str, object], None]) -> None:
    """The bearers of each number, their times and their outcomes are unchanged."""
    histories = NumberHistories(base)
    holders = histories.holders(name_of)

    golden(
        "answers/lives.jsonl",
        lines(
            ((name, str(number_holder.runs)), life_json(histories.life(number_holder.end)))
            for place, name in enumerate(sorted(holders))
            for number_holder in holders[name]
            if len(holders[name]) > 1 or place % 9 == 0
        ),
    )


def life_json(life: Life) -> object:
    """Return a life with the names of its states."""
    readings = [
        (name_of(reading.state), reading.first, reading.last, reading.kinds, reading.change, reading.confidence,
         [piece for piece in reading.pieces if piece[0] != "="], list(map(str, reading.relatives)))
        for reading in life.readings
    ]  # fmt: skip
    return [readings, life.ending, life.gone, list(map(str, life.heirs))]


MISSING = [
    "705.9",
    "511.2",
    "409.3-409.9",
    "704.5c-704.5a",
    "705-799",
    "999",
    "flipp a coin",
    "xyz",
]


def test_not_found(base: KnowledgeBase, golden: Callable[[str, object], None]) -> None:
    """The error for a missing provision says when the rules had it, and what is near."""
    texts: list[str] = []
    for day, later in (("2003-02-10", ["901.5"]), ("2025-05-30", [])):
        for asked in [*MISSING, *later]:
            with pytest.raises(NotFoundError) as caught:
                base.subjects.find(asked, base.edition(day))
            texts.append(f"{caught.value}\n")

    golden("answers/not-found.txt", "".join(texts))


def lines(answers: Iterable[tuple[tuple[str, ...], object]]) -> str:
    """Return each answer as a line of JSON behind what was asked."""
    return "".join(
        f"{' '.join(asked)}: {json.dumps(answer, ensure_ascii=False)}\n"
        for asked, answer in answers
    )
