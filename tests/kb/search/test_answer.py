"""Answers of searches in the sample rulebook."""

from datetime import date
from pathlib import Path

import pytest

from tests.support.lint_rulebooks import BELLS, FERRY, GLOSSARY, OARS, RULES, WICK, rulebook
from tests.support.schemas import assert_fits
from tests.support.search_requests import LAST, OLD, TODAY, hit, names
from tests.support.small_bases import DAYS, build
from variorum_kb.answers.knowledge_base import KnowledgeBase
from variorum_kb.errors import NoEditionError, NotFoundError
from variorum_kb.search.answer import Search
from variorum_kb.search.queries.query import QueryError
from variorum_kb.search.search_options import SearchOptions

# Words ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ('"storm markers"', {"704.5g"}),
        ("“storm markers”", {"704.5g"}),
        ('"marker storm"', set[str]()),
        ('"marker* storm"', set[str]()),
        ('"owner\'s hand"', {"704.5x"}),
        ("“owner’s hand”", {"704.5x"}),
        ("skimming AND undertow", set[str]()),
        ("gleam NOT boat", {"702.3"}),
        ("boat lamp NOT (buoy OR mast)", {"205.1", "205.2"}),
        ("skimmi*", {"702.6", "702.6a", "702.6b", "701.2", "701.3", "glossary: Skimming"}),
        ("{T} AND wet", {"302.3", "602.2"}),
        ("stowaway OR icebreaker", {"704.5x", "704.5y"}),
        ("stowaway AND NOT icebreaker", {"704.5x"}),
        ('stowaway AND "has left the bay"', {"704.5x"}),
        ("stowaway AND (NOT boat OR hand)", {"704.5x"}),
    ],
)
def test_exact_queries(search: Search, query: str, expected: set[str]) -> None:
    """Phrases, operators, brackets and prefixes find exactly the fitting texts."""
    result = search.search(SearchOptions(query))

    assert set(names(result)) == expected
    assert result["total"] == len(expected)


def test_nots_alone(search: Search, base: KnowledgeBase) -> None:
    """NOT with two words finds everything that neither word finds."""
    either = search.search(SearchOptions("boat* OR lamp*"))["total"]
    neither = search.search(SearchOptions("NOT boat* NOT lamp*"))["total"]

    assert either + neither == sum(1 for _ in base.provisions(base.edition("current")))


def test_and_finds_less_than_or(search: Search) -> None:
    """AND finds texts with both words; OR finds texts with either."""
    either, both, first, second = (
        search.search(SearchOptions(query))["total"]
        for query in ("boat OR lamp", "boat AND lamp", "boat AND boat", "lamp AND lamp")
    )

    assert either == first + second - both


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("can’t be barred", "can't be barred"),
        ("can't be barred", "cannot be barred"),
        ("can't be barred", "cant be barred"),
        ("“goes to its owner’s locker”", '"goes to its owner\'s locker"'),
        ("gets −N/−0", "gets -N/-0"),
        ("BOATS", "boats"),
    ],
)
def test_signs_are_one(search: Search, first: str, second: str) -> None:
    """Straight signs, curly signs and no signs find the same."""
    answer, too = (search.search(SearchOptions(query, limit=90)) for query in (first, second))

    assert answer["total"] == too["total"] > 0
    assert set(names(answer)) == set(names(too))


@pytest.mark.parametrize("word", ["can", "can't", "not", "may", "if", "only", "until", "unless"])
@pytest.mark.parametrize("query", ["boat bar", "player hoist card"])
def test_no_word_is_dropped(search: Search, query: str, word: str) -> None:
    """A significant word changes the answer, or is reported as missing."""
    plain = search.search(SearchOptions(query, limit=50))
    first, rest = query.split(" ", 1)

    result = search.search(SearchOptions(f"{first} {word} {rest}", limit=50))

    scores = [
        [(item["number"], item["score"]) for item in hits["hits"]] for hits in (plain, result)
    ]
    assert scores[0] != scores[1] or result["missing"] == [word]


