"""The provisions that quoted words of the sample rulebook come from."""

from collections import Counter

import pytest

from tests.support.schemas import assert_fits
from tests.support.search_requests import LAST, OLD
from variorum_kb.answers.knowledge_base import KnowledgeBase
from variorum_kb.errors import NoEditionError
from variorum_kb.forms.search import ResolveJson
from variorum_kb.search.answer import Search
from variorum_kb.search.queries.query import QueryError
from variorum_kb.text.search_words import plain_words

HOIST = "A player who has the watch may hoist a"
SUNK = "The first deals 2 damage and the second is sunk before it can answer."


def names(resolve: ResolveJson) -> list[str]:
    """Return the numbers or terms of the sources."""
    return [source["number"] or f"glossary: {source['heading']}" for source in resolve["sources"]]


@pytest.mark.slow
def test_every_provision(search: Search, base: KnowledgeBase) -> None:
    """Quoted with its number and edition, each provision of every third edition resolves to itself."""
    for edition in base.editions[::3]:
        provisions = list(base.provisions(edition))
        headings = Counter(provision.heading for provision in provisions if not provision.text)
        for item in provisions:
            if not plain_words(item.text or item.heading) or headings[item.heading] > 1:
                continue
            answer = search.resolve(item.text or item.heading, item.number, edition.label)
            row = (edition.label, item.number or item.heading)
            assert answer["status"] == "resolved", row
            (source,) = answer["sources"]
            assert (source["number"] or "").partition("#")[0] == item.number, row
            assert (source["edition"], source["kind"]) == (edition.label, item.kind), row
            assert answer["number_fits"] is (True if item.number else None), row
            assert answer["edition_fits"] is True, row


@pytest.mark.parametrize("number", ["300", "500"])
def test_headings_of_one_name(search: Search, number: str) -> None:
    """Of several equal headings, the one with the number is meant."""
    answer = search.resolve("General", number, "2010-01-22")

    assert (answer["status"], names(answer)) == ("resolved", [number])


@pytest.mark.parametrize("number", ["", "702.3a"])
def test_exact_words(search: Search, number: str) -> None:
    """Consecutive words resolve to their lineage, in all editions that print them."""
    answer = search.resolve("This boat deals its damage before boats without gleam do", number)

    assert answer["status"] == "resolved"
    (source,) = answer["sources"]
    assert (source["number"], source["edition"], source["now"]) == ("702.3a", LAST, "702.3a")
    assert source["likeness"] == 1.0
    assert source["stood"][-1][1] == LAST
    assert answer["number_fits"] is (True if number else None)
    assert answer["edition_fits"] is None


def test_words_that_are_gone(search: Search) -> None:
    """A removed rule has its name in its last edition."""
    answer = search.resolve("Only cards in the harbor have a condition.")

    (source,) = answer["sources"]
    assert (source["number"], source["edition"], source["now"]) == ("510.5", OLD, None)
    assert source["stood"] == [["2006-03-01", OLD]]
    assert source["heading"] == ""
    assert source["text"].startswith("Only cards in the harbor")


def test_words_of_the_glossary(search: Search) -> None:
    """A glossary entry has its term instead of a number."""
    answer = search.resolve("A keyword that takes a boat away at dusk", on=OLD)

    assert [item["number"] for item in answer["sources"]] in ([None], [])
    entry = search.resolve("Cards that had it now say so in full")
    (source,) = entry["sources"]
    assert (source["number"], source["heading"]) == (None, "Drift (Obsolete)")
    assert source["now"] == "glossary: Drift (Obsolete)"


# Several, none -------------------------------------------------------------------------------


def test_ambiguous(search: Search) -> None:
    """If several provisions print the words, all of them are named."""
    answer = search.resolve(HOIST, on=LAST)

    assert answer["status"] == "ambiguous"
    assert sorted(names(answer)) == ["302.1", "303.1", "304.1", "305.1", "601.3"]
    assert {source["likeness"] for source in answer["sources"]} == {1.0}


@pytest.mark.parametrize("number", ["302.1", "303.1", "304.1", "305.1"])
@pytest.mark.parametrize("is_before", [False, True])
def test_number_tells_apart(search: Search, number: str, is_before: bool) -> None:
    """A number, given or before the words, decides between them."""
    if is_before:
        answer = search.resolve(f"{number}. {HOIST}", on=LAST)
    else:
        answer = search.resolve(HOIST, number, LAST)

    assert (answer["status"], names(answer)) == ("resolved", [number])
    assert answer["number_fits"] is True


def test_number_that_does_not_fit(search: Search) -> None:
    """Words with a wrong number are found, and the answer says that the number is wrong."""
    answer = search.resolve(
        "no more gleam: This boat deals its damage before boats without", "100.1"
    )

    assert names(answer) == ["702.3a"]
    assert answer["number_fits"] is False


def test_edition_that_does_not_print_them(search: Search) -> None:
    """If the edition lacks the words, the answer says so and names a provision with them."""
    answer = search.resolve("Only cards in the harbor have a condition", on=LAST)

    assert names(answer) == ["510.5"]
    assert answer["edition_fits"] is False
    assert answer["sources"][0]["edition"] == OLD


@pytest.mark.parametrize("words", ["colourless green ideas sleep furiously", "xylophone"])
@pytest.mark.parametrize(
    ("number", "on"), [("", None), ("705.1", None), ("", LAST), ("705.1", LAST)]
)
def test_unknown(search: Search, words: str, number: str, on: str | None) -> None:
    """Words that no edition has are unknown, with any number or edition."""
    answer = search.resolve(words, number, on)

    assert (answer["status"], answer["sources"]) == ("unknown", [])
    assert answer["number_fits"] is (False if number else None)
    assert answer["edition_fits"] is (False if on else None)


@pytest.mark.parametrize("words", ["", "  ", "…!"])
def test_error_no_words(search: Search, words: str) -> None:
    """A quotation without words is refused."""
    with pytest.raises(QueryError) as caught:
        search.resolve(words)

    assert str(caught.value) == f"{words!r}: no word to look for"


def test_error_no_such_edition(search: Search) -> None:
    """An unknown edition gives an error."""
    with pytest.raises(NoEditionError) as caught:
        search.resolve("boat", on="yesterday")

    assert str(caught.value).startswith("no edition is called 'yesterday'")


@pytest.mark.parametrize(
    ("words", "number", "on"),
    [
        (HOIST, "", None),
        (HOIST, "302.1", LAST),
        (SUNK, "", OLD),
        ("xylophone", "1", None),
        ("Only cards in the harbor have a condition", "999.9", LAST),
        ("Cards that had it now say so in full", "", None),
    ],
)
def test_json_fits_its_schema(search: Search, words: str, number: str, on: str | None) -> None:
    """The JSON has the form that docs/json.md promises."""
    assert_fits(search.resolve(words, number, on), "resolve")


def test_printed_today(search: Search) -> None:
    """If only one of several provisions has the words today, it is meant, but not on an old day."""
    words = "An echo is an ability that a flag leaves behind"

    answer, former = search.resolve(words), search.resolve(words, on=OLD)

    assert (answer["status"], names(answer)) == ("resolved", ["603.2a", "glossary: Echo"])
    assert former["status"] == "ambiguous"
