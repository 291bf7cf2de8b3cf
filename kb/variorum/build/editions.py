"""Read documents that may be editions, and decide which texts of a day are its edition, and which are copies.

Attested texts (by `facts`, or by decisions in the archive's manifest) are the issues of their day. For
a day without one, the best text is its edition, marked as of one source; for a day without a text, the
best original in Word, RTF or PDF. Every other text is a copy: the build compares it with the edition, and
no answer about the rules uses it. The order in which users add documents does not change the result.
"""

from collections import defaultdict
from collections.abc import Container, Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from itertools import chain, groupby
from typing import Any

from variorum.documents.archive import Archive, Document
from variorum.errors import LayoutError, OtherDocumentError, ParseError
from variorum.facts import is_known, known_editions
from variorum.history.doubts import holes_in, nearest_elsewhere, wordings_of
from variorum.model import Condition, Kind
from variorum.reading.decoding import decode, split_lines
from variorum.reading.edition import read_edition
from variorum.reading.originals import take_original
from variorum.reading.paragraphs import ORIGINALS
from variorum.rows import BY_FACTS, NOT_KNOWN, ONE_SOURCE, EditionRow, State, join_body
from variorum.store.writer import compact
from variorum.workers import Call, outcomes, within_limits

_HEADINGS = frozenset(["1. Game Concepts", "100. General", "Credits", "Glossary"])
_FEWEST_HEADINGS = 3
# From the best to the worst.
_CONDITIONS, _FORMATS = [*Condition], ("docx", "rtf", "pdf")


@dataclass(slots=True, eq=False)
class Text:
    """A document read as an edition: its row, and its provisions in printed order; equal ones are one object.

    `copy_of` is the day of the edition that it is a copy of, "" for others.
    """

    row: EditionRow
    states: list[State]
    copy_of: str = ""

    @property
    def day(self) -> str:
        return self.row.effective

    @property
    def is_original(self) -> bool:
        """Return whether it is in Word, RTF or PDF format."""
        return self.row.layout in ORIGINALS

    @property
    def rank(self) -> tuple[bool, int, int, str]:
        """Return what orders the texts of a day, the best first; one that lost characters comes last."""
        condition = Condition(self.row.condition)
        is_lossy = condition is Condition.LOSSY and not self.is_original
        lossiness = _FORMATS.index(self.row.layout) if self.is_original else 0
        return is_lossy, _CONDITIONS.index(condition), lossiness, self.row.sha256

    def attest(self, otherwise: str = "") -> None:
        """Set what attests it: the facts, or else what is given."""
        is_in_facts = is_known(date.fromisoformat(self.day), self.row.sha256)
        self.row = self.row._replace(attested=BY_FACTS if is_in_facts else otherwise)


def read_document(data: bytes, file: str) -> Text | None:
    """Read an edition, with what the facts say of it; None is another document.

    What is no text, cannot be read without loss or costs too much raises DocumentError.
    """
    try:
        text: Text = within_limits(_read, data, file)
    except OtherDocumentError:
        return None
    set_facts([text])
    text.attest()
    return text


def read_texts(
    documents: Iterable[Document], jobs: int, known: Container[str] = ()
) -> Iterator[tuple[Document, Any]]:
    """Read documents in some processes; yield each, in order, with its text or the error.

    None is the outcome of one whose hash is known.
    """
    calls = ((it, Call(_read, (it.data, it.origin), it.origin)) for it in documents)
    wanted = ((it, None if it.error or it.sha256 in known else call) for it, call in calls)
    return ((it, it.error or outcome) for it, outcome in outcomes(wanted, jobs))


def _read(data: bytes, file: str) -> Text:
    """Read an edition; the parent of a provision is the last one of a higher kind.

    So the parent of a misprinted subrule is the rule above it on the page, not the one it names.
    """
    try:
        edition = read_edition(data, file)
    except (LayoutError, ParseError) as error:
        # Of a document with most of an edition's headings, complete or broken off, the error says best why
        # it cannot be read.
        lines = split_lines((take_original(data) or decode(data)).text).texts
        if len(_HEADINGS.intersection(map(str.strip, lines))) >= _FEWEST_HEADINGS:
            raise
        raise OtherDocumentError(error.message, file, error.line) from None
    states, above, levels = list[State](), list[tuple[int, str]](), [*Kind]
    for it in (*edition.provisions, *edition.glossary):
        level, meant = levels.index(it.kind), str(it.meant or "")
        above = [higher for higher in above if higher[0] < level]
        is_under = above and it.kind is not Kind.GLOSSARY
        state = State(
            kind=str(it.kind),
            number=it.number,
            address=it.address,
            heading=it.heading,
            body=join_body([(paragraph.marker, paragraph.text) for paragraph in it.paragraphs]),
            parent=above[-1][1] if is_under else "",
            meant="" if meant == it.number else meant,
            irregularities=compact(it.irregularities) if it.irregularities else "",
        )
        states.append(state)
        above.append((level, it.address))
    return Text(edition.row, states)


