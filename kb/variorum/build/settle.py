"""Decide which texts of a day are its edition, or further issues of it, and which are copies.

Attested texts (by `facts`, or by decisions in the archive's manifest) are the issues of their day. For
a day without one, the best text is its edition, marked as of one source; for a day without a text, the
best original in Word, RTF or PDF. Every other text is a copy: the build compares it with the edition, and
no answer about the rules uses it. The order in which users add documents does not change the result.
"""

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from itertools import chain

from variorum.documents.archive import Archive
from variorum.documents.decisions import agreement_on
from variorum.facts import is_known, issues_of, known_editions
from variorum.history.holes import hole_lines
from variorum.history.in_time import Wordings, nearest_elsewhere
from variorum.model import Condition
from variorum.reading.paragraphs import ORIGINALS
from variorum.rows import State
from variorum.stored_rows import BY_FACTS, NOT_KNOWN, ONE_SOURCE, EditionRow

# Formats of originals, the one that loses least first.
_BEST = ("docx", "rtf", "pdf")


@dataclass(slots=True)
class Text:
    """A document read as an edition.

    Attributes:
        row: What the file says of it; `settle` sets what rests on facts, decisions and other editions.
        states: Its provisions in printed order; equal ones are one object.
        copy_of: The day of the edition that it is a copy of, "" for others.
    """

    row: EditionRow
    states: list[State]
    copy_of: str = ""

    @property
    def day(self) -> str:
        """Return its effective date."""
        return self.row.effective

    @property
    def is_original(self) -> bool:
        """Return whether it is in Word, RTF or PDF format."""
        return self.row.layout in ORIGINALS


def attestation_of(archive: Archive, effective: str, sha256: str) -> str:
    """Return what attests a document, one of `rows.ATTESTED`; "" if nothing does."""
    is_in_facts = is_known(date.fromisoformat(effective), sha256)
    return BY_FACTS if is_in_facts else archive.attestation(sha256)


def settle(texts: Sequence[Text], archive: Archive, now: str) -> tuple[list[Text], list[Text]]:
    """Return the editions in order, and the texts to compare with them.

    Args:
        texts: All documents that were read as editions, in any order.
        archive: The archive; it receives the agreements of publishers.
        now: The time to record for these.
    """
    texts = sorted(texts, key=lambda text: text.row.sha256)
    plain = [text for text in texts if not text.is_original]
    _note_agreements(plain, archive, now)
    for text in texts:
        attested = attestation_of(archive, text.day, text.row.sha256)
        text.row = text.row._replace(attested=attested)
    by_day: defaultdict[str, list[Text]] = defaultdict(list)
    for text in plain:
        by_day[text.day].append(text)
    chosen = {day: _issues(some) or some for day, some in sorted(by_day.items())}
    _choose_best(chosen)
    for text, day in _out_of_time(chosen):
        text.copy_of = day
        del chosen[text.day]
    editions = list(chain.from_iterable(chosen.values()))
    for text in plain:
        if not text.copy_of and text not in chosen.get(text.day, ()):
            text.copy_of = text.day
    originals: defaultdict[str, list[Text]] = defaultdict(list)
    for text in texts:
        if text.is_original and text.day not in chosen:
            originals[text.day].append(text)
    editions += [min(some, key=_rank_of_original) for some in originals.values()]
    _set_facts(editions)
    editions.sort(key=lambda text: (text.day, text.row.issue))
    _set_doubts(editions)
    held = {text.row.sha256 for text in editions}
    return editions, [text for text in texts if text.row.sha256 not in held]


def _same(text: Text) -> tuple[object, ...]:
    """Return what two documents have in common if one is as good as the other."""
    return (*map(id, text.states), text.row.introduction, text.row.credits)


def _note_agreements(texts: Sequence[Text], archive: Archive, now: str) -> None:
    """Record agreements: independent publishers of the same words, perhaps in different bytes."""
    for sha256 in archive:
        archive.note_agreement(sha256, now)
    days = Counter(text.day for text in texts)
    groups: defaultdict[tuple[object, ...], list[str]] = defaultdict(list)
    for text in texts:
        if days[text.day] > 1:
            groups[(text.day, *_same(text))].append(text.row.sha256)
    for hashes in groups.values():
        sources = [source for sha256 in hashes for source in archive.sources(sha256)]
        for decision in [agreement_on(sha256, sources, now) for sha256 in hashes]:
            if decision is not None:
                archive.decide(decision)


