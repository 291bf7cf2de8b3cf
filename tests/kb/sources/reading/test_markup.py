"""HTML and wikitext as displayed lines."""

import pytest

from variorum_kb.errors import LayoutError
from variorum_kb.sources.reading.exports import read_export
from variorum_kb.sources.reading.markup.html_repair import close_implied
from variorum_kb.sources.reading.markup.webpage import read_webpage
from variorum_kb.sources.reading.markup.wikitext import read_wikitext
from variorum_kb.sources.reading.passages.passages import LineRole, PassageKind
from variorum_kb.sources.recognise_kind import read_partial


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
        ("<hr><li>a<hr><p>b<br/><p>c</div>", "<hr><li>a<hr><p>b<br/></p><p>c</div>"),
        ("<p>a<button><p>b<td>c<td>d", "<p>a<button><p>b<td>c</td><td>d"),
        (f"<li>{'<b>' * 63}<li>", f"<li>{'<b>' * 63}</li><li>"),
        (f"<li>{'<b>' * 64}<li>", f"<li>{'<b>' * 64}<li>"),
        (f"<!{'x' * 998}>a", "a"),
        (f"<!{'x' * 999}>a", f"&lt;!{'x' * 999}>a"),
        ("<?x?>a <!y", "a &lt;!y"),
        ("a</script\n>b<style>c\n</STYLE >d", "a\nb\nd"),
    ],
)
def test_implied(page: str, expected: str) -> None:
    """Elements that HTML closes implicitly are closed; invisible ones are left out."""
    assert close_implied(page, "page.html") == expected


def test_deepest() -> None:
    """HTML may be nested 512 levels deep, wikitext 100, and an export 59."""
    close_implied("<div>" * 512, "a.html")
    read_wikitext("{{" * 100, "a.wiki")
    assert read_export("[" * 59, "a.json") is None
    for read, page in (
        (close_implied, "<div>" * 513),
        (read_wikitext, "{{" * 101),
        (read_export, "[" * 60),
    ):
        with pytest.raises(LayoutError, match="nested more than"):
            read(page, "a")


@pytest.mark.parametrize(("nested", "title"), [(10, "Tides"), (11, "")])
def test_title_of_an_export(nested: int, title: str) -> None:
    """Only the first objects of an export have its title."""
    objects = ", ".join([f'"o{place}": {{"x": "1"}}' for place in range(1, nested)])
    page = f'{{{objects}, "last": {{"title": "Tides"}}, "705.1": "A lamp burns."}}'

    shown = read_export(page, "a.json")

    assert shown is not None
    assert shown.title == title


@pytest.mark.parametrize(("words", "expected"), [(999, "x" * 999), (1000, "[http://a.b ")])
def test_longest_link(words: int, expected: str) -> None:
    """Up to a thousand characters of a link are its words."""
    (line,) = read_wikitext(f"[http://a.b {'x' * words}]", "a.wiki").lines

    assert line.text.startswith(expected)


def test_webpage_lines() -> None:
    """Blocks begin lines, breaks end them, and lines have their place in the source."""
    page = "<html><body><nav>Home</nav><p>one <b>two</b>\nthree<br>four</p>\n<pre>\n a  b\n</pre></body>"

    webpage = read_webpage(page, "page.html")

    assert [(line.text, line.number, line.role) for line in webpage.lines] == [
        ("Home", 1, LineRole.NAVIGATION),
        ("one two three", 1, None),
        ("four", 2, None),
        ("a  b", 4, None),
    ]


@pytest.mark.parametrize("place", ["mw-content-text", "mw-navigation", "mw-head", "siteSub"])
def test_parts_of_a_wiki(place: str) -> None:
    """A page with a part that only wikis have is a wiki page."""
    assert read_webpage(f"<p id={place}>705.1. A lamp.</p>", "page.html").is_wiki
    assert not read_webpage("<p id=content>705.1. A lamp.</p>", "page.html").is_wiki


