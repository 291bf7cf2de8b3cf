"""Read documents that may be editions, and decide which texts of a day are its edition, and which are copies.

Attested texts (by `facts`, or by decisions in the archive's manifest) are the issues of their day. For
a day without one, the best text is its edition, marked as of one source; for a day without a text, the
best original in Word, RTF or PDF. Every other text is a copy: the build compares it with the edition, and
no answer about the rules uses it. The order in which users add documents does not change the result.
"""

from collections import defaultdict
from collections.abc import Collection, Container, Iterable, Iterator
from dataclasses import dataclass
from itertools import chain, groupby
from typing import Any, get_args

from variorum import rows
from variorum.documents.archive import Archive, Document
from variorum.errors import DocumentError, OtherDocumentError
from variorum.facts import is_known, known_editions
from variorum.history.doubts import holes_in, same_elsewhere, wordings_of
from variorum.model import Provision
from variorum.reading.decoding import decode, split_lines
from variorum.reading.edition import read_edition
from variorum.reading.originals import take_original
from variorum.reading.paragraphs import ORIGINALS
from variorum.records.answer import Condition, json_text
from variorum.workers import outcomes, within_limits

_HEADINGS = frozenset(["1. Game Concepts", "100. General", "Credits", "Glossary"])
_FEWEST_HEADINGS = 3
_CONDITIONS = get_args(Condition)  # from the best to the worst


@dataclass(slots=True, eq=False)
class Text:
    """A document read as an edition: its row, and its provisions in printed order; equal ones are one object."""

    row: rows.EditionRow
    states: list[rows.State]

    @property
    def day(self) -> str:
        return self.row.effective

    @property
    def is_original(self) -> bool:
        return self.row.layout in ORIGINALS

    @property
    def rank(self) -> tuple[int, int, str]:
        """Return what orders the texts of a day: plain ones, then Word, RTF and PDF, the best of each first."""
        form = ORIGINALS.index(self.row.layout) + 1 if self.is_original else 0
        return form, _CONDITIONS.index(self.row.condition), self.row.sha256


def read_document(data: bytes, file: str) -> Text | None:
    """Read an edition, with what the facts say of it; None is another document.

    What is no text, cannot be read without loss or costs too much raises DocumentError.
    """
    try:
        text: Text = within_limits(_read, data, file)
    except OtherDocumentError:
        return None
    set_facts([text])
    return text


def read_texts(
    documents: Iterable[Document], jobs: int, known: Container[str] = ()
) -> Iterator[tuple[Document, Any]]:
    """Read documents in some processes; yield each, in order, with its text or the error; None for known hashes."""
    calls = ((it, None if it.error or it.sha256 in known else (it.data,)) for it in documents)
    return ((it, it.error or outcome) for it, outcome in outcomes(_read, calls, jobs))


def _read(data: bytes) -> Text:
    try:
        row, provisions = read_edition(data)
    except DocumentError as error:
        # Of a document with most of an edition's headings, complete or broken off, the error says best why
        # it cannot be read.
        lines = split_lines((take_original(data) or decode(data)).text).texts
        if len(_HEADINGS.intersection(map(str.strip, lines))) >= _FEWEST_HEADINGS:
            raise
        raise OtherDocumentError(error.message, line=error.line) from None
    return Text(row, [*_states(provisions)])


def _states(provisions: Iterable[Provision]) -> Iterator[rows.State]:
    """Yield the provisions; the parent of each is the last one of a higher kind, not what a misprint names."""
    above = list[tuple[int, str]]()
    for it in provisions:
        level, meant = rows.PROVISION_KINDS.index(it.kind), str(it.meant or "")
        above = [higher for higher in above if higher[0] < level]
        body = rows.join_body([(paragraph.marker, paragraph.text) for paragraph in it.paragraphs])
        place = above[-1][1] if above and it.number else "", "" if meant == it.number else meant
        odd = json_text(it.irregularities, is_compact=True) if it.irregularities else ""
        yield rows.State(it.kind, it.number, it.address, it.heading, body, *place, odd)
        above.append((level, it.address))


