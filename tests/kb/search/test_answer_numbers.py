"""The results of a search for a rule's number."""

from pathlib import Path

import pytest

from tests.support.lint_rulebooks import BELLS, FERRY, GLOSSARY, RULES, TIDE, rulebook
from tests.support.search_requests import OLD, TODAY, names
from tests.support.small_bases import DAYS, build
from variorum_kb.answers.knowledge_base import KnowledgeBase
from variorum_kb.search.answer import Search
from variorum_kb.search.search_options import SearchOptions


def test_the_number_comes_first(search: Search, base: KnowledgeBase) -> None:
    """A provision's number finds it first."""
    for provision in base.provisions(base.edition("current")):
        if provision.kind == "glossary":
            continue
        result = search.search(
            SearchOptions(
                f"rule {provision.number}" if "." in provision.number else f"{provision.number}."
            )
        )
        assert result["hits"][0]["number"] is not None
        assert result["hits"][0]["number"].partition("#")[0] == provision.number
        assert result["missing"] == []


@pytest.mark.parametrize("on", ["2003-02-10", OLD, "2010-01-22", "2022-02-11"])
def test_the_number_comes_first_in_an_old_edition(
    search: Search, base: KnowledgeBase, on: str
) -> None:
    """In an old edition, the first hit for a number is its bearer then."""
    wrong: list[str] = []
    for provision in base.provisions(base.edition(on)):
        if provision.kind == "glossary":
            continue
        hits = search.search(SearchOptions(f"{provision.number}.", on=on))["hits"]
        if not hits or (hits[0]["number"] or "").partition("#")[0] != provision.number:
            wrong.append(provision.number)

    assert wrong == []


@pytest.mark.parametrize("number", ["702.3a", "400.2", "705.2", "601.5"])
def test_a_number_ever(search: Search, number: str) -> None:
    """With --ever, a number finds all its bearers, including today's."""
    result = search.search(SearchOptions(number, ever=True))

    assert number in [hit["now"] for hit in result["hits"]]
    assert result["hits"][0]["number"] == number


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("702.9", ["702.9", "702.9a", "702.9b", "glossary: Undertow"]),
        ("705", ["705", "705.1", "705.2", "705.3", "103.2"]),
        ("702.11", ["702.11#1", "702.11#2", "702.11a#1", "702.11a#2", "702.11b", "glossary: Escort"]),
        ("702.1*", ["702.1", "702.10", "702.10a", "702.10b", "702.11#1", "702.11#2", "702.11a#1",
                    "702.11a#2", "702.11b"]),
        ("704.5a*", ["704.5a", "704.5aa", "104.1"]),
        ("CR 602.1.", ["602.1", "702.8b"]),
        ("808.3c", ["808.3c"]),
    ],
)  # fmt: skip
def test_what_a_number_finds(search: Search, query: str, expected: list[str]) -> None:
    """A number finds its bearer, the provisions below in printed order, and those citing it."""
    assert names(search.search(SearchOptions(query))) == expected


def test_several_former_bearers_that_are_gone(tmp_path: Path) -> None:
    """If two removed rules had the same number, both are named."""
    editions = [RULES | {"101.4.": FERRY, "101.3.": BELLS}, RULES, RULES | {"101.4.": TIDE[:40]}]
    last = {number: text for number, text in RULES.items() if number != "101.3."}
    for place, rules in enumerate([*editions, last]):
        (tmp_path / f"{place}.txt").write_bytes(rulebook(DAYS[place], rules, GLOSSARY))
    build(tmp_path / "kb", sorted(tmp_path.glob("*.txt")))

    with Search.open(tmp_path / "kb", today=TODAY) as search:
        result = search.search(SearchOptions("101.4"))

    assert [hit["text"] for hit in result["hits"]] == [TIDE[:40], FERRY]


def test_a_number_that_never_was(search: Search) -> None:
    """A number that no provision ever had is reported as missing."""
    result = search.search(SearchOptions("999.9"))

    assert (result["hits"], result["missing"], result["total"]) == ([], ["999.9"], 0)


@pytest.mark.parametrize(
    "options",
    [
        SearchOptions("511", within="7"),
        SearchOptions("511", kinds=("glossary",)),
        SearchOptions("511", kinds=("rule",)),
    ],
)
def test_former_bearers_are_filtered_too(search: Search, options: SearchOptions) -> None:
    """With a filter, no other provision is shown."""
    assert search.search(options)["hits"] == []
