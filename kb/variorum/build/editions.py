"""Read documents that may be editions, and decide which texts of a day are its edition, and which are copies.

Attested texts (by `facts`, or by decisions in the archive's manifest) are the issues of their day. For
a day without one, the best text is its edition, marked as of one source; for a day without a text, the
best original in Word, RTF or PDF. Every other text is a copy: the build compares it with the edition, and
no answer about the rules uses it. The order in which users add documents does not change the result.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from functools import partial
from itertools import chain, groupby

from variorum.documents.archive import Archive
from variorum.documents.find import Document
from variorum.errors import DocumentError, LayoutError, OtherDocumentError, ParseError
from variorum.facts import is_known, issues_of, known_editions
from variorum.history.doubts import holes_in, nearest_elsewhere, wordings_of
from variorum.model import Condition, Edition
from variorum.reading.decoding import decode, split_lines
from variorum.reading.edition import read_edition
from variorum.reading.originals import take_original
from variorum.reading.paragraphs import ORIGINALS, layout_of
from variorum.rows import BY_FACTS, NOT_KNOWN, ONE_SOURCE, EditionRow, State
from variorum.store.writer import rows_of
from variorum.workers import Call, outcomes, within_limits

Rows = tuple[EditionRow, list[State]]

_HEADINGS = frozenset(["1. Game Concepts", "100. General", "Credits", "Glossary"])
_FEWEST_HEADINGS = 3


def read_document(data: bytes, file: str) -> Edition | None:
    """Read an edition; return None for a document that is none.

    Raises:
        DocumentError: It is no text, an edition that cannot be read without loss, or costs too much.
    """
    try:
        return within_limits(_read, data, file)
    except OtherDocumentError:
        return None


def read_rows(
    documents: Iterable[Document], jobs: int
) -> Iterator[tuple[Document, Rows | DocumentError]]:
    """Read documents in some processes; yield each, in order, with its rows or the error."""
    return outcomes(((document, reading(document)) for document in documents), jobs)


def reading(document: Document) -> Call:
    """Return the call that reads a document as rows, for `outcomes`."""
    return Call(_read_rows, (document.data, document.origin), document.origin)


def _read_rows(data: bytes, file: str) -> Rows:
    return rows_of(_read(data, file))


def _read(data: bytes, file: str) -> Edition:
    try:
        return read_edition(data, file)
    except (LayoutError, ParseError) as error:
        # Of a document with most of an edition's headings, complete or broken off, the error says best why
        # it cannot be read.
        original = take_original(data)
        lines = split_lines((original or decode(data)).text).texts
        headings = _HEADINGS.intersection(map(str.strip, lines))
        try:
            is_edition = bool(layout_of(lines)) and len(headings) >= _FEWEST_HEADINGS
        except LayoutError:
            is_edition = False
        if is_edition:
            raise
        raise OtherDocumentError(error.message, file, error.line) from None


# Which are the editions --------------------------------------------------------------------------

# Formats, the one that loses least first; a text is in none of the later ones.
_FORMATS = ("", "docx", "rtf", "pdf")


@dataclass(slots=True, eq=False)
class Text:
    """A document read as an edition: its row, and its provisions in printed order; equal ones are one object.

    `copy_of` is the day of the edition that it is a copy of, "" for others. The document that was read comes
    without its bytes.
    """

    row: EditionRow
    states: list[State]
    copy_of: str = ""
    document: Document | None = None

    @property
    def day(self) -> str:
        return self.row.effective

    @property
    def is_original(self) -> bool:
        """Return whether it is in Word, RTF or PDF format."""
        return self.row.layout in ORIGINALS

    @property
    def condition(self) -> Condition:
        return Condition(self.row.condition)


def settle(texts: Sequence[Text], archive: Archive) -> tuple[list[Text], list[Text]]:
    """Return the editions in order, and the texts to compare with them, of all that were read."""
    for text in texts:
        is_in_facts = is_known(date.fromisoformat(text.day), text.row.sha256)
        attested = BY_FACTS if is_in_facts else archive.attestation(text.row.sha256)
        text.row, text.copy_of = text.row._replace(attested=attested), ""
    texts = sorted(texts, key=lambda text: (text.day, text.row.sha256))
    plain, originals = defaultdict[str, list[Text]](list), defaultdict[str, list[Text]](list)
    for text in texts:
        (originals if text.is_original else plain)[text.day].append(text)
    chosen = _chosen(plain)
    for text in chain(*plain.values()):
        if not text.copy_of and text not in chosen.get(text.day, ()):
            text.copy_of = text.day
    best = {day: [min(some, key=_rank)] for day, some in originals.items()}
    editions = [*chain(*{**best, **chosen}.values())]
    set_facts(editions)
    for text in editions:
        before = [it.states for it in editions if it.day < text.day][-1:] or [[]]
        after = [it.states for it in editions if it.day > text.day][:1] or [[]]
        text.row = text.row._replace(
            doubts="\n".join(filter(None, _doubts(text, before[0], after[0])))
        )
    return editions, [text for text in texts if text not in editions]


def _chosen(plain: Mapping[str, list[Text]]) -> dict[str, list[Text]]:
    """Return the texts of each day: the attested ones, else the best; none if it is another day's."""
    chosen = {day: issues for day, some in plain.items() if (issues := _issues(some))}
    chosen |= {day: some for day, some in plain.items() if day not in chosen and not some[1:]}
    settled = {day: some[-1].states for day, some in chosen.items()}
    for day in plain.keys() - chosen.keys():
        near = [max((it for it in settled if it < day), default="")]
        near += [min((it for it in settled if it > day), default="")]
        beside = frozenset(id(state) for it in near for state in settled.get(it, ()))
        chosen[day] = [min(plain[day], key=partial(_rank, beside=beside))]
    attested = [some[-1] for some in chosen.values() if some[-1].row.attested]
    doubtful = [some[-1] for some in chosen.values() if not some[-1].row.attested]
    if attested and doubtful:
        held = {text.day: wordings_of(text.states) for text in attested}
        for text in doubtful:
            text.copy_of = nearest_elsewhere(text.day, wordings_of(text.states), held)
            if text.copy_of:
                del chosen[text.day]
    return chosen


