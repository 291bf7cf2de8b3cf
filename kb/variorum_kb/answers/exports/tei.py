"""Writes the critical apparatus as TEI: provisions with variant readings and their sigla.

Readings are encoded by parallel segmentation. An edition has the words outside `app` and, in each
`app`, the words of the `lem` or `rdg` whose `wit` names it. `lb` is a line feed.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING
from xml.sax.saxutils import escape, quoteattr

from variorum_kb.answers.through_time.collation import collate
from variorum_kb.errors import NoEditionError
from variorum_kb.rows import split_body

if TYPE_CHECKING:
    from variorum_kb.answers.knowledge_base import KnowledgeBase
    from variorum_kb.answers.subject import Subject
    from variorum_kb.rows import State

_HEAD = """<?xml version="1.0" encoding="UTF-8"?>
<TEI xmlns="http://www.tei-c.org/ns/1.0" xml:lang="en">
<teiHeader>
<fileDesc>
<titleStmt><title>{title}</title></titleStmt>
<publicationStmt><p>Made by Variorum from the documents of a knowledge base; not published.</p></publicationStmt>
<sourceDesc>
<listWit>
{witnesses}
</listWit>
</sourceDesc>
</fileDesc>
<encodingDesc>
<variantEncoding method="parallel-segmentation" location="internal"/>
</encodingDesc>
</teiHeader>
<text>
<body>
"""
_TAIL = "</body>\n</text>\n</TEI>\n"


def apparatus_of(base: "KnowledgeBase", asked: str = "") -> Iterator[str]:
    """Yield a TEI document of an edition, or of rules with all below them.

    Args:
        base: The open base.
        asked: A designator, or numbers, ranges or a term with or without an edition; "" for the
            current edition.

    Raises:
        NotFoundError: It names neither an edition nor a provision.
    """
    try:
        edition = base.edition(asked or "current")
    except NoEditionError:
        subjects = base.show(asked)
        below = [
            each
            for subject in subjects
            for each in (subject, *[lower for _, lower in subject.tree()])
        ]
        title = f"Comprehensive Rules, {asked}: readings of all editions"
        return tei_of(base, list(dict.fromkeys(below)), title)
    title = f"Comprehensive Rules effective {edition.label}, with the readings of all editions"
    return tei_of(base, list(base.provisions(edition)), title)


def tei_of(base: "KnowledgeBase", subjects: "Sequence[Subject]", title: str) -> Iterator[str]:
    """Yield a TEI document of provisions with their readings in all editions.

    Args:
        base: The open base.
        subjects: The provisions, in the order of the document. The readings of their edition are
            the lemmata.
        title: The title of the document.
    """
    if len(subjects) > 1:
        base.links.load()
        base.states.load()
    witnesses = [
        f'<witness xml:id="{siglum(label)}">Comprehensive Rules effective {label}</witness>'
        for label in base.labels
    ]
    yield _HEAD.format(title=escape(title), witnesses="\n".join(witnesses))
    for subject in subjects:
        yield _division(base, subject)
    yield _TAIL


def siglum(label: str) -> str:
    """Return the siglum of an edition, a name in XML."""
    return f"e{label}"


def _division(base: "KnowledgeBase", subject: "Subject") -> str:
    """Return a provision: its name, then its words with their variants and editions."""
    own = subject.state
    heads: dict[str, list[int]] = {_head(own): []}  # the lemma goes first
    texts: dict[str, list[int]] = {text_of(own): []}
    for stretch in subject.lineage:
        state = base.states[stretch.state]
        held = range(stretch.first, stretch.last + 1)
        heads.setdefault(_head(state), []).extend(held)
        texts.setdefault(text_of(state), []).extend(held)
    named = quoteattr(subject.address)
    head = _app(base, list(heads.items()), is_always=True)
    body = _collated(base, texts)
    return f'<div type="{subject.kind}" n={named}>\n<head>{head}</head>\n<ab>{body}</ab>\n</div>\n'


def _head(state: "State") -> str:
    return state.number or state.heading


def text_of(state: "State") -> str:
    """Return a provision with a line for each paragraph, the heading first, examples marked."""
    lines = [f"{marker} {words}".strip() for marker, words in split_body(state.body)]
    heading = [state.heading] if state.heading and state.number else []
    return "\n".join([*heading, *lines])


def _collated(base: "KnowledgeBase", texts: dict[str, list[int]]) -> str:
    parts: list[str] = []
    for segment in collate(list(texts)):
        readings: dict[str, list[int]] = defaultdict(list)
        for words, places in zip(segment, texts.values(), strict=True):
            readings[words] += places
        parts.append(_app(base, list(readings.items())))
    return "".join(parts)


def _app(
    base: "KnowledgeBase", readings: Iterable[tuple[str, list[int]]], *, is_always: bool = False
) -> str:
    """Return readings of a segment with their editions, lemma first; words alone if all agree."""
    (lemma, places), *others = readings
    if not others and not is_always:
        return _set(lemma)
    variants = [f"<rdg{_wit(base, held)}>{_set(words)}</rdg>" for words, held in others]
    return f"<app><lem{_wit(base, places)}>{_set(lemma)}</lem>{''.join(variants)}</app>"


def _wit(base: "KnowledgeBase", places: Iterable[int]) -> str:
    sigla = " ".join(f"#{siglum(base.labels[place])}" for place in sorted(set(places)))
    return f' wit="{sigla}"'


def _set(words: str) -> str:
    return escape(words).replace("\n", "<lb/>")
