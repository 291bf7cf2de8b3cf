"""A hyperlinked edition, on one page or several, is read like the edition."""

from html import escape

import pytest

from variorum_kb.answers.knowledge_base import KnowledgeBase
from variorum_kb.answers.subject import Subject
from variorum_kb.errors import LayoutError
from variorum_kb.sources.comparing.attestation_types import PassageVerdict
from variorum_kb.sources.comparing.hyperlinked import attest_hyperlinked
from variorum_kb.sources.reading.passages.passages import Partial, SourceLayout
from variorum_kb.sources.recognise_kind import read_partial

EDITION = "2010-01-22"


def as_html(subject: Subject) -> str:
    """Return a provision as a fan site prints it."""
    if subject.kind == "glossary":
        below = "".join(f"<p>{escape(part)}</p>" for part in subject.text.split("\n"))
        return f"<h3>{escape(subject.heading)}</h3>{below}{examples_of(subject)}"
    if subject.kind in {"chapter", "section"}:
        return f'<h2 id="R{subject.number}">{subject.number}. {escape(subject.heading)}</h2>'
    first, *more = subject.text.split("\n")
    words = "".join(f"<p>{escape(part)}</p>" for part in more)
    name = f"<b>{subject.number}</b> {escape(subject.heading or first)}"
    return f'<p id="R{subject.number.replace(".", "")}">{name}</p>{words}{examples_of(subject)}'


def examples_of(subject: Subject) -> str:
    """Return its examples."""
    return "".join(f'<p class="eg"><i>Example: {escape(part)}</i></p>' for part in subject.examples)


def page(*parts: str) -> Partial:
    """Read a page."""
    html = (
        f"<html><body><h1>Rules</h1><nav><a href='/'>Home</a></nav>{''.join(parts)}</body></html>"
    )
    return read_partial(html.encode(), "a.html")


def parts_of(base: KnowledgeBase) -> tuple[list[str], list[str]]:
    """Return the rules and the glossary of an edition as HTML."""
    rules = [
        as_html(provision) for provision in base.provisions(EDITION) if provision.kind != "glossary"
    ]
    entries = [
        as_html(provision) for provision in base.provisions(EDITION) if provision.kind == "glossary"
    ]
    return rules, ["<h2>Glossary</h2>", *entries]


def test_one_page(base: KnowledgeBase) -> None:
    """One long page with anchors has exactly the provisions of its edition."""
    rules, entries = parts_of(base)
    read = page(*rules, *entries)
    count = len(list(base.provisions(EDITION)))

    attested = attest_hyperlinked(base, read, "a.html")

    assert read.layout is SourceLayout.HYPERLINKED
    assert {passage.verdict for passage in attested.passages} == {PassageVerdict.AGREES}
    assert (attested.matched, attested.of, len(attested.passages)) == (count, count, count)
    assert [base.editions[place or 0].label for place in (attested.first, attested.last)] == [
        EDITION
    ] * 2
    assert attested.evidence[-1] == f"it holds all {count} provisions of {EDITION}"


def test_something_is_missing(base: KnowledgeBase) -> None:
    """Missing parts of a whole edition are named."""
    rules, entries = parts_of(base)

    attested = attest_hyperlinked(base, page(*rules[:-1], *entries), "a.html")
    last = [provision for provision in base.provisions(EDITION) if provision.kind != "glossary"][-1]

    count = len(list(base.provisions(EDITION)))
    assert attested.evidence[-1] == (
        f"it lacks 1 of {count} provisions of {EDITION}: {last.address}"
    )


def test_error_other_rules(base: KnowledgeBase) -> None:
    """Another game's page attests nothing."""
    parts = [
        f'<p id="R101{n}"><b>101.{n}</b> Dogs may bark {n} times before the moon has risen.</p>'
        for n in range(1, 8)
    ]

    with pytest.raises(LayoutError) as caught:
        attest_hyperlinked(base, page(*parts), "a.html")

    assert str(caught.value) == (
        "a.html: hyperlinked edition of other rules: nothing of it stands in any edition"
    )
