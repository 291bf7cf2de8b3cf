"""HTML and wikitext as shown lines."""

import pytest

from variorum_kb.errors import LayoutError
from variorum_kb.witness.implied import close_implied
from variorum_kb.witness.passages import LineRole
from variorum_kb.witness.webpage import read_webpage
from variorum_kb.witness.wikitext import read_wikitext


@pytest.mark.parametrize(
    ("page", "expected"),
    [
        ("<p>one<p>two", "<p>one</p><p>two"),
        ("<ul><li>a<li>b<ul><li>c</ul></ul>", "<ul><li>a</li><li>b<ul><li>c</ul></ul>"),
        ("<a name=x>a<a name=y>b", "<a name=x>a</a><a name=y>b"),
        ("1 < 2 <!-- x\ny --> 3", "1 &lt; 2 \n 3"),
        ("<script>\n<p></script>a<style>b", "\na"),
        ("<!DOCTYPE html><p title='a > b'>c", "<p title='a > b'>c"),
        ("<!-- never closed", ""),
    ],
)
def test_implied(page: str, expected: str) -> None:
    """What HTML closes by itself is closed; what shows nothing is gone."""
    assert close_implied(page, "page.html") == expected


def test_webpage_lines() -> None:
    """Blocks begin lines, breaks end them, and lines know where they stand in the source."""
    page = "<html><body><nav>Home</nav><p>one <b>two</b>\nthree<br>four</p>\n<pre>\n a  b\n</pre></body>"

    found = read_webpage(page, "page.html")

    assert [(line.text, line.number, line.role) for line in found.lines] == [
        ("Home", 1, LineRole.NAVIGATION),
        ("one two three", 1, None),
        ("four", 2, None),
        ("a  b", 4, None),
    ]


def test_wikitext_lines() -> None:
    """Links show their words, symbols themselves; references and unknown templates stand aside."""
    page = "A '''[[lamp|light]]''' [http://a.b of oil] {{W}}<ref>x</ref> {{foo|bar}}\n* [[B]]s &amp; {{c|D}}"

    found = read_wikitext(page, "page.wiki")

    assert [(line.text, line.role) for line in found.lines] == [
        ("A light of oil {W}", None),
        ("<ref>x</ref>", LineRole.REFERENCES),
        ("{{foo|bar}}", LineRole.TEMPLATE),
        ("Bs & D", None),
    ]


def test_wikitext_links_to_rules() -> None:
    """A link to a rule shows its words; a link to another language shows nothing."""
    found = read_wikitext("See [[CR:705|rule 705]]. [[de:Lampe]]", "page.wiki")

    assert [(line.text, line.role) for line in found.lines] == [
        ("See rule 705.", None),
        ("[[de:Lampe]]", LineRole.NAVIGATION),
    ]


def test_wikitext_day_of_a_quotation() -> None:
    """A template may name the set and the day apart."""
    found = read_wikitext("{{CR|set=Harbor|date=May 4, 2024|text=\n*705.1. A lamp.}}", "page.wiki")

    assert [(line.text, line.role) for line in found.lines] == [
        ("Harbor, May 4, 2024", LineRole.STAMP),
        ("705.1. A lamp.", None),
    ]


def test_footnotes() -> None:
    """The sign of a footnote stands aside, also where nothing but its place says what it is."""
    found = read_webpage("<p>A lamp burns.<sup>[2]</sup></p><p>On the 2<sup>nd</sup> day.</p>", "p")

    assert [(line.text, line.role) for line in found.lines] == [
        ("A lamp burns.", None),
        ("[2]", LineRole.REFERENCES),
        ("On the 2nd day.", None),
    ]


def test_wikitext_never_closed() -> None:
    """A template that is never closed is text, and noted."""
    found = read_wikitext("A lamp {{CR|x\n*705. B", "page.wiki")

    assert [line.text for line in found.lines] == ["A lamp {{CR|x", "705. B"]
    assert found.notes == ("1 never closed: {{",)


def test_error_too_long() -> None:
    """A page longer than any is refused before it is parsed."""
    with pytest.raises(LayoutError, match="9 million characters of HTML"):
        read_webpage("<p>" * 3_000_001, "page.html")
