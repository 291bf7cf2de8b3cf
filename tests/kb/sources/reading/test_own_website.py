"""Pages of this project's website mark each provision."""

from variorum_kb.sources.reading.passages.passages import Partial, PassageKind, SourceLayout
from variorum_kb.sources.recognise_kind import read_partial

HEAD = '<html><head><meta name="generator" content="Variorum"><title>705</title></head><body>'
BODY = (
    '<nav><a href="/">Home</a></nav><main><h1><span class="n">705</span> Flipping a Coin</h1>'
    '<p class="asof"><b>705</b> As of <time>2010-01-22</time>, since replaced</p>'
    '<div class="text"><p class="note">This section: <a class="m" href="#">was 511</a></p>'
    '<div class="p section" id="705"></div>'
    '<div class="p rule" id="705.1"><p><a class="n" href="#">705.1</a> '
    '<a class="m" href="#">new</a> a keeper tosses a coin.</p><p>It lands.</p>'
    '<p class="eg"><b>Example:</b> Ede tosses one.</p></div></div>'
    '<article class="gone"><div class="text"><div class="p rule"><p><b class="n">705.9</b> Old.</p>'
    "</div></div></article></main></body></html>"
)


def read(html: str) -> Partial:
    """Read a page."""
    return read_partial(html.encode(), "a.html")


def test_page() -> None:
    """Heading, rule, paragraphs and examples are read as marked; other text is not read."""
    partial = read(HEAD + BODY)

    assert partial.layout is SourceLayout.HYPERLINKED
    assert [(passage.kind, passage.number, passage.heading) for passage in partial.passages] == [
        (PassageKind.HEADING, "705", "Flipping a Coin"),
        (PassageKind.RULE, "705.1", ""),
    ]
    rule = partial.passages[1]
    assert (rule.text, rule.examples) == (
        "a keeper tosses a coin.\nIt lands.",
        ("Ede tosses one.",),
    )
    assert {passage.edition for passage in partial.passages} == {"2010-01-22"}
    assert partial.ledger.is_complete


def test_page_of_others() -> None:
    """On other sites' pages, the same marks mean nothing."""
    partial = read(HEAD.replace("Variorum", "Something") + BODY)

    assert partial.layout is not SourceLayout.HYPERLINKED
    assert any("new" in passage.text for passage in partial.passages)


def test_entry() -> None:
    """Only the title of a headword's page has the headword."""
    partial = read(
        HEAD + '<h1>Flip a Coin</h1><p class="asof">As of 2010-01-22</p>'
        '<div class="text"><div class="p glossary" id="x"><p> See rule 705.</p></div></div>'
    )

    assert [(passage.headword, passage.text) for passage in partial.passages] == [
        ("Flip a Coin", "See rule 705.")
    ]


def test_provisions_without_class() -> None:
    """A subrule has an anchor and no class, likewise an entry in a text of entries."""
    partial = read(
        HEAD + '<p class="asof">As of 2010-01-22</p><div class="text dated">'
        '<p class="note now"><a href="../../rule/705/index.html">705 today</a></p>'
        '<p id="705.1a"><a href="../../rule/705.1a/index.html">705.1a</a> It lands.</p></div>'
        '<div class="text dated glossary"><div id="boat"><h2>'
        '<a href="../../glossary/boat/index.html">Boat</a></h2><p>It sails.</p></div></div>'
    )

    assert [
        (passage.kind, passage.number, passage.headword, passage.text)
        for passage in partial.passages
    ] == [
        (PassageKind.RULE, "705.1a", "", "It lands."),
        (PassageKind.GLOSSARY, "", "Boat", "It sails."),
    ]