def _issues(texts: Sequence[Text]) -> list[Text]:
    """Return the attested texts of a day; one that only a decision attests has other words than the rest."""
    issues, contents = list[Text](), list[object]()
    for text in sorted(texts, key=lambda it: it.row.attested != BY_FACTS):
        content = [*map(id, text.states)], text.row.introduction, text.row.credits
        if text.row.attested == BY_FACTS or (text.row.attested and content not in contents):
            issues.append(text)
            contents.append(content)
    return issues


def _rank(text: Text, beside: frozenset[int] = frozenset()) -> tuple[object, ...]:
    """Order texts of a day, the best first.

    A text that lost characters comes last; among the others, the best has most in common with the
    adjacent editions, whose states have these ids.
    """
    in_common = len(beside.intersection(map(id, text.states)))
    is_lossy = text.condition is Condition.LOSSY and not text.is_original
    format_ = _FORMATS.index(text.row.layout) if text.is_original else 0
    return is_lossy, -in_common, text.condition.rank, format_, text.row.sha256


def set_facts(editions: list[Text]) -> None:
    """Sort editions, and set the columns that rest on facts.

    A label is the date, with the issue where the date has several; a bare date means the last one in the
    best condition.
    """
    editions.sort(key=lambda text: text.day)
    for day, group in groupby([*editions], lambda text: text.day):
        texts, facts = [*group], known_editions().get(date.fromisoformat(day))
        issues = issues_of(date.fromisoformat(day), [text.row.sha256 for text in texts])
        ranks = [(text.condition.rank, -issues[text.row.sha256]) for text in texts]
        for text, rank in zip(texts, ranks, strict=True):
            issue = issues[text.row.sha256]
            text.row = text.row._replace(
                issue=issue,
                set_code=facts.set_code if facts else "",
                set_name=facts.set_name if facts else "",
                label=f"{day}.{issue}" if texts[1:] else day,
                is_chosen=int(rank == min(ranks)),
            )
    editions.sort(key=lambda text: (text.day, text.row.issue))


def _doubts(text: Text, before: Sequence[State], after: Sequence[State]) -> Iterator[str]:
    """Yield the doubts about an edition, between the last of the day before and the first of the next."""
    if not text.row.attested:
        yield ONE_SOURCE
        if date.fromisoformat(text.day) in known_editions() and not text.is_original:
            yield NOT_KNOWN
    if text.condition is Condition.LOSSY:
        yield text.row.condition
    if text.row.attested != BY_FACTS:
        yield holes_in(text.states, before, after)