def test_wikitext_lines() -> None:
    """Links become their words and symbols stay; references and unknown templates are removed."""
    page = "A '''[[lamp|light]]''' [http://a.b of oil] {{W}}<ref>x</ref> {{foo|bar}}\n* [[B]]s &amp; {{c|D}}"

    wikitext = read_wikitext(page, "page.wiki")

    assert [(line.text, line.role) for line in wikitext.lines] == [
        ("A light of oil {W}", None),
        ("<ref>x</ref>", LineRole.REFERENCES),
        ("{{foo|bar}}", LineRole.TEMPLATE),
        ("Bs & D", None),
    ]


def test_wikitext_links_to_rules() -> None:
    """A link to a rule gives its words; a link to another language gives nothing."""
    wikitext = read_wikitext("See [[CR:705|rule 705]]. [[de:Lampe]]", "page.wiki")

    assert [(line.text, line.role) for line in wikitext.lines] == [
        ("See rule 705.", None),
        ("[[de:Lampe]]", LineRole.NAVIGATION),
    ]


def test_wikitext_day_of_a_quotation() -> None:
    """A template may have the set and the day separately."""
    wikitext = read_wikitext(
        "{{CR|set=Harbor|date=May 4, 2024|text=\n*705.1. A lamp.}}", "page.wiki"
    )

    assert [(line.text, line.role) for line in wikitext.lines] == [
        ("Harbor, May 4, 2024", LineRole.STAMP),
        ("705.1. A lamp.", None),
    ]


def test_footnotes() -> None:
    """A footnote mark is removed, even if only its place identifies it."""
    webpage = read_webpage(
        "<p>A lamp burns.<sup>[2]</sup></p><p>On the 2<sup>nd</sup> day.</p>", "p"
    )

    assert [(line.text, line.role) for line in webpage.lines] == [
        ("A lamp burns.", None),
        ("[2]", LineRole.REFERENCES),
        ("On the 2nd day.", None),
    ]


def shown(page: str) -> list[tuple[str, LineRole | None]]:
    """Return the lines of a page with the roles of their markup or place."""
    return [(line.text, line.role) for line in read_webpage(page, "page.html").lines]


def test_roles_hold_for_what_is_inside() -> None:
    """All lines of an author's part are about the author, also a link of its own."""
    lines = shown("<div class='byline'><p>Ann</p><nav>More by Ann</nav></div><p>705.1. A lamp.</p>")

    assert [role for _, role in lines] == [LineRole.AUTHOR, LineRole.AUTHOR, None]


@pytest.mark.parametrize(
    ("picture", "expected"),
    [
        ('<img alt="{W}" src="w.png">', "{W}"),
        ('<img alt=" {2}{W/U} ">', "{2}{W/U}"),
        ('<img alt="A lamp {lit}">', ""),
        ('<noscript><img alt="{W}"></noscript><img alt="{W}" class="lazy">', "{W}"),
        ('<span><img alt="{W}" data-src="w"></span><noscript><img alt="{W}"></noscript>', "{W}"),
        ('<noscript>Lamps need scripts. <img alt="{W}"></noscript>', ""),
    ],
)
def test_symbols_in_pictures(picture: str, expected: str) -> None:
    """A picture of a symbol gives this symbol once; any other picture gives nothing."""
    (line,) = shown(f"<p>Pay[{picture}].</p>")

    assert line[0].replace(" ", "") == f"Pay[{expected}]."


LAMPS = "<p>705.1. A lamp burns.</p><h2>Glossary</h2>"


@pytest.mark.parametrize(
    ("entries", "foot"),
    [
        ("<p><b>Lamp</b><br>A light at the bay.</p>", "<p>Page generated in 0.1 seconds.</p>"),
        ("<p><b>Lamp</b><br>A light at the bay.</p>", "<p>Home | Tides</p><p>© 2004 Ede</p>"),
        ("<dl><dt>Lamp<dd>A light at the bay.</dl>", "<div class='footer'>Build 3</div>"),
        ("<dl><dt>Lamp<dd>A light at the bay.</dl>", "<div role='contentinfo'>Build 3</div>"),
    ],
)
def test_foot_of_a_glossary(entries: str, foot: str) -> None:
    """Text below the last definition is furniture, with or without a ruled line."""
    partial = read_partial(f"<html><body>{LAMPS}{entries}{foot}</body></html>".encode(), "a.html")

    last = partial.passages[-1]
    assert (last.kind, last.headword, last.text) == (
        PassageKind.GLOSSARY,
        "Lamp",
        "A light at the bay.",
    )
    assert LineRole.NAVIGATION in {furniture.role for furniture in partial.furniture}


