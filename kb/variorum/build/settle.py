"""Decide which texts of a day are its edition, or further issues of it, and which are copies.

Attested texts (by `facts`, or by decisions in the archive's manifest) are the issues of their day. For
a day without one, the best text is its edition, marked as of one source; for a day without a text, the
best original in Word, RTF or PDF. Every other text is a copy: the build compares it with the edition, and
no answer about the rules uses it. The order in which users add documents does not change the result.
"""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from itertools import chain, groupby

from variorum.documents.archive import Archive
from variorum.documents.find import Document
from variorum.facts import is_known, issues_of, known_editions
from variorum.history.doubts import holes_in, nearest_elsewhere, wordings_of
from variorum.model import Condition
from variorum.reading.paragraphs import ORIGINALS
from variorum.rows import BY_FACTS, NOT_KNOWN, ONE_SOURCE, EditionRow, State

# Formats of originals, the one that loses least first.
_BEST = ("docx", "rtf", "pdf")


@dataclass(slots=True)
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
        """Return its effective date."""
        return self.row.effective

    @property
    def is_original(self) -> bool:
        """Return whether it is in Word, RTF or PDF format."""
        return self.row.layout in ORIGINALS

    @property
    def content(self) -> tuple[object, ...]:
        """Return what two documents have in common if one is as good as the other."""
        return (*map(id, self.states), self.row.introduction, self.row.credits)

    @property
    def condition(self) -> Condition:
        """Return how well it was kept."""
        return Condition(self.row.condition)


def settle(texts: Sequence[Text], archive: Archive) -> tuple[list[Text], list[Text]]:
    """Return the editions in order, and the texts to compare with them, of all that were read."""
    texts = sorted(texts, key=lambda text: text.row.sha256)
    by_day = defaultdict[str, list[Text]](list)
    originals = defaultdict[str, list[Text]](list)
    for text in texts:
        is_in_facts = is_known(date.fromisoformat(text.day), text.row.sha256)
        attested = BY_FACTS if is_in_facts else archive.attestation(text.row.sha256)
        text.row, text.copy_of = text.row._replace(attested=attested), ""
        (originals if text.is_original else by_day)[text.day].append(text)
    chosen = _chosen({day: _issues(some) or some for day, some in sorted(by_day.items())})
    for text in chain(*by_day.values()):
        if not text.copy_of and text not in chosen.get(text.day, ()):
            text.copy_of = text.day
    editions = [*chain(*chosen.values())]
    for day, some in originals.items():
        if day not in chosen:
            ranks = [(it.condition.rank, _BEST.index(it.row.layout), it.row.sha256) for it in some]
            editions.append(some[ranks.index(min(ranks))])
    set_facts(editions)
    _set_doubts(editions)
    held = {text.row.sha256 for text in editions}
    return editions, [text for text in texts if text.row.sha256 not in held]


def _issues(texts: Sequence[Text]) -> list[Text]:
    """Return the attested texts of a day; one that only a decision attests has other words than the rest."""
    issues: list[Text] = []
    for text in sorted(texts, key=lambda it: it.row.attested != BY_FACTS):
        is_distinct = text.content not in [issue.content for issue in issues]
        if text.row.attested == BY_FACTS or (text.row.attested and is_distinct):
            issues.append(text)
    return issues


def _chosen(candidates: dict[str, list[Text]]) -> dict[str, list[Text]]:
    """Return the texts of each day: the attested ones, else the best; none if it is another day's."""
    settled = {
        day: texts for day, texts in candidates.items() if len(texts) == 1 or texts[0].row.attested
    }
    chosen = dict(settled)
    for day, texts in candidates.items():
        if day not in settled:
            near = [max((it for it in settled if it < day), default="")]
            near += [min((it for it in settled if it > day), default="")]
            beside = {id(state) for it in near if it for state in settled[it][-1].states}
            chosen[day] = [min(texts, key=lambda it: _rank(it, beside))]
    attested = {day: texts[-1] for day, texts in chosen.items() if texts[-1].row.attested}
    doubtful = [texts[-1] for day, texts in chosen.items() if day not in attested]
    if attested and doubtful:
        held = {day: wordings_of(text.states) for day, text in attested.items()}
        for text in doubtful:
            text.copy_of = nearest_elsewhere(text.day, wordings_of(text.states), held)
            if text.copy_of:
                del chosen[text.day]
    return chosen


def _rank(text: Text, beside: set[int]) -> tuple[bool, int, int, str]:
    """Order texts of a day, the best first.

    A text that lost characters comes last; among the others, the best has most in common with the
    adjacent editions, whose states have these ids.
    """
    in_common = len(beside.intersection(map(id, text.states)))
    is_lossy = text.condition is Condition.LOSSY
    return is_lossy, -in_common, text.condition.rank, text.row.sha256


def set_facts(editions: list[Text]) -> None:
    """Sort editions, and set the columns that rest on facts."""
    editions.sort(key=lambda text: text.day)
    for day, group in groupby(editions, lambda text: text.day):
        texts, facts = [*group], known_editions().get(date.fromisoformat(day))
        issues = issues_of(date.fromisoformat(day), [text.row.sha256 for text in texts])
        for text in texts:
            text.row = text.row._replace(
                issue=issues[text.row.sha256],
                set_code=facts.set_code if facts else "",
                set_name=facts.set_name if facts else "",
            )
    editions.sort(key=lambda text: (text.day, text.row.issue))
    name_editions(editions)


def name_editions(editions: Sequence[Text]) -> None:
    """Set the labels of editions, and whether a bare date means them.

    The label is the date, with the issue where the date has several; a bare date means the last one in
    the best condition.
    """
    for day, group in groupby(editions, lambda text: text.day):
        texts = [*group]
        best = min(reversed(texts), key=lambda text: text.condition.rank)
        for text in texts:
            label = f"{day}.{text.row.issue}" if texts[1:] else day
            text.row = text.row._replace(label=label, is_chosen=int(text is best))


def _set_doubts(editions: Sequence[Text]) -> None:
    """Set the doubts, which rest on the last edition of the day before and the first of the next."""
    for place, text in enumerate(editions):
        doubts = [*_plain_doubts(text)]
        if text.row.attested != BY_FACTS:
            before = [other for other in editions[:place] if other.day < text.day][-1:]
            after = [other for other in editions[place:] if other.day > text.day][:1]
            beside = [some[0].states if some else [] for some in (before, after)]
            doubts += filter(None, [holes_in(text.states, *beside)])
        text.row = text.row._replace(doubts="\n".join(doubts))


def _plain_doubts(text: Text) -> Iterator[str]:
    if not text.row.attested:
        yield ONE_SOURCE
        if date.fromisoformat(text.day) in known_editions() and not text.is_original:
            yield NOT_KNOWN
    if text.condition is Condition.LOSSY:
        yield text.row.condition
