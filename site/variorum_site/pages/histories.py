"""The history of a provision as pages show it: its readings, when each was in force, and what happened."""

from collections.abc import Sequence
from datetime import date, timedelta

from variorum.answers.number_histories import Life
from variorum.answers.readings import LifeReading, Relative
from variorum.permalinks import slug_of
from variorum.rows import SHOWN_CERTAIN, wording_of
from variorum.text import percent
from variorum_site import urls
from variorum_site.page_index import GLOSSARY, PageIndex, called, page_of_name
from variorum_site.pages.changes import QUIET
from variorum_site.pages.link import Link
from variorum_site.pages.markup import Html, set_pieces
from variorum_site.pages.number_views import HistoryView, ReadingRow
from variorum_site.pages.timeline import life_line, signs
from variorum_site.pages.witnesses import Attested

# A longer word diff is shown only on the page of changes.
_LONGEST_DIFF = 6000


class Histories:
    """Shows the histories of provisions.

    Args:
        index: The pages of the base.
        days: The effective dates of the editions up to the one in force.
    """

    def __init__(self, index: PageIndex, days: Sequence[date]) -> None:
        self._index, self._days = index, days
        self._current = index.current.place

    def view(self, here: urls.Page, life: Life, attested_views: Attested) -> HistoryView:
        """Return the history of a provision, as its page shows it."""
        oldest, newest = life.readings[0], life.readings[-1]
        is_same = wording_of(oldest.state) == wording_of(newest.state)
        return HistoryView(
            line=life_line(life, self._days),
            signs=tuple(signs(life)),
            rows=tuple(
                [self._row(here, reading, attested_views) for reading in reversed(life.readings)]
            ),
            ending="" if life.gone is None else _ending(life, self._index.labels[life.gone]),
            heirs=tuple([self._relative(here, heir) for heir in life.heirs]),
            first="" if is_same else wording_of(oldest.state),
            first_label=self._index.labels[oldest.first],
        )

    def _row(self, here: urls.Page, reading: LifeReading, attested_views: Attested) -> ReadingRow:
        is_today = reading.last == self._current
        diff = set_pieces(reading.pieces)
        changes = ""
        if reading.first:
            changes = urls.link(here, urls.changes(self._index.labels[reading.first]))
        return ReadingRow(
            name=called(reading.state),
            since=self.label(here, reading.number, reading.first),
            until=None if is_today else self.until(here, reading.number, reading.last),
            what=Link(what_happened(reading), changes),
            is_quiet=bool(reading.first) and not _says_more(reading),
            relatives=tuple([self._relative(here, relative) for relative in reading.relatives]),
            sure="" if reading.confidence >= SHOWN_CERTAIN else percent(reading.confidence),
            read=self._index.read_reason(reading),
            diff=diff if len(diff) <= _LONGEST_DIFF else Html(""),
            announced=attested_views.announced.get(self._index.labels[reading.first], ()),
        )

    def _relative(self, here: urls.Page, relative: Relative) -> tuple[str, Link, str]:
        name = Link(relative.name, urls.link(here, page_of_name(relative.name)))
        return relative.how, name, self._index.labels[relative.edition]

    def since(self, here: urls.Page, life: Life) -> Link:
        """Return the first edition with the present meaning of a provision."""
        place = life.readings[-1].first
        for reading, later in zip(
            reversed(life.readings[:-1]), reversed(life.readings), strict=False
        ):
            if later.change in {"sweep", "substantive"}:
                break
            place = reading.first
        label = self._index.labels[place]
        return Link(label, urls.link(here, urls.edition(label)))

    # Links to editions ---------------------------------------------------------------------------

    def label(self, here: urls.Page, state: int, edition: int) -> Link:
        """Return an edition's label, linked to the provision there with a state's name."""
        label, row = self._index.labels[edition], self._index.states[state]
        spans = self._index.whole.spans[state]
        if any(first <= edition <= last for first, last in spans):
            return Link(label, urls.link(here, *self._index.dated(state, edition)))
        if row.kind == GLOSSARY:
            there = urls.edition_glossary(label), slug_of(row.heading)
            return Link(label, urls.link(here, *there))
        bearers = self._index.whole.bearers(row.number, edition)
        if bearers:  # the same number with different words
            return Link(label, urls.link(here, *self._index.dated(bearers[0], edition)))
        return Link(label, urls.link(here, urls.edition(label)))

    def until(self, here: urls.Page, state: int, edition: int) -> Link:
        """Return the last day of an edition, the day before the next one, linked to the edition."""
        link = self.label(here, state, edition)
        if edition == self._current:
            return link
        last = self._days[edition + 1] - timedelta(days=1)
        return link if last < self._days[edition] else Link(last.isoformat(), link.href)


def what_happened(reading: LifeReading) -> str:
    """Return the event that began a reading, in words."""
    kinds = [kind for kind in reading.kinds if kind not in {"kept", "uncertain"}]
    if reading.change in QUIET:
        kinds = [kind for kind in kinds if kind != "reworded"] + [QUIET[reading.change]]
    if "uncertain" in reading.kinds:
        kinds.append("uncertain")
    return ", ".join(dict.fromkeys(kinds)) or (
        "first edition here" if not reading.first else "kept"
    )


def is_reworded(reading: LifeReading) -> bool:
    """Return whether a reading began when an edition changed the words of the one before."""
    return bool(reading.first) and reading.change in {"substantive", "sweep"}


def _says_more(reading: LifeReading) -> bool:
    """Return whether a reading changes more than number, citations or typography."""
    return reading.change in {"substantive", "sweep"} or bool(
        reading.relatives or {"new", "split", "merged", "copied", "uncertain"} & set(reading.kinds)
    )


def _ending(life: Life, label: str) -> str:
    return f"{', '.join(life.ending).replace('gone', 'removed') or 'removed'} in {label}"
