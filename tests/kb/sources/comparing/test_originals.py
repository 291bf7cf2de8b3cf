"""Originals of an edition, such as its Word document, compared with its text."""

import pytest

from variorum_kb.answers.knowledge_base import KnowledgeBase
from variorum_kb.build.build import load_sample
from variorum_kb.errors import LayoutError
from variorum_kb.rows import State
from variorum_kb.sources.comparing.copies import attest_copy
from variorum_kb.sources.comparing.originals import attest_original
from variorum_kb.store.edition_rows import rows_of
from variorum_kb.stored_rows import EditionRow

Original = tuple[EditionRow, list[State]]


@pytest.fixture
def original() -> Original:
    """Return the newest edition as its original prints it."""
    columns, states = rows_of(list(load_sample())[-1])
    return columns.changed(layout="docx"), states


def test_same(base: KnowledgeBase, original: Original) -> None:
    """If an original has the words of its edition, one line says so."""
    row, states = original

    result = attest_original(base, row, states, "a.docx")

    assert (result.layout, result.stated) == ("original in docx", "2025-05-30")
    assert result.first == result.last == base.edition("latest").place
    assert result.matched == result.of == len(states)
    assert result.evidence == (
        f"{len(states)} of {len(states)} provisions have the words of 2025-05-30",
    )
    assert result.passages == ()


def test_other_words_and_signs(base: KnowledgeBase, original: Original) -> None:
    """A changed word is a passage; changed signs are only counted."""
    row, states = original
    first, second = [place for place, state in enumerate(states) if "’" in state.body][:2]
    states[first] = states[first].changed(body=states[first].body.replace("’", "'"))
    states[second] = states[second].changed(body=f"{states[second].body} Otherwise.")

    result = attest_original(base, row, states, "a.docx")

    assert result.of - result.matched == len(result.passages) == 1
    assert result.evidence[1:] == ("1 of these differ in signs alone",)


@pytest.mark.parametrize(
    "changes",
    [
        {},
        {"encoding": "cp1252"},
        {"credits": "[]", "condition": "repaired", "effective": "2025-05-31"},
        {"": "lost"},
        {"": "word"},
        {"": "3 words"},
        {"": "4 words"},
        {"": "words"},
        {"": "blanks"},
        {"": "signs"},
        {"": "headword"},
    ],
)
def test_copies(base: KnowledgeBase, original: Original, changes: dict[str, str]) -> None:
    """A copy is described by its differences: provisions, words, signs, or surrounding text."""
    row, states = original
    label = changes.get("", "")
    places = [place for place, state in enumerate(states) if "’" in state.body and state.number]
    if label == "lost":
        states[places[0]] = states.pop().changed(number="799.1", address="799.1")
    for place in places[: {"word": 1, "3 words": 3, "4 words": 4, "words": 5}.get(label, 0)]:
        states[place] = states[place].changed(body=f"Perhaps {states[place].body} Or not so.")
    lost = {"signs": "’“”—–", "blanks": " "}.get(label, "")
    for place in places[:3] if lost else ():
        words = states[place].body.translate(str.maketrans("", "", lost))
        states[place] = states[place].changed(body=words)
    if label == "headword":
        states[-1] = states[-1].changed(
            heading=f"{states[-1].heading}é", address=f"{states[-1].address}é"
        )

    attested = attest_copy(
        base,
        row.changed(**{key: value for key, value in changes.items() if key}),
        states,
        "2025-05-30",
        "a.txt",
    )

    assert attested.of - attested.matched == len(attested.passages)
    assert attested.evidence[0].startswith("copy of 2025-05-30")


def test_error_no_text(base: KnowledgeBase, original: Original) -> None:
    """An original of a day without an edition is refused."""
    row, states = original

    with pytest.raises(
        LayoutError, match="an original of 1980-01-01, but the base has no text of that day"
    ):
        attest_original(base, row.changed(effective="1980-01-01"), states, "a.docx")
    with pytest.raises(
        LayoutError, match="a copy of 1980-01-01, but the base has no edition of that day"
    ):
        attest_copy(base, row, states, "1980-01-01", "a.txt")
