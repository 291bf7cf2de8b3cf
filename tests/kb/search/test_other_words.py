"""Hits of a search by synonyms."""

import pytest

from tests.support.search_requests import OLD, names
from variorum_kb.search.answer import Search
from variorum_kb.search.search_options import SearchOptions


@pytest.mark.parametrize(
    ("options", "number", "expanded"),
    [
        (
            SearchOptions("haven"),
            "403",
            {"from": "haven", "to": "bay", "kind": "era", "since": "2010-01-22", "until": None},
        ),
        (
            SearchOptions("bay", on=OLD),
            "217.5",
            {"from": "bay", "to": "harbor", "kind": "era", "since": "1999-05-14", "until": OLD},
        ),
        (
            SearchOptions("tc"),
            "704",
            {"from": "tc", "to": "tide check", "kind": "abbreviation", "since": None, "until": None},
        ),
        (
            SearchOptions("boat glugs"),
            "704.5c",
            {"from": "glugs", "to": "is sunk", "kind": "players", "since": None, "until": None},
        ),
        (
            SearchOptions("heads or tails"),
            "705",
            {
                "from": "heads or tails",
                "to": "flipping a coin",
                "kind": "players",
                "since": None,
                "until": None,
            },
        ),
    ],
)  # fmt: skip
def test_other_words(
    search: Search, options: SearchOptions, number: str, expanded: dict[str, str | None]
) -> None:
    """Former words, players' words and abbreviations find today's rule, with a note."""
    result = search.search(options)

    assert number in names(result)
    assert result["expanded"] == [expanded]
    assert result["missing"] == []


def test_other_words_are_not_told_where_the_own_were_found(search: Search) -> None:
    """If all hits have the query's own words, synonyms are not mentioned."""
    assert search.search(SearchOptions("gleam"))["expanded"] == []
    assert search.search(SearchOptions("bay"))["expanded"] == []


def test_phrase_in_other_words(search: Search) -> None:
    """A phrase that no text prints is found by synonyms for a part of it."""
    result = search.search(SearchOptions('"puts the boat into the harbor"'))

    assert names(result) == ["302.2"]
    assert [(expansion["from"], expansion["to"]) for expansion in result["expanded"]] in (
        [("puts the boat into the harbor", "bay")],
        [("puts the boat into the harbor", "puts the boat into the bay")],
    )
    assert search.search(SearchOptions('"puts the haven into the harbor"'))["hits"] == []


def test_own_words_come_before_others(search: Search) -> None:
    """Hits with the exact words rank before hits with synonyms."""
    result = search.search(SearchOptions("harbor", on=OLD, limit=3))

    assert all("harbor" in f"{hit['heading']} {hit['text']}".lower() for hit in result["hits"])


def test_other_words_that_nothing_has(search: Search) -> None:
    """If no text has the words or their synonyms, the words are reported as missing."""
    result = search.search(SearchOptions("wharf"))

    assert (result["hits"], result["missing"]) == ([], ["wharf"])
