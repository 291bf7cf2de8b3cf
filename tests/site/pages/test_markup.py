"""Rules text as markup."""

from hypothesis import given
from hypothesis import strategies as st

from tests.pages.built_site import Document
from variorum_kb.rows import State
from variorum_site.pages.markup import Html, Span, set_pieces, set_provision, set_text


def state(body: str, heading: str = "", kind: str = "rule") -> State:
    """Return a state with some words."""
    return State(kind, "100.1", "100.1", heading, body, "100", "", "")


def test_spans_become_links() -> None:
    """Citations and terms are linked; everything else is escaped."""
    html = set_text("a < b, see 100.1", [Span(0, 1, "x", "t"), Span(11, 16, "y")])

    assert html == '<a class="t" href="x">a</a> &lt; b, see <a href="y">100.1</a>'


def test_spans_inside_others_are_left_out() -> None:
    """Links are never inside each other."""
    assert set_text("abcd", [Span(0, 3, "x"), Span(1, 2, "y")]) == '<a href="x">abc</a>d'


@given(st.text(), st.lists(st.tuples(st.integers(0, 9), st.integers(0, 9))))
def test_words_stay(text: str, places: list[tuple[int, int]]) -> None:
    """Links do not change the words of the text."""
    spans = [Span(start, stop, "x") for start, stop in sorted(places) if start < stop]

    page = Document(set_text(text.replace("\r", ""), spans))

    assert page.words == text.replace("\r", "")
    assert page.unclosed == []


def test_examples_have_offsets_of_their_own() -> None:
    """Offsets count the text before the examples, in any printed order."""
    body = "See 1.\n\x1eExample:\x1fSee 2.\nSee 3."
    spans = [Span(4, 5, "one"), Span(11, 12, "three"), Span(18, 19, "two")]

    whole = set_provision(state(body), "", "", spans).whole()

    assert 'See <a href="one">1</a>' in whole
    assert '<p class="eg"><b>Example:</b> See <a href="two">2</a>' in whole
    assert 'See <a href="three">3</a>' in whole


def test_a_mark_stands_behind_the_number() -> None:
    """A provision is rendered once, and marked if an edition changed it."""
    setting = set_provision(state("Words."), "100.1", "<b>100.1</b>", [])

    assert setting.whole("NEW ").startswith(
        '<p class="rule" id="100.1"><b>100.1</b> NEW Words.</p>'
    )


def test_only_examples() -> None:
    """A provision that begins with an example has a paragraph for its number."""
    whole = set_provision(state("\x1eExample:\x1fA."), "", "1", []).whole()

    assert whole == '<div class="rule"><p>1 </p><p class="eg"><b>Example:</b> A.</p></div>\n'


def test_a_title_is_not_said_twice() -> None:
    """On its own page, a provision's heading is only in the title."""
    assert "<h2>" not in set_provision(state("A.", "Title"), "", "1", [], None).whole()
    assert (
        set_provision(state("", "Title"), "", "1", [], None).whole() == '<div class="rule"></div>\n'
    )


def test_diff() -> None:
    """Removed words are struck, added ones underlined; long unchanged runs are shortened."""
    words = " ".join(f"w{place}" for place in range(40))
    pieces = set_pieces([("=", f"{words} "), ("-", "old "), ("+", "new"), ("=", ", end.")])

    assert pieces == "… w33 w34 w35 w36 w37 w38 w39 <del>old</del> <ins>new</ins>, end."


def test_diff_escapes() -> None:
    """Special characters in the words are escaped."""
    assert set_pieces([("-", "<b>")]) == "<del>&lt;b&gt;</del>"


def test_html_is_not_escaped_again() -> None:
    """Templates do not escape markup again."""
    assert Html("<b>").__html__() == "<b>"