# Which are the editions --------------------------------------------------------------------------


def settle(texts: Sequence[Text], archive: Archive) -> tuple[list[Text], list[Text]]:
    """Return the editions in order, and the texts to compare with them, of all that were read."""
    plain, originals = defaultdict[str, list[Text]](list), defaultdict[str, list[Text]](list)
    for text in sorted(texts, key=lambda it: it.rank):
        text.attest(archive.attestation(text.row.sha256))
        text.copy_of = "" if text.is_original else text.day
        (originals if text.is_original else plain)[text.day].append(text)
    chosen = {day: some[:1] for day, some in originals.items()}
    for day, some in plain.items():
        if some[1:]:  # an altered text shares fewer states with other editions
            elsewhere = {id(state) for it in texts if it.day != day for state in it.states}
            shared = {it: len(elsewhere & {*map(id, it.states)}) for it in some}
            some.sort(key=lambda it: (it.rank[0], -shared[it]))
        chosen[day] = _attested(some) or some[:1]
    trusted = {day: some[-1] for day, some in chosen.items() if some[-1].row.attested}
    doubtful = [day for day in plain if day not in trusted]
    held = {day: wordings_of(it.states) for day, it in trusted.items() if doubtful and day in plain}
    for day in doubtful:
        (text,) = chosen[day]
        if held and (copied := nearest_elsewhere(day, wordings_of(text.states), held)):
            text.copy_of = copied
            chosen[day] = originals[day][:1]
    editions = [*chain(*chosen.values())]
    set_facts(editions)
    for text in editions:
        text.copy_of = ""
        before = next((it.states for it in reversed(editions) if it.day < text.day), [])
        after = next((it.states for it in editions if it.day > text.day), [])
        doubts = [] if text.row.attested else [ONE_SOURCE]
        if doubts and date.fromisoformat(text.day) in known_editions() and not text.is_original:
            doubts.append(NOT_KNOWN)
        if text.row.condition == Condition.LOSSY:
            doubts.append(text.row.condition)
        if text.row.attested != BY_FACTS:
            doubts.append(holes_in(text.states, before, after))
        text.row = text.row._replace(doubts="\n".join(filter(None, doubts)))
    return editions, [text for text in texts if text not in editions]


def _attested(texts: Sequence[Text]) -> list[Text]:
    """Return the attested texts of a day; one that only a decision attests has other words than the rest."""
    attested, contents = list[Text](), list[object]()
    for text in sorted(texts, key=lambda it: it.row.attested != BY_FACTS):
        content = [*map(id, text.states)], text.row.introduction, text.row.credits
        if text.row.attested == BY_FACTS or (text.row.attested and content not in contents):
            attested.append(text)
            contents.append(content)
    return attested


def set_facts(editions: list[Text]) -> None:
    """Sort editions, and set the columns that rest on facts.

    A label is the date, with the issue where the date has several; a bare date means the last one in the
    best condition.
    """
    editions.sort(key=lambda text: text.day)
    for day, group in groupby([*editions], lambda text: text.day):
        texts, facts = [*group], known_editions().get(date.fromisoformat(day))
        known = facts.issues if facts else ()  # as published, then others by their hashes
        order = [*known, *sorted({text.row.sha256 for text in texts}.difference(known))]
        chosen = min(texts, key=lambda it: (it.rank[1], -order.index(it.row.sha256)))
        for text in texts:
            issue = order.index(text.row.sha256) + 1
            text.row = text.row._replace(
                issue=issue,
                set_code=facts.set_code if facts else "",
                set_name=facts.set_name if facts else "",
                label=f"{day}.{issue}" if texts[1:] else day,
                is_chosen=int(text is chosen),
            )
    editions.sort(key=lambda text: (text.day, text.row.issue))
