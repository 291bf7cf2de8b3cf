"""Answers about the sample rulebook and its witnesses, compared with golden files."""

import contextlib
import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from datetime import date
from itertools import pairwise

import pytest
from hypothesis import given, strategies

from tests.conftest import MakeOnce
from tests.support.witness_base import hear
from variorum_kb.answers.between_editions.change_finder import find_changes
from variorum_kb.answers.between_editions.changes import NONE, SUBSTANTIVE, Change, diff_json
from variorum_kb.answers.between_editions.script_tokens import edits_of
from variorum_kb.answers.between_editions.subject_changes import subject_changes, subject_diff_json
from variorum_kb.answers.edition_entry import listed_json
from variorum_kb.answers.knowledge_base import KnowledgeBase
from variorum_kb.answers.lint.kinds import said_of
from variorum_kb.answers.lint.linter import lint_editions
from variorum_kb.answers.question_parser import parse_questions
from variorum_kb.answers.refs import refs_of
from variorum_kb.answers.stored.changed_texts import ChangedTexts
from variorum_kb.answers.stored.whole import paragraphs_of
from variorum_kb.answers.subject import Subject
from variorum_kb.answers.through_time.number_histories import Life, NumberHistories
from variorum_kb.errors import NoEditionError, NotFoundError, TwoEditionsError
from variorum_kb.rows import GONE, KEPT, Row, State, name_of


def around(subject: Subject) -> object:
    """Return what an edition has around a provision, and where the provision is today."""
    headings = subject.base.headings
    return [
        [subject.gist, headings.over(subject.state, subject.edition.place), subject.citations()],
        [[depth, below.name] for depth, below in subject.tree()],
        [above.name for above in subject.path()],
        subject.irregularities,
        headings.keywords(subject.number) if subject.kind == "section" else [],
        [now and (now.name, now.edition.label) for now in (subject.today, subject.latest)],
    ]


QUESTIONS: dict[str, Callable[[Subject], object]] = {
    "around": around,
    "attestations": Subject.attestations,
    "blame": Subject.blame,
    "commentary": Subject.commentary,
    "history": Subject.history,
    "refs": lambda item: refs_of([item]),
    "terms": Subject.terms,
    "where": lambda row: row.where("first"),
    "why": Subject.why,
}
# Interesting provisions: split, merged, moved, printed twice, misprinted, a headword.
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
    """Return the numbers above, and every `EVERY`th provision of each edition."""
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
    """The answers about each provision are unchanged."""
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
    """The changes between editions are unchanged."""
    answers: list[tuple[tuple[str, ...], object]] = []
    for old, new in pairwise(base.editions):
        result = diff_json(find_changes(base, old, new), lambda change: change.change != NONE)
        answers += [((new.label,), result["summary"])]
        answers += [((new.label, change["old"] or "-"), change) for change in result["changes"]]

        there, back = find_changes(base, old, new), find_changes(base, new, old)
        for change in (*there.all, *back.all):
            assert (change.is_new, change.is_gone) == (
                "new" in change.kinds,
                "gone" in change.kinds,
            )

    golden("answers/changes.jsonl", lines(answers))


LAMP, BOAT = (Row("rule", "1.1", "1.1", "", body, "", "", "", 0) for body in ("A lamp.", "A boat."))


@pytest.mark.parametrize(
    ("change", "size", "is_moved_only"),
    [
        (Change(LAMP, BOAT, (), KEPT, SUBSTANTIVE, 1.0), 2, False),
        (Change(LAMP, None, (), GONE, SUBSTANTIVE, 1.0), 2, False),
        (Change(LAMP, LAMP, (), KEPT, NONE, 1.0), 0, True),
        (Change(LAMP, None, (), GONE, NONE, 1.0), 2, False),
        (Change(None, LAMP, (), KEPT, NONE, 1.0), 2, False),
    ],
)
def test_sizes(change: Change, size: int, *, is_moved_only: bool) -> None:
    """The size of a change is its removed and added words; a provision that only moved has both ends."""
    assert (change.size, change.is_moved_only) == (size, is_moved_only)


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
    """The bearers of each number, their periods and their outcomes are unchanged."""
    histories = NumberHistories(base)
    holders = histories.holders(name_of)
    for holder in [holder for some in holders.values() for holder in some]:
        assert holder.state in base.whole.held(holder.runs[-1][-1])

    golden(
        "answers/lives.jsonl",
        lines(
            (
                (name, str(number_holder.runs)),
                life_json(histories.life(number_holder.end), base.whole.states),
            )
            for place, name in enumerate(sorted(holders))
            for number_holder in holders[name]
            if len(holders[name]) > 1 or place % 9 == 0
        ),
    )