def _issues(texts: Sequence[Text]) -> list[Text]:
    """Return the attested texts of a day.

    A text that only a decision attests is no separate issue if it equals a better text.
    """
    attested = [text for text in texts if text.row.attested]
    distinct: dict[tuple[object, ...], Text] = {}
    for text in sorted(attested, key=lambda text: (not _is_in_facts(text), _rank(text, set()))):
        distinct.setdefault(_same(text), text)
    return [text for text in attested if _is_in_facts(text) or text in distinct.values()]


def _is_in_facts(text: Text) -> bool:
    return text.row.attested == BY_FACTS


def _choose_best(chosen: dict[str, list[Text]]) -> None:
    """Keep one text of each day without an attested one."""
    settled = {
        day: texts[-1] for day, texts in chosen.items() if len(texts) == 1 or texts[0].row.attested
    }
    for day, texts in chosen.items():
        if day not in settled:
            before = [settled[other].states for other in settled if other < day][-1:]
            after = [settled[other].states for other in settled if other > day][:1]
            beside = set(map(id, chain(*before, *after)))
            chosen[day] = [min(texts, key=lambda text: _rank(text, beside))]


def _rank(text: Text, beside: set[int]) -> tuple[bool, int, int, str]:
    """Order texts of a day, the best first.

    A text that lost characters comes last; among the others, the best has most in common with the
    adjacent editions, whose states have these ids.
    """
    condition = Condition(text.row.condition)
    in_common = len(beside.intersection(map(id, text.states)))
    return condition is Condition.LOSSY, -in_common, condition.rank, text.row.sha256


def _rank_of_original(text: Text) -> tuple[int, int, str]:
    row = text.row
    return Condition(row.condition).rank, _BEST.index(row.layout), row.sha256


def _out_of_time(chosen: dict[str, list[Text]]) -> list[tuple[Text, str]]:
    """Return misdated texts: those that repeat the edition of another day, with that day."""
    attested = {day: texts[-1] for day, texts in chosen.items() if texts[-1].row.attested}
    doubtful = [texts[-1] for day, texts in chosen.items() if day not in attested]
    if not (attested and doubtful):
        return []
    wordings = Wordings()
    held = {day: wordings.of(text.states) for day, text in attested.items()}
    nearest = [
        (text, nearest_elsewhere(text.day, wordings.of(text.states), held)) for text in doubtful
    ]
    return [(text, day) for text, day in nearest if day]


def _set_facts(editions: Sequence[Text]) -> None:
    """Set the columns that rest on facts."""
    documents: defaultdict[str, list[str]] = defaultdict(list)
    for text in editions:
        documents[text.day].append(text.row.sha256)
    for text in editions:
        day = date.fromisoformat(text.day)
        facts = known_editions().get(day)
        text.row = text.row._replace(
            issue=issues_of(day, documents[text.day])[text.row.sha256],
            set_code=facts.set_code if facts else "",
            set_name=facts.set_name if facts else "",
        )


def _set_doubts(editions: Sequence[Text]) -> None:
    """Set the doubts, which rest on the last edition of the day before and the first of the next."""
    for place, text in enumerate(editions):
        doubts = [*_plain_doubts(text.row)]
        if not _is_in_facts(text):
            before = [other for other in editions[:place] if other.day < text.day][-1:]
            after = [other for other in editions[place:] if other.day > text.day][:1]
            doubts += hole_lines(
                text.states, *[some[0].states if some else [] for some in (before, after)]
            )
        text.row = text.row._replace(doubts="\n".join(doubts))


def _plain_doubts(row: EditionRow) -> Iterator[str]:
    if not row.attested:
        yield ONE_SOURCE
        if date.fromisoformat(row.effective) in known_editions() and row.layout not in ORIGINALS:
            yield NOT_KNOWN
    if row.condition == Condition.LOSSY.value:
        yield row.condition
