"""Partial documents: each layout is read without loss, and others are refused."""

import html
import random
import textwrap

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.kb.sources.reading.pages import ARTICLE, EXCERPT, FRAGMENT, PAGES, RULINGS
from variorum_kb.build.build import load_sample
from variorum_kb.errors import DocumentError, EncodingError, LayoutError
from variorum_kb.model import Kind
from variorum_kb.sources.reading.page import is_complete_edition
from variorum_kb.sources.reading.passages.passages import Partial, PassageKind, SourceLayout
from variorum_kb.sources.recognise_kind import read_partial


def read(text: str) -> Partial:
    """Read a page of these tests."""
    return read_partial(text.encode(), "page.txt")


@pytest.mark.parametrize("name", PAGES)
def test_pages(name: str) -> None:
    """Each page is read completely as its own kind, with offsets within its words."""
    partial = read(PAGES[name])

    assert partial.layout.value == name.partition(",")[0]
    ledger = partial.ledger
    assert ledger.is_complete
    assert ledger.lines == PAGES[name].count("\n")
    assert ledger.blank + sum(number for _, number in ledger.accounted) == ledger.lines
    for passage in partial.passages:
        assert 1 <= passage.first <= passage.last <= ledger.lines
        for paragraph in passage.paragraphs:
            for claim in paragraph.claims:
                assert 0 <= claim.start < claim.end <= len(paragraph.text)
        for quotation in passage.quotations:
            assert 0 <= quotation.start < quotation.end <= len(passage.text)


@given(st.text(alphabet="lamp boat.\n705.1a –“”|[{<>}]'/=*br-:", max_size=300))
def test_anything_is_accounted_for(text: str) -> None:
    """Any document is read completely, or gives one of our errors."""
    try:
        partial = read(text)
    except DocumentError:
        return

    assert partial.ledger.is_complete


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(20))
def test_cut_editions(seed: int) -> None:
    """A piece of an edition, cut anywhere, is read completely, with the edition's rules."""
    edition = list(load_sample())[-1]
    rules = {
        (provision.number, provision.text)
        for provision in edition.provisions
        if provision.kind is Kind.SUBRULE
    }
    text = "\n\n".join(
        f"{provision.number} {provision.text}"
        for provision in edition.provisions
        if provision.kind is Kind.SUBRULE
    )
    start = random.Random(seed).randrange(len(text) - 3000)

    partial = read(text[start : start + 3000])

    assert partial.ledger.is_complete
    whole = list(partial.of(PassageKind.RULE))[1:-1]
    assert len(whole) > 3
    assert {(passage.number, passage.text) for passage in whole} <= rules


def test_other_settings_of_rulings() -> None:
    """A rulings page gives the same result as one line, and as three kinds of HTML."""
    expected = read(RULINGS)
    bare = RULINGS.replace("|", "")

    pages = [
        " ".join(RULINGS.split()),
        f"<html><body><table><tr><td>{html.escape(bare)}</td></tr></table></body></html>",
        f"<html><body><pre>{html.escape(bare)}</pre></body></html>",
        "<html><body>" + html.escape(bare).replace("\n", "<br>\n") + "</body></html>",
    ]

    for page in pages:
        partial = read(page)
        assert [
            (p.kind, p.number, p.heading, p.text, p.examples, p.about) for p in partial.passages
        ] == [(p.kind, p.number, p.heading, p.text, p.examples, p.about) for p in expected.passages]
        assert [p.claims for p in partial.passages] == [p.claims for p in expected.passages]
        assert partial.edition is not None
        assert str(partial.edition.day) == "2009-04-02"


def test_other_settings_of_excerpts() -> None:
    """An excerpt gives the same result wrapped, in other encodings, and as one line."""
    long = EXCERPT.replace("names a side", "names, slowly and aloud, so that all may hear, a side")
    expected = [(p.number, p.heading, p.text, p.examples) for p in read(long).passages]

    wrapped = "\n\n".join(textwrap.fill(line, 40) for line in long.split("\n\n"))
    partials = [
        read_partial(data, "page.txt")
        for data in (
            wrapped.encode(),
            long.encode("cp1252"),
            long.encode("mac_roman"),
            long.encode("utf-16"),
            long.replace("\n", "\r\n").encode("utf-8-sig"),
            " ".join(long.split()).encode(),
        )
    ]

    for partial in partials:
        assert [(p.number, p.heading, p.text, p.examples) for p in partial.passages] == expected


def test_fragment_is_cut() -> None:
    """A fragment records where it begins and ends within a sentence."""
    partial = read(FRAGMENT.rstrip()[:-12])

    assert [p.is_cut_before for p in partial.passages][:2] == [True, False]
    assert [p.is_cut_after for p in partial.passages][-2:] == [False, True]
    assert [p.headword for p in partial.of(PassageKind.GLOSSARY)] == ["", "", ""]


