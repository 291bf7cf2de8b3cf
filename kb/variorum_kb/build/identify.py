"""Date a document by its words: the editions it can come from, and how the next one differs."""

import re
from collections.abc import Iterator, Sequence

from variorum_kb.answers.knowledge_base import KnowledgeBase
from variorum_kb.answers.quotations.quotation_matching import Quoted
from variorum_kb.answers.quotations.quotation_search import FoundQuotation, Identifier
from variorum_kb.build.load import read_document
from variorum_kb.errors import LayoutError
from variorum_kb.forms.identify import DifferenceJson, IdentifyJson, QuotedJson
from variorum_kb.history.word_diffs.diff import word_diff
from variorum_kb.model import Edition, Kind, Provision
from variorum_kb.rows import full_text, name_of
from variorum_kb.sources.comparing.attestation_types import Attested
from variorum_kb.sources.comparing.excerpts.broken_words import without_breaks
from variorum_kb.sources.comparing.excerpts.excerpt_quotes import (
    bearers_of,
    is_of_other_rules,
    likeliest_of,
    note_left_out,
    quotes_of,
    span_of,
    supplied_by,
)
from variorum_kb.sources.comparing.excerpts.quoted_provision import QuotedProvision
from variorum_kb.sources.comparing.translations import find_translation, is_english
from variorum_kb.sources.reading.bulletins.bulletins import Bulletin
from variorum_kb.sources.reading.passages.passages import Partial, SourceLayout
from variorum_kb.sources.recognise_kind import compare

# At most this many differences from the best edition, and from the next, are listed.
_MOST_TOLD = 12
# `cr show --copy` and `--markdown` append the edition to a quotation.
_COPIED = re.compile(
    rb" \(CR \d{4}-\d\d-\d\d(?:\.\d+)?\)(?=\r?$)|^> \*Comprehensive Rules, \d[-.\d]+\*(?=\r?$)",
    re.MULTILINE,
)


def identify(base: KnowledgeBase, data: bytes, file: str) -> IdentifyJson:
    """Return which editions a document can come from, in the form of `cr identify --json`.

    Args:
        base: The base with the editions to compare.
        data: The document: an excerpt, a fragment, a page, a whole edition, or prose about rules.
        file: Its name, for messages.

    Raises:
        DocumentError: It is not a text, or not a document that quotes rules.
    """
    document = read_document(_COPIED.sub(b"", data), file)
    if isinstance(document, Bulletin) or (
        isinstance(document, Partial) and document.layout is SourceLayout.ARTICLE
    ):
        return _by_subject(base, compare(base, document, file))
    identifier = base.identifier()
    quotes: list[QuotedProvision] = []
    if isinstance(document, Partial):
        quotes = quotes_of(without_breaks(document, identifier).passages, identifier)
        if not is_english(passage.text for passage in document.passages):
            translated = find_translation(base, document, quotes)
            if translated is not None:
                return _by_subject(base, translated)
    layout, quoted, lines = _take(document, quotes)
    if not quoted:
        raise LayoutError(f"{layout}: it quotes no text long enough to look for", file)
    quotations = identifier.find(quoted)
    labels = [edition.label for edition in base.editions]
    if is_of_other_rules(quotations, identifier):
        quotations = [FoundQuotation(quotation.quoted, (), 0) for quotation in quotations]
        span = span_of(quotations, len(labels))
    else:
        span = likeliest_of(span_of(quotations, len(labels)), quotations, identifier)
    return {
        "layout": layout,
        "provisions": list(_quoted(identifier, quotations, lines, span.ties)),
        "candidates": [
            {
                "edition": labels[place],
                "doubts": list(base.editions[place].doubts),
                "matched": count,
                "of": span.of,
            }
            for place, count in span.counts.items()
        ],
        "from": labels[span.ties[0]] if span.ties else None,
        "to": labels[span.ties[-1]] if span.ties else None,
        "agrees": span.agrees,
        "differences": list(
            _differences(identifier, quotations, span.ties, list(span.counts), labels)
        ),
        "evidence": list(note_left_out(identifier)),
    }