@pytest.mark.parametrize("question", ["attestations", "history", "why"])
def test_read_at_once(base: KnowledgeBase, subjects: list[Subject], question: str) -> None:
    """Answers are the same whether rows are read on demand or all at once."""
    with KnowledgeBase.open(base.folder, today=base.today) as loaded:
        loaded.links.load()
        loaded.states.load()
        loaded.witnesses.load()
        for subject in subjects[:: len(NUMBERS)]:
            again = loaded.subjects.at(subject.state.id, subject.edition.place)
            again.asked = subject.asked
            assert QUESTIONS[question](again) == QUESTIONS[question](subject)


def life_json(life: Life, states: Mapping[int, State]) -> object:
    """Return a history with the names of its states."""
    readings = [
        (name_of(states[reading.number]), reading.first, reading.last, reading.kinds, reading.change, reading.confidence,
         [piece for piece in reading.pieces if piece[0] != "="], list(map(str, reading.relatives)))
        for reading in life.readings
    ]  # fmt: skip
    return [readings, life.ending, life.gone, list(map(str, life.heirs))]


DIFFERENCES = [
    ("2006-03-01", "2025-05-30", "705", None),
    ("2025-05-30", "2006-03-01", "511", "2006-03-01"),
    ("2008-06-20", "2010-01-22", "511.2", None),
    ("2008-06-20", "2010-01-22", "600.4a-600.4c", "2008-06-20"),
    ("2022-02-11", "2025-05-30", "100.1 2025-05-30", None),
    ("2008-06-20", "2025-05-30", "Boat", None),
    ("2003-02-10", "2006-03-01", "409.3", "latest"),
    ("2008-06-20", "2010-01-22", "300", None),
    ("2010-01-22", "2008-06-20", "702.9", "2010-01-22"),
    ("2022-02-11", "2025-05-30", "101.1", None),
    ("2015-04-17", "2010-01-22", "100", "2015-04-17"),
    ("2022-02-11", "2017-11-10", "608", "2022-02-11"),
]


def test_subject_changes(base: KnowledgeBase, golden: Callable[[str, object], None]) -> None:
    """The changes of some provisions between two editions are unchanged."""
    answers: list[tuple[tuple[str, ...], object]] = []
    for older, newer, number, on in DIFFERENCES:
        editions = base.edition(older), base.edition(newer)
        for is_alone in (False, True):
            try:
                result: object = subject_diff_json(
                    subject_changes(base, number, editions, on, is_alone=is_alone)
                )
            except (NoEditionError, NotFoundError) as error:
                result = str(error)
            answers.append(((older, newer, number, on or "-"), result))

    golden("answers/subject-changes.jsonl", lines(answers))


def test_errors(base: KnowledgeBase, golden: Callable[[str, object], None]) -> None:
    """The known errors of the sample rulebook are unchanged."""
    golden(
        "answers/errors.txt",
        "".join(
            f"{answer['edition']} {finding['address']}: {said_of(finding)}\n"
            for answer in lint_editions(base, base.editions)
            for finding in answer["findings"]
        ),
    )