def test_article_without_head() -> None:
    """Prose that addresses readers is an article, even without a title or an author."""
    partial = read(ARTICLE.split("\n\n", 3)[3])

    assert partial.layout is SourceLayout.ARTICLE
    assert (partial.title, partial.author, partial.dated) == ("", "", None)


@pytest.mark.parametrize(
    "words",
    ["by the steps of rules 409.1b-i.", "the numeral I is first.", "they are A, E, I, O, U."],
)
def test_numerals_are_no_people(words: str) -> None:
    """A lone I, as a letter or numeral, makes no article of rules without numbers."""
    page = f"The barge is loaded {words}\n\nA barge that is loaded leaves at dawn.\n"

    assert read(page).layout is SourceLayout.FRAGMENT
    assert read(page.replace("The barge", "I think the barge")).layout is SourceLayout.ARTICLE


def test_short_wrapped_paragraphs() -> None:
    """Wrapped paragraphs of two lines are joined, even with wrapped citations."""
    shown = [
        "The locker is the zone for lanterns that are used up. Each has its own.",
        "To lower a flag is to do what it says, as all of the players in 101.4a.",
        "The mast is the zone for flags. It is shared by all. See rule 217.7.",
        "A barge with a lantern may leave at dawn or at dusk, as its owner says.",
    ]
    page = "\n".join(textwrap.fill(text, 66) for text in shown)

    assert page.count("\n") == 2 * len(shown) - 1
    assert [passage.text for passage in read(page).passages] == shown


def test_words_broken_at_the_ends_of_lines() -> None:
    """A line that ends within a word continues below; a soft hyphen is shown at the break."""
    (passage,) = read("A barge that is loa-\nded leaves at dawn.\n").passages
    (second,) = read(
        "A barge that is loa\N{SOFT HYPHEN}\nded leaves at\N{SOFT HYPHEN} dawn.\n"
    ).passages

    assert passage.text == second.text == "A barge that is loa-ded leaves at dawn."


def test_editions_are_left_alone() -> None:
    """`reading` reads official editions; a part of one is a partial document."""
    result = is_complete_edition(EXCERPT.encode(), "page.txt")

    assert not result


BOMB = 100_000


@pytest.mark.parametrize(
    ("data", "error", "message"),
    [
        (b"", EncodingError, "the document is empty"),
        (b"PK\x03\x04", EncodingError, "a ZIP or a Word document, not a text"),
        (random.Random(1).randbytes(5000), EncodingError, "text in no known encoding"),
        (b"lamp " * 13_000_000, LayoutError, "65 MB: too large; a witness may have 64 MB"),
        (b"A lamp burns in here.\n" * 800_000, LayoutError, "17 million characters of plain text"),
        (b"<div>" * BOMB, LayoutError, "HTML nested more than 512 levels deep"),
        (b"{{CR|" * BOMB, LayoutError, "wikitext nested more than 100 levels deep"),
        (b"http://pilchard.example/\n" * 9, LayoutError, "no sentence that could quote rules"),
        (b"<html><script>705.1 A lamp.</script></html>", LayoutError, "no sentence that could"),
    ],
    ids=range(9),
)
def test_error_hostile(data: bytes, error: type[DocumentError], message: str) -> None:
    """A document that cannot be a witness is refused in one line."""
    with pytest.raises(error) as caught:
        read_partial(data, "page.txt")

    assert message in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.slow
@pytest.mark.parametrize(
    "sign", ["<!--", "<a", "<", "&#", "<![CDATA[", "<script>", "<a href='", "</"]
)
def test_hostile_html_is_quick(sign: str) -> None:
    """HTML that would slow the parser down never reaches it."""
    page = f"<html><p>705.1. A lamp burns in the bay.</p>{sign * BOMB}"

    partial = read(page)

    assert partial.passages[0].number == "705.1"


@pytest.mark.parametrize(
    "page",
    [
        "<p><p><p><p>A lamp burns in the bay.\n\n",
        "[[A]] lamp '''burns''' in [[the]] bay.\n\n\n",
        "[[A]] lamp '''burns''' in [[the]] bay.\n======\n",
    ],
)
def test_blank_ends(page: str) -> None:
    """Blank lines at the end, and headings without words, are also accounted for."""
    ledger = read(page).ledger

    assert ledger.is_complete
    assert ledger.blank >= 0
    assert ledger.blank + sum(number for _, number in ledger.accounted) == ledger.lines


def test_scripts_are_no_text() -> None:
    """Scripts, styles and comments are markup; escaped tags are text, decoded once."""
    page = (
        "<html><head><style>b {}</style></head><body onload=x()><!-- 705.3 No. -->"
        "<script>document.write('705.2 No.')</script>"
        "<p>705.1. A &lt;script&gt;x()&lt;/script&gt; lamp &amp;amp; a boat.</p></body></html>"
    )

    partial = read(page)

    assert [p.text for p in partial.passages] == ["A <script>x()</script> lamp &amp; a boat."]
    assert [furniture.text for furniture in partial.furniture] == []