@pytest.mark.parametrize(
    "entry",
    [
        "<hr><p><b>Oar</b><br>A blade that moves a boat.</p>",
        "<hr><h3>Oar</h3><p>A blade that moves a boat.</p>",
        "<hr><dl><dt>Oar<dd>A blade that moves a boat.</dl>",
    ],
)
def test_lines_between_definitions(entry: str) -> None:
    """A ruled line between definitions, or the end of a list, does not end the glossary."""
    head = "<p><b>Lamp</b><br>A light at the bay.</p>"

    lines = shown(f"<html><body>{LAMPS}{head}{entry}</body></html>")

    assert lines[-2:] == [("Oar", None), ("A blade that moves a boat.", None)]


def test_foot_of_a_page() -> None:
    """Lines about the page are not part of a rule; the day in them is the page's."""
    page = "<p>705.1. A lamp burns.</p><hr><p>Last updated: May 6, 2014</p><p>© 2014 Ede</p>"

    webpage = read_webpage(f"<body>{page}</body>", "page.html")

    assert [line.role for line in webpage.lines] == [None, LineRole.DATE, LineRole.NAVIGATION]
    assert webpage.dated is not None
    assert (webpage.dated.words, str(webpage.dated.day)) == (
        "Last updated: May 6, 2014",
        "2014-05-06",
    )


def test_way_back() -> None:
    """A link back to the top is not part of the rule above it."""
    assert shown("<p>705.1. A lamp burns.</p><p>Back to top</p><p>705.2. It dims.</p>") == [
        ("705.1. A lamp burns.", None),
        ("Back to top", LineRole.NAVIGATION),
        ("705.2. It dims.", None),
    ]


def test_numbers_without_words() -> None:
    """Consecutive numbers are contents; a single one is a rule's number."""
    items = "".join(f"<li><a href='#{word}'>{word}</a></li>" for word in ("705", "705.1", "705.2a"))
    page = f"<p>Jump to: 705.1 | 705.2 | 706</p><ul>{items}</ul><dl><dt>705.1<dd>A lamp.</dl>"

    partial = read_partial(f"<html><body>{page}</body></html>".encode(), "a.html")

    assert [furniture.role for furniture in partial.furniture] == [LineRole.CONTENTS] * 4
    assert [(passage.number, passage.text) for passage in partial.passages] == [
        ("705.1", "A lamp.")
    ]


def test_numbers_as_terms() -> None:
    """A definition list whose terms are numbers has rules, with their examples."""
    items = "<dt>705.1<dd>A lamp burns.<dd>Example: Ede lights it.<dt>705.1a<dd><p>It dims.</p>"

    partial = read_partial(f"<html><body><dl>{items}</dl></body></html>".encode(), "a.html")

    assert [(passage.number, passage.text, passage.examples) for passage in partial.passages] == [
        ("705.1", "A lamp burns.", ("Ede lights it.",)),
        ("705.1a", "It dims.", ()),
    ]


def test_wikitext_words_in_angles() -> None:
    """Only tags of wikis are tags; other words in angle brackets are text."""
    page = "* 705.1. <b>Light</b> <This lamp> <BR/>or <oil type><small class='x'>!</small>"

    wikitext = read_wikitext(page, "page.wiki")

    assert [line.text for line in wikitext.lines] == ["705.1. Light <This lamp>", "or <oil type>!"]


def test_wikitext_never_closed() -> None:
    """A template that is never closed is text, with a note."""
    wikitext = read_wikitext("A lamp {{CR|x\n*705. B", "page.wiki")

    assert [line.text for line in wikitext.lines] == ["A lamp {{CR|x", "705. B"]
    assert wikitext.notes == ("1 never closed: {{",)


def test_error_too_long() -> None:
    """A page that is too long is refused before it is parsed."""
    with pytest.raises(LayoutError, match="9 million characters of HTML"):
        read_webpage("<p>" * 3_000_001, "page.html")