def test_stored(base: KnowledgeBase, golden: Callable[[str, object], None]) -> None:
    """The base's records of editions and numbers are unchanged."""
    texts, whole, subjects = base.texts, base.whole, base.subjects
    changed = ChangedTexts(base.reader)
    answers: list[tuple[tuple[str, ...], object]] = []
    for edition in base.editions:
        place = edition.place
        matter = {part: len(parts) for part, parts in whole.front_matter(place).items()}
        bearing = {
            number: whole.bearers(number, place)
            for number in ("705.1", "511", "605.2c", "702.11", "=505.5")
        }
        answers += [
            ((edition.label, "listed"), listed_json(edition, base.editions, "a.txt")),
            ((edition.label, "announced"), base.witnesses.announcements(edition)),
            ((edition.label, "matter"), matter),
            ((edition.label, "bearers"), bearing),
            ((edition.label, "chapters"), [subject.name for subject in subjects.chapters(edition)]),
            ((edition.label, "from 70"), subjects.words_with("70", edition)[:5]),
            ((edition.label, "below 705"), sorted(texts.among(place, "705", ("subrule", "rule")))),
        ]
        before = base.before(edition)
        answers.append(((edition.label, "before"), before and before.label))
        steps = base.links.between(max(place - 1, 0), place).by_edition.get(place, ())
        answers.append(((edition.label, "announced steps"), base.witnesses.announced(steps)))
        bodies = [subject.state.body.lower() for subject in base.provisions(before or edition)]
        ends = [end for body in filter(None, bodies[::3]) for end in (body[:24], body[-24:])]
        holding = {end: held for end in ends if (held := changed.holding(end, place))}
        answers.append(((edition.label, "changed"), holding))
    for number in ("705.1", "511", "boat", "409.3", "100.3", "103.2", "2"):
        wish = parse_questions(number)[0]
        bearers = texts.bearers(number)
        answers += [
            ((number, "bearers"), [bearers, texts.stood(bearers)]),
            ((number, "starts"), texts.numbered(number)),
            ((number, "anywhere"), [subjects.has(number), subjects.find_one(wish, None).name]),
        ]
        for day in ("2008-06-20", "2006-03-01", "2025-05-30"):
            with contextlib.suppress(NotFoundError):
                namesakes = subjects.namesakes(wish, subjects.find(wish, day))
                answers.append(((number, day, "namesakes"), namesakes))
    answers += [
        ((subject.name, "parts"), paragraphs)
        for subject in base.provisions()
        if len(paragraphs := paragraphs_of(subject.state)) > 2
    ]
    cited = [len(citations) for citations in whole.citations.values()]
    answers.append((("citations",), [len(cited), sum(cited)]))

    golden("answers/stored.jsonl", lines(answers))


def test_anywhere(base: KnowledgeBase) -> None:
    """Without an edition, a number is found in the last edition that had it."""
    find, (wish,) = base.subjects.find_one, parse_questions("511.2")

    assert find("409.3", None).edition.label == "2008-06-20"
    assert find("705.1", "2015-04-17").edition.label == "2015-04-17"
    with pytest.raises(NotFoundError, match=r"^409\.3: not in the edition of 2025-05-30"):
        find("409.3", "2025-05-30")
    with pytest.raises(NotFoundError, match=r"^705\.1, 705\.2: ask for one at a time$"):
        find("705.1 705.2", None)
    assert [base.subjects.has(asked) for asked in ("705.1", "999", "705.1 M10")] == [
        True,
        False,
        False,
    ]
    there = base.edition("2025-05-30")
    for day in (None, base.edition("2006-03-01")):
        (place,) = base.subjects.where(wish, day, there)
        assert (place["edition"], place["new"]) == (day.label if day else "2008-06-20", ["705.2"])


@pytest.mark.parametrize(
    ("beside", "on", "expected"),
    [
        ("", None, "2025-05-30"),
        ("2010-01-22", None, "2010-01-22"),
        ("2010-01-22", "2010-01-22", "2010-01-22"),
        ("2010-01-22", "2022-02-11", "TwoEditionsError"),
        ("Flipping", None, "2025-05-30"),
        ("Flipping", "2010-01-22", "2010-01-22"),
        ("Nothing", None, "NoEditionError"),
        ("Nothing", "2010-01-22", "NoEditionError"),
    ],
)
def test_edition_beside(base: KnowledgeBase, beside: str, on: str | None, expected: str) -> None:
    """An edition beside a number is the one asked about, unless the word is from a heading."""
    wish = parse_questions(f"705.1 {beside}")[0]
    try:
        label = base.subjects.edition_of(wish, on).label
    except (NoEditionError, TwoEditionsError) as error:
        label = type(error).__name__

    assert label == expected


@given(
    strategies.lists(strategies.sampled_from("abc")),
    strategies.lists(strategies.sampled_from("abc")),
)
def test_edits(before: list[str], after: list[str]) -> None:
    """The edits between two lists turn one into the other."""
    result: list[str] = []
    place = 0
    for keep, drop, new in edits_of(before, after):
        result += [*before[place : place + keep], *new]
        place += keep + drop

    assert [*result, *before[place:]] == after


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
    """The error for a missing provision says when it existed, or what is near."""
    texts: list[str] = []
    for day, later in (("2003-02-10", ["901.5"]), ("2025-05-30", [])):
        for asked in [*MISSING, *later]:
            with pytest.raises(NotFoundError) as caught:
                base.subjects.find(asked, base.edition(day))
            texts.append(f"{caught.value}\n")

    golden("answers/not-found.txt", "".join(texts))


def lines(answers: Iterable[tuple[tuple[str, ...], object]]) -> str:
    """Return each question and its answer as a line of JSON."""
    return "".join(
        f"{' '.join(asked)}: {json.dumps(answer, ensure_ascii=False)}\n"
        for asked, answer in answers
    )
