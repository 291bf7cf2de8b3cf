"""The ranking of texts."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from variorum_kb.search.indexes.text_table import IndexedText, TextWriter, text_of_row
from variorum_kb.search.queries.query_groups import Group
from variorum_kb.search.queries.rank import ScoreParts, SoughtWords, parts_of, score, stands_in
from variorum_kb.text.search_words import plain_words
from variorum_kb.text.stems import stem_of

FILLER = "the keeper rows across at noon while gulls look on from the wall and bells ring "


def document(  # noqa: PLR0913 - each says one thing, and is named
    text: str = "",
    *,
    heading: str = "",
    above: str = "",
    examples: str = "",
    kind: str = "rule",
    cited: int = 0,
) -> IndexedText:
    """Return a text to rank."""
    writer = TextWriter()
    headings = plain_words(heading), plain_words(above)
    spelt = writer.spelt(kind, headings, f"{text}\n{examples}".strip(), len(text))
    return text_of_row(spelt.row, cited, writer.alphabet())


def group(words: str, tells: float = 1.0, **more: bool) -> Group:
    """Return a group of a query."""
    asked = tuple(words.split())
    stems = [tuple(map(stem_of, asked))]
    result = Group(asked, stems=stems)
    result.tells = tells
    for name, value in more.items():
        setattr(result, name, value)
    return result


LAMP, OIL, BOAT = group("lamp"), group("oil"), group("boat")


def scored(groups: list[Group], points: list[float], indexed_text: IndexedText) -> float:
    """Return the score of a text whose groups have some weights."""
    return score(SoughtWords(groups, indexed_text.alphabet), points, indexed_text)


def parts_scored(groups: list[Group], points: list[float], indexed_text: IndexedText) -> ScoreParts:
    """Return the parts of that score."""
    return parts_of(SoughtWords(groups, indexed_text.alphabet), points, indexed_text)


def rated(groups: list[Group], indexed_text: IndexedText) -> float:
    """Return the score of a text whose groups have equal weights."""
    return scored(groups, [0.5] * len(groups), indexed_text)


@pytest.mark.parametrize(
    ("groups", "better", "worse"),
    [
        ([LAMP], document("x", heading="Lamps"), document("x lamps")),
        ([LAMP], document("x", heading="Lamps"), document("x", heading="Lamps and Other Things")),
        ([LAMP], document("a lamp", above="Lamps"), document("a lamp", above="Boats")),
        ([LAMP], document(f"lamp {FILLER}"), document(f"{FILLER} lamp")),
        ([LAMP], document("lamp", cited=9), document("lamp", cited=1)),
        ([LAMP], document("lamp"), document("lamp", kind="chapter")),
        ([LAMP, OIL], document("lamp oil"), document("oil lamp")),
        ([LAMP, OIL], document("oil lamp"), document(f"oil {FILLER} lamp")),
        ([LAMP, OIL], document("lamp and oil"), document("lamp and then there is oil")),
        ([LAMP, OIL], document("lamp oil x"), document("x", examples="lamp oil")),
        ([LAMP, OIL, BOAT], document("lamp oil boat"), document("lamp boat oil")),
        ([LAMP, OIL], document("x", heading="Lamp Oil"), document("x", heading="Oil", above="Lamp")),
    ],
)  # fmt: skip
def test_better(groups: list[Group], better: IndexedText, worse: IndexedText) -> None:
    """The better of two texts has the higher score."""
    assert rated(groups, better) > rated(groups, worse)


def test_a_name_whose_words_stand_apart() -> None:
    """A name counts less if its words are not consecutive."""
    name = [group("lamp oil")]

    together, apart = document(f"x {FILLER} lamp oil"), document(f"x {FILLER} lamp and oil")

    assert rated(name, together) > rated(name, apart) > 0


def test_words_of_the_question_say_nothing_of_the_place() -> None:
    """Question words count neither as early nor as near."""
    asking = group("how", 0.2, is_asking=True)

    parts = parts_scored([asking, LAMP], [0.5, 0.5], document("how lamp"))

    assert parts.near == 0.0
    assert parts.early == pytest.approx((1 - 1 / 12) / 1.2)


@pytest.mark.parametrize(
    ("text", "examples", "share"),
    [
        ("lamp oil boat", "", 1.0),
        ("x lamp oil x boat", "", 2 / 3),
        ("lamp x oil boat", "", 2 / 3),
        ("boat oil lamp", "", 0.0),
        ("lamp", "", 0.0),
        ("x", "lamp oil boat", 0.0),
        ("lamp oil", "boat", 2 / 3),
        ("lamp lamp oil boat boat", "", 1.0),
    ],
)
def test_rows(text: str, examples: str, share: float) -> None:
    """Consecutive words count as a share of the query, only within paragraphs."""
    parts = parts_scored([LAMP, OIL, BOAT], [0.5] * 3, document(text, examples=examples))

    assert parts.row == pytest.approx(share)


@pytest.mark.parametrize(
    ("between", "weight"), [(0, 1.0), (1, 0.7), (2, 0.7), (3, 0.4), (5, 0.4), (12, 0.15), (13, 0.0)]
)
def test_nearness(between: int, weight: float) -> None:
    """The more words are between two words, the less near they are."""
    text = " ".join(["lamp", *["x"] * between, "oil"])

    assert parts_scored([LAMP, OIL], [0.5, 0.5], document(text)).near == pytest.approx(weight / 2)


@pytest.mark.parametrize(
    ("heading", "fits"), [("", 0.0), ("Lamps", 1.0), ("Lamp Rooms", 0.5), ("Boats", 0.0)]
)
def test_fit_of_a_heading(heading: str, fits: float) -> None:
    """A heading fits by the share of its words that the query names."""
    assert parts_scored([LAMP], [0.5], document("x", heading=heading)).fits == fits


def test_nothing_asked() -> None:
    """If the query only excludes words, all texts are equally good."""
    assert scored([], [], document("a lamp", heading="Lamps")) == 0.0


@pytest.mark.parametrize(
    ("words", "is_there"),
    [(("lamp",), True), (("oil", "lamp"), True), (("lamp", "oil"), False), (("boat",), True),
     (("bay",), True), (("anchor",), False)],
)  # fmt: skip
def test_stands_in(words: tuple[str, ...], is_there: bool) -> None:
    """The consecutive words are in a text, its heading or the heading above."""
    result = document("oil lamps", heading="Boats", above="Bay")

    assert stands_in(result, tuple(map(stem_of, words))) is is_there


words = st.lists(st.sampled_from(["lamp", "oil", "boat", "x", "y"]), max_size=12).map(" ".join)


@given(words, words, words, words, st.integers(0, 99))
def test_score_is_sound(text: str, heading: str, above: str, examples: str, cited: int) -> None:
    """A score is never negative, and shares are between 0 and 1."""
    result = document(text, heading=heading, above=above, examples=examples, cited=cited)
    groups = [LAMP, group("oil lamp"), group("boat", is_spread=True)]

    parts = parts_scored(groups, [0.5, 0.2, 0.0], result)

    shares = (parts.covered, parts.covered_apart, parts.titled, parts.fits, parts.row)
    assert all(0.0 <= share <= 1.0 for share in (*shares, parts.under, parts.early))
    assert scored(groups, [0.5, 0.2, 0.0], result) >= 0
