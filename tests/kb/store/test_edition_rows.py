"""An edition as rows."""

import json

import pytest

from tests.support.edition_texts import RULES, page
from variorum_kb.build.build import load_sample
from variorum_kb.model import Edition
from variorum_kb.reading.as_json import export_json, ledger_json
from variorum_kb.reading.edition import read_edition
from variorum_kb.rows import State, examples_of, text_of
from variorum_kb.store.edition_rows import compact, rows_of

SAMPLE = list(load_sample())


def rows(data: bytes) -> tuple[dict[str, object], list[State]]:
    """Return the columns by name, and the states, of a document."""
    columns, states = rows_of(read_edition(data, "a.txt"))
    return columns.named(), states


def test_columns() -> None:
    """The columns have the facts of the edition; issue and set are empty."""
    edition = read_edition(page(), "a.txt")

    columns, _ = rows(page())

    assert columns == {
        "effective": "2020-06-05",
        "issue": 0,
        "sha256": edition.sha256,
        "set_code": "",
        "set_name": "",
        "layout": "plain",
        "encoding": "ascii",
        "crlf": 0,
        "cr": 0,
        "lf": 54,
        "sections": 2,
        "rules": 7,
        "examples": 2,
        "glossary": 2,
        "irregularities": 0,
        "condition": "sound",
        "attested": "",
        "doubts": "",
        "introduction": compact(edition.introduction),
        "index_lines": "[]",
        "credits": compact(edition.credits),
        "ledger": compact(ledger_json(edition)),
    }


@pytest.mark.parametrize("edition", SAMPLE, ids=lambda item: item.effective.isoformat())
def test_nothing_is_lost(edition: Edition) -> None:
    """States have all words, examples and irregularities of every provision."""
    expected = export_json(edition, 1)

    columns, states = rows_of(edition)

    listed = [
        {
            "number": state.number,
            "address": state.address,
            "kind": state.kind,
            "heading": state.heading,
            "text": text_of(state.body),
            "examples": examples_of(state.body),
            "irregularities": json.loads(state.irregularities or "[]"),
        }
        for state in states
        if state.kind != "glossary"
    ]
    entries = [
        {"term": state.heading, "text": text_of(state.body), "examples": examples_of(state.body)}
        for state in states
        if state.kind == "glossary"
    ]
    assert listed == expected["provisions"]
    assert entries == expected["glossary"]
    assert json.loads(columns.introduction) == expected["introduction"]
    assert json.loads(columns.index_lines) == expected["index"]
    assert json.loads(columns.credits) == expected["credits"]


@pytest.mark.parametrize("edition", SAMPLE, ids=lambda item: item.effective.isoformat())
def test_parents(edition: Edition) -> None:
    """Everything except chapters and the glossary has a parent in the same edition."""
    _, states = rows_of(edition)

    seen: set[str] = set()
    for state in states:
        assert (
            state.parent in seen if state.kind not in {"chapter", "glossary"} else not state.parent
        )
        seen.add(state.address)


def test_subrule_without_a_rule() -> None:
    """A subrule that begins a section is below the section, not below a rule before it."""
    _, states = rows(page(rules=RULES.replace("101.1. Wick\n\n", "")))

    parents = {state.address: state.parent for state in states}
    assert parents["101.1a"] == "101"
    assert parents["101.2"] == "101"


def test_meant_number() -> None:
    """A misprinted number is kept, beside the right one."""
    _, states = rows(page(rules=RULES.replace("101.1a A wick", "101.a A wick")))

    (odd,) = [state for state in states if state.irregularities]
    assert (odd.number, odd.address, odd.meant) == ("101.a", "101.a", "101.1a")
    assert json.loads(odd.irregularities)[0]["kind"] == "malformed number"
    assert {state.meant for state in states if state is not odd} == {""}


def test_compact() -> None:
    """JSON has no blanks and escapes no text."""
    assert compact({"a": ["Æther", 1]}) == '{"a":["Æther",1]}'