# Filters -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("within", "fits"),
    [("702", "702"), ("7", "7"), ("702.3", "702.3"), ("702.3a", "702.3a")],
)
def test_within(search: Search, within: str, fits: str) -> None:
    """Only provisions with the number, or below it, are found."""
    result = search.search(SearchOptions("boat", within=within, limit=90))

    assert result["hits"]
    assert all((item["number"] or "").startswith(fits) for item in result["hits"])
    assert result["total"] == len(result["hits"])


@pytest.mark.parametrize("kinds", [("glossary",), ("section", "chapter"), ("rule",), ("subrule",)])
def test_kinds(search: Search, kinds: tuple[str, ...]) -> None:
    """Only provisions of some kinds are found."""
    result = search.search(SearchOptions("boat OR flags OR kinds", kinds=kinds, limit=90))

    assert result["hits"]
    assert {item["kind"] for item in result["hits"]} <= set(kinds)


def test_filters_ever(search: Search) -> None:
    """With --ever, both filters also apply, and hits have their number of that time."""
    result = search.search(SearchOptions("boat", ever=True, within="5", kinds=("rule",), limit=99))

    assert result["hits"]
    assert [
        item["number"] for item in result["hits"] if not (item["number"] or "").startswith("5")
    ] == []
    assert {item["kind"] for item in result["hits"]} == {"rule"}


def test_an_old_edition(search: Search, base: KnowledgeBase) -> None:
    """In an old edition, its own provisions answer, with their present numbers."""
    result = search.search(SearchOptions("harbor", on=OLD, limit=99))

    assert set(names(result)[:2]) == {"217.5", "glossary: Harbor"}
    assert hit(result, "217.5")["now"] == "403"
    printed = {provision.number for provision in base.provisions(base.edition(OLD))}
    for item in result["hits"]:
        assert item["edition"] == OLD
        assert item["stood"] == []
        assert item["number"] is None or item["number"] in printed


def test_the_current_edition_by_its_date(search: Search) -> None:
    """The answer is the same with and without the name of the current edition."""
    assert search.search(SearchOptions("tide", on=LAST)) == search.search(SearchOptions("tide"))
    assert search.search(SearchOptions("tide", on="latest")) == search.search(SearchOptions("tide"))


def test_ever(search: Search, base: KnowledgeBase) -> None:
    """Among all texts, each lineage is one hit, with its periods and its present name."""
    result = search.search(SearchOptions("harbor OR bay", ever=True, limit=99))

    lines: list[int] = []
    for item in result["hits"]:
        match = base.show(item["number"] or item["heading"], on=item["edition"])[0]
        lines.append(base.texts.lines[match.state.id])
        assert item["stood"]
        assert any(first <= item["edition"] <= last for first, last in item["stood"])
        assert all(first <= last for first, last in item["stood"])
    assert len(lines) == len(set(lines)) > 20


def test_ever_dates_the_words_asked_for(search: Search, base: KnowledgeBase) -> None:
    """Words count as in force while any reading of their rule has them."""
    phrase = "the zone between the"
    result = search.search(SearchOptions(f'"{phrase}"', ever=True, limit=99))

    reworded = 0
    for item in result["hits"]:
        match = base.show(item["number"] or item["heading"], on=item["edition"])[0]
        line, lines = base.texts.lines[match.state.id], base.texts.lines
        states = base.texts.rows([state for state, own in enumerate(lines) if own == line])
        saying = [state for state, row in states.items() if phrase in row.body.lower()]
        expected = base.texts.stood(saying)
        reworded += len({states[state].body for state in saying}) > 1
        labels = base.labels
        assert item["stood"] == [[labels[first], labels[last]] for first, last in expected]
    assert reworded