# Which are the editions --------------------------------------------------------------------------


def settle(texts: Collection[Text], archive: Archive) -> tuple[list[Text], list[tuple[Text, str]]]:
    """Return the editions in order, and the other texts, each with the day of the edition it is compared with."""
    of_day = defaultdict[str, list[Text]](list)
    for text in sorted(texts, key=lambda it: it.rank):
        kinds, sha256 = (rows.BY_AGREEMENT, rows.BY_PERSON), text.row.sha256
        by = next((it for it in kinds if (sha256, it) in archive.decisions), "")
        by = rows.BY_FACTS if is_known(text.day, sha256) else by
        text.row = text.row._replace(attested=by)
        of_day[text.day].append(text)
    chosen, misdated = dict[str, list[Text]](), dict[Text, str]()
    for day, some in of_day.items():
        plain = [it for it in some if not it.is_original]
        if plain[1:]:  # an altered text shares fewer states with other editions
            elsewhere = {id(state) for it in texts if it.day != day for state in it.states}
            shared = {it: len(elsewhere & {*map(id, it.states)}) for it in plain}
            plain.sort(key=lambda it: (it.row.condition == "lossy", -shared[it]))
        by_facts = [it for it in plain if it.row.attested == rows.BY_FACTS]
        # One that only a decision attests has other words than the rest.
        said = {it: (*map(id, it.states), it.row.introduction, it.row.credits) for it in plain}
        decided = {said[it]: it for it in reversed(plain) if it.row.attested}
        attested = by_facts + [decided[it] for it in decided if it not in map(said.get, by_facts)]
        chosen[day] = attested or (plain or some)[:1]
    best = [some[-1] for some in chosen.values() if not some[-1].is_original]
    doubtful = [text for text in best if not text.row.attested]
    held = {it.day: wordings_of(it.states) for it in best if doubtful and it.row.attested}
    for text in doubtful:
        if copied := same_elsewhere(wordings_of(text.states), held):
            misdated[text] = copied
            chosen[text.day] = [it for it in of_day[text.day] if it.is_original][:1]
    editions = [*chain(*chosen.values())]
    set_facts(editions)
    for text in editions:
        before = next((it.states for it in reversed(editions) if it.day < text.day), [])
        after = next((it.states for it in editions if it.day > text.day), [])
        is_other = not text.row.attested and text.day in known_editions() and not text.is_original
        doubts = (
            "" if text.row.attested else rows.ONE_SOURCE,
            rows.NOT_KNOWN if is_other else "",
            "lossy" if text.row.condition == "lossy" else "",
            "" if text.row.attested == rows.BY_FACTS else holes_in(text.states, before, after),
        )
        text.row = text.row._replace(doubts="\n".join(filter(None, doubts)))
    return editions, [(it, misdated.get(it, it.day)) for it in texts if it not in editions]


def set_facts(editions: list[Text]) -> None:
    """Sort editions, and set the columns that rest on facts; a bare date names its last in the best condition."""
    editions.sort(key=lambda text: text.day)
    for day, group in groupby([*editions], lambda text: text.day):
        texts, (code, name, issues) = [*group], known_editions().get(day, ("", "", ()))
        # As published, then others by their hashes.
        order = [*issues, *sorted({text.row.sha256 for text in texts}.difference(issues))]
        texts.sort(key=lambda it: (-it.rank[1], order.index(it.row.sha256)))
        for text in texts:
            issue = order.index(text.row.sha256) + 1
            label, is_last = f"{day}.{issue}" if texts[1:] else day, text is texts[-1]
            row = text.row._replace(issue=issue, set_code=code, set_name=name, label=label)
            text.row = row._replace(is_chosen=int(is_last))
    editions.sort(key=lambda text: (text.day, text.row.issue))