def _by_subject(base: KnowledgeBase, attested: Attested) -> IdentifyJson:
    """Return the date of a document that is about rules but quotes none in full."""
    first, last = attested.first, attested.last
    return {
        "layout": attested.layout,
        "provisions": [],
        "candidates": [],
        "from": None if first is None else base.editions[first].label,
        "to": None if last is None else base.editions[last].label,
        "agrees": False,
        "differences": [],
        "evidence": list(attested.evidence),
    }


def _take(
    document: Edition | Partial, quotes: Sequence[QuotedProvision]
) -> tuple[str, list[Quoted], list[int | None]]:
    """Return the kind of a document, its quotations, and the line on which each begins."""
    if isinstance(document, Edition):
        provisions = (*document.provisions, *document.glossary)
        return (
            "edition",
            [_of_edition(provision) for provision in provisions],
            [None] * len(provisions),
        )
    telling = [quote for quote in quotes if quote.is_telling]
    return (
        document.layout.value,
        [quote.quoted for quote in telling],
        [_line(quote) for quote in telling],
    )


def _line(quote: QuotedProvision) -> int | None:
    return quote.passages[0].first or None


def _of_edition(provision: Provision) -> Quoted:
    text = "\n".join([paragraph.text for paragraph in provision.paragraphs if not paragraph.marker])
    examples = tuple([paragraph.text for paragraph in provision.paragraphs if paragraph.marker])
    is_entry = provision.kind is Kind.GLOSSARY
    return Quoted(provision.number, provision.heading, text, examples, is_entry=is_entry)


def _quoted(
    identifier: Identifier,
    quotations: Sequence[FoundQuotation],
    lines: Sequence[int | None],
    ties: Sequence[int],
) -> Iterator[QuotedJson]:
    """Yield the quoted provisions; the best edition supplies missing numbers and headwords."""
    bearers = bearers_of(identifier, quotations, ties[0]) if ties else [None] * len(quotations)
    for quotation, line, bearer in zip(quotations, lines, bearers, strict=True):
        quoted = quotation.quoted
        state = bearer if bearer is not None else next(iter(quotation.states), None)
        supplied = "" if state is None else supplied_by(identifier, quoted, state)
        number = quoted.number or None
        headword = quoted.heading if quoted.is_entry and quoted.heading else None
        if state is not None and supplied == "number":
            number = identifier.state(state).number
        elif state is not None and supplied:
            headword = identifier.state(state).heading
        yield {
            "number": number,
            "headword": headword,
            "supplied": [supplied] if supplied else [],
            "editions": quotation.editions.bit_count(),
            "line": line,
        }


def _differences(
    identifier: Identifier,
    quotations: Sequence[FoundQuotation],
    ties: Sequence[int],
    order: Sequence[int],
    labels: Sequence[str],
) -> Iterator[DifferenceJson]:
    """Yield the differences from the best edition, then those from the next best."""
    others = [place for place in order if place not in ties]
    for place in (*ties[:1], *others[:1]):
        missing = [
            quotation.quoted for quotation in quotations if not quotation.editions >> place & 1
        ]
        for quoted in missing[:_MOST_TOLD]:
            yield _difference(identifier, quoted, place, labels[place])


def _difference(identifier: Identifier, quoted: Quoted, place: int, label: str) -> DifferenceJson:
    nearest = identifier.nearest(quoted, place)
    if nearest is None:
        return _nowhere(quoted, label)
    state = identifier.state(nearest.state)
    words = "\n".join([part for part in (quoted.text, *quoted.examples) if part])
    return {
        "edition": label,
        "number": quoted.number or None,
        "stands": name_of(state),
        "likeness": round(nearest.likeness, 3),
        "pieces": word_diff(full_text(state.body), words),
    }


def _nowhere(quoted: Quoted, label: str) -> DifferenceJson:
    return {
        "edition": label,
        "number": quoted.number or None,
        "stands": None,
        "likeness": 0.0,
        "pieces": [],
    }