# The form ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "options",
    [
        SearchOptions("boat sails"),
        SearchOptions("haven"),
        SearchOptions("gleem"),
        SearchOptions("511"),
        SearchOptions("702.1*"),
        SearchOptions("7."),
        SearchOptions("NOT boat"),
        SearchOptions("harbor", ever=True),
        SearchOptions("zone", on=OLD),
    ],
    ids=str,
)
def test_json_fits_its_schema(search: Search, options: SearchOptions) -> None:
    """The JSON has the form that docs/json.md promises."""
    assert_fits(search.search(options), "search")


def test_snippets_are_of_the_text(search: Search) -> None:
    """Without its marks, a snippet is a part of the text or, without a text, the heading."""
    for query in ("boat sail", "player hoist", "harbor", "skim*", "704.5", "general"):
        for item in search.search(SearchOptions(query, ever=True, limit=50))["hits"]:
            assert item["snippet"].replace("**", "") in (item["text"] or item["heading"])


@pytest.mark.parametrize(
    "query", ["boat sail", "the", "player OR card", "harbor", "7.", "NOT boat"]
)
def test_answers_are_the_same_every_time(search: Search, folder: Path, query: str) -> None:
    """Equal questions have equal answers, in any order."""
    with Search.open(folder, today=TODAY) as another:
        for options in (
            SearchOptions(query, limit=60),
            SearchOptions(query, ever=True),
            SearchOptions(query, on=OLD),
        ):
            assert search.search(options) == another.search(options) == search.search(options)


# Errors --------------------------------------------------------------------------------------


def test_error_query(search: Search) -> None:
    """A query that cannot be read is refused."""
    with pytest.raises(QueryError) as caught:
        search.search(SearchOptions("boat AND"))

    assert str(caught.value) == "boat AND: AND at character 6 has nothing after it"


def test_error_no_such_edition(search: Search) -> None:
    """An unknown edition gives an error."""
    with pytest.raises(NoEditionError) as caught:
        search.search(SearchOptions("boat", on="yesterday"))

    assert str(caught.value).startswith("no edition is called 'yesterday'")


def test_error_nothing_to_search_within(search: Search) -> None:
    """A number that the edition lacks gives an error."""
    with pytest.raises(NotFoundError) as caught:
        search.search(SearchOptions("boat", within="999"))

    assert str(caught.value).startswith("999: no edition has had this number")


# Tiny bases ----------------------------------------------------------------------------------


@pytest.fixture
def tiny(tmp_path: Path) -> Path:
    """Return a base of two tiny editions."""
    moved = RULES | {"101.1.": BELLS, "101.2.": WICK, "101.3.": OARS, "101.4.": FERRY}
    for place, rules in enumerate([RULES, moved]):
        (tmp_path / f"{place}.txt").write_bytes(rulebook(DAYS[place], rules, GLOSSARY))
    build(tmp_path / "kb", sorted(tmp_path.glob("*.txt")))
    return tmp_path / "kb"


@pytest.mark.parametrize("on", ["first", "latest"])
def test_the_number_of_the_edition(tiny: Path, on: str) -> None:
    """A hit has its number in the searched edition."""
    with Search.open(tiny, today=TODAY) as search:
        result = search.search(SearchOptions("oars drifted", on=on))

    assert names(result)[0] == ("101.2" if on == "first" else "101.3")
    assert result["hits"][0]["now"] == "101.3"


def test_a_text_that_moved_is_found_once(tiny: Path) -> None:
    """With --ever, a text that changed only its number is one hit, in force throughout."""
    with Search.open(tiny, today=TODAY) as search:
        result = search.search(SearchOptions('"oars that were lost"', ever=True))

    (first,) = result["hits"]
    assert (first["number"], first["now"]) == ("101.3", "101.3")
    assert first["stood"] == [["2020-06-05", "2021-07-06"]]


def test_before_the_first_edition(tiny: Path) -> None:
    """An edition that is not in force yet can be searched by name."""
    with Search.open(tiny, today=date(2019, 1, 1)) as search:
        result = search.search(SearchOptions("oars", on="first"))
        ever = search.search(SearchOptions("oars", ever=True))

    assert names(result)
    assert names(ever)
