"""Files for programs: JSON in the forms of the `cr` command (docs/json.md), the feed, the sitemap.

Times of the feed are the effective dates of editions. Its ids depend on these dates, not on the site's
address, so feed readers do not show old news again when a feed moves or is rebuilt.
"""

import uuid
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple
from urllib.parse import urlsplit

from variorum.answers.diff import SUBSTANTIVE, SWEEP, Change, Changes
from variorum.answers.editions import EditionEntry, listed
from variorum.answers.histories import Life, LifeReading, NumberHolder, Relative
from variorum.answers.whole import export_edition
from variorum.records import lineage
from variorum.records.answer import json_text
from variorum.rows import MERGED, UNCERTAIN, State, headword_of, name_of, wording_of
from variorum.text import shortened
from variorum_site import names, urls
from variorum_site.page_index import PageIndex
from variorum_site.pages.markup import Link
from variorum_site.pages.story import says_more
from variorum_site.render import PageFile, render_text

_ADDED, _REWORDED, _REMOVED, _RENUMBERED = _KINDS = ("Added", "Reworded", "Removed", "Renumbered")
# For how many of the newest editions their feed lists the changes.
REPORTED = 12
# At most this many changes of a kind are listed; the page has the others.
_MOST = 100
# How many words of a diff are shown, and how many kept words on each side of a change.
_WORDS, _AROUND = 60, 5
# Length limits for the words of an added or removed provision, and of a renumbered one.
_OPENING, _TITLE = 160, 60
# The namespace of ids; with another one, all entries would be new to feed readers.
_IDS = uuid.UUID("e1ebe8c9-3e76-50f2-b038-8524f71cd4b5")


# JSON -----------------------------------------------------------------------------------------------


def _json_file(file: str, value: object) -> PageFile:
    """Return JSON without blanks; equal values give equal bytes."""
    return PageFile(file, json_text(value, is_compact=True).encode())


def catalogue_files(index: PageIndex) -> Iterator[PageFile]:
    """Yield the lists of all editions and witnesses, the edition in force, and the passages of witnesses."""
    # A base does not store the names of source files.
    editions = [listed(edition, index.editions, "") for edition in index.editions]
    yield _json_file(urls.EDITIONS_JSON, editions)
    yield _json_file(urls.CURRENT_JSON, export_edition(index.base, index.current))
    everyone = index.witnesses.all()
    yield _json_file(urls.WITNESSES_JSON, everyone)
    for witness in everyone:
        passages = index.witnesses.passages_of(witness.sha256)
        yield _json_file(urls.data_of(urls.witness(witness.sha256)), passages)


class NumberFiles:
    """Makes the files of sections, and of the headwords with an initial."""

    def __init__(self, index: PageIndex) -> None:
        self._index, self._last = index, index.current.place

    def file(self, pages: Sequence[urls.Page]) -> PageFile:
        """Return the file of all numbers of a section, or of all headwords with an initial."""
        return _json_file(urls.data_of(pages[0]), [self._number(page) for page in pages])

    def _number(self, page: urls.Page) -> lineage.NumberBearers:
        """Return the provisions that have had a number or headword, the latest first."""
        is_number = page.startswith(urls.RULES)
        return lineage.NumberBearers(
            number=page.split("/")[1] if is_number else None,
            term=None if is_number else self._index.last_state(page).heading,
            bearers=[
                self._bearer(holder, is_home=not place or self._index.home_of(holder.end) == page)
                for place, holder in enumerate(self._index.holders(page))
            ],
        )

    def _bearer(self, holder: NumberHolder, *, is_home: bool) -> lineage.Bearer:
        index = self._index
        state, end, life = index.states[holder.state], holder.end, index.life(holder.end)
        is_alive = life.readings[-1].last == self._last
        last = lineage.whereabouts(index.states[end.state], index.labels[life.readings[-1].last])
        return lineage.Bearer(
            address=names.called(state),
            kind=state.kind,
            heading=state.heading,
            text=wording_of(state),
            runs=[lineage.PrintedRun(*self._run(first, until)) for first, until in holder.runs],
            now=lineage.Named(last.number, last.term) if is_alive else None,
            last=None if is_alive else last,
            heirs=[self._heir(heir) for heir in life.heirs],
            history=list(self._history(life)) if is_home else None,
        )

    def _run(self, first: int, last: int) -> tuple[str, str | None]:
        labels = self._index.labels
        return labels[first], None if last == self._last else labels[last]

    def _history(self, life: Life) -> Iterator[lineage.PastReading]:
        """Yield the readings; those that differ only in typography or citations are one."""
        groups: list[list[LifeReading]] = []
        for reading in life.readings:
            is_same = groups and names.called(groups[-1][0].state) == names.called(reading.state)
            if is_same and not says_more(reading):
                groups[-1].append(reading)
            else:
                groups.append([reading])
        for group in groups:
            state, first = group[-1].state, group[0]
            named = lineage.whereabouts(state, "")
            run = self._run(first.first, group[-1].last)
            name, kinds = (named.number, named.term), list(first.kinds)
            yield lineage.PastReading(*name, *run, state.heading, kinds, first.change)

    def _heir(self, heir: Relative) -> lineage.Successor:
        word, label = headword_of(heir.name), self._index.labels[heir.edition]
        return lineage.Successor(heir.how, label, None if word else heir.name, word or None)


# The feed, and the sitemap --------------------------------------------------------------------------


class ReportedChange(NamedTuple):
    """A change: its kind, names to link to, a note, and a short word diff."""

    kind: str
    names: Sequence[str]
    note: str
    words: Sequence[tuple[str, str]]


def reported_of(changes: Changes) -> list[ReportedChange]:
    """Return an edition's changes but those of typography or cited numbers."""
    return [reported for change in changes.all for reported in _reported(change)]


def _reported(change: Change) -> Iterator[ReportedChange]:
    old = "" if change.old is None else name_of(change.old)
    new = "" if change.new is None else name_of(change.new)
    names = [name for name in dict.fromkeys((old, new)) if name]
    uncertain = "uncertain" if change.bits & UNCERTAIN else ""
    if change.is_new or change.is_part:
        yield ReportedChange(_ADDED, [new], f"from {old}" if old else "", _opening(change.new))
    elif change.is_gone or change.bits & MERGED:
        yield ReportedChange(_REMOVED, [old], f"now in {new}" if new else "", _opening(change.old))
    elif change.change in {SUBSTANTIVE, SWEEP}:
        yield ReportedChange(_REWORDED, names, uncertain, _in_short(change.pieces()))
    elif old != new:
        yield ReportedChange(_RENUMBERED, names, uncertain, _opening(change.new, _TITLE))


def _in_short(pieces: Iterable[tuple[str, str]]) -> list[tuple[str, str]]:
    """Return a word diff with a few words around each change; cut it if it is long."""
    short: list[tuple[str, str]] = []
    shown = 0
    for sign, text in pieces:
        words = text.split()
        if shown >= _WORDS:
            return [*short, ("=", "…")]
        most = _AROUND if sign == "=" else _WORDS
        if len(words) > 2 * most:
            words = [*words[: most * bool(short)], "…", *words[-most:]]
        shown += len(words)
        short.append((sign, " ".join(words)))
    return short


def _opening(state: State | None, most: int = _OPENING) -> list[tuple[str, str]]:
    """Return the heading of a provision, else its first words."""
    words = "" if state is None else state.heading or wording_of(state)
    return [("=", shortened(words, most))] if words else []


class EditionRow(NamedTuple):
    """The figures of an edition: its words, how much it changed if it is not the first, and what.

    Only the newest editions have their changes here, for the feed.
    """

    edition: EditionEntry
    words: int
    summary: lineage.DiffSummary | None
    reported: Sequence[ReportedChange]

    @property
    def changed(self) -> int:
        """Return how many provisions were reworded, new or removed."""
        of = self.summary
        return 0 if of is None else of.substantive + of.new + of.gone

    @property
    def in_words(self) -> str:
        """Return how much it changed."""
        of = self.summary
        if of is None:
            return "The first edition here"
        counts = {
            "reworded": of.substantive,
            "new": of.new,
            "removed": of.gone,
            "split off or copied": of.parts,
            "only renumbered": of.moved_only,
        }
        return (
            ", ".join(f"{count} {kind}" for kind, count in counts.items() if count) or "no change"
        )


def feed_file(rows: Iterable[EditionRow], base_url: str) -> PageFile:
    """Return the feed of all editions, the newest first, with what the newest ones changed.

    Without the address of the site, links are relative.
    """
    root = base_url or "../" * urls.EDITIONS_FEED.count("/")

    def to_page(page: urls.Page) -> str:
        return root + (page if base_url else urls.file_of(page))

    def part(
        kind: str, row: EditionRow
    ) -> tuple[str, list[tuple[list[Link], ReportedChange]], int]:
        changes = [each for each in row.reported if each.kind == kind]
        items = [
            ([Link(name, to_page(names.page_of_name(name))) for name in each.names], each)
            for each in changes[:_MOST]
        ]
        return kind, items, len(changes) - len(items)

    entries = [
        {
            # A label may get a suffix later.
            "id": _id("editions", f"{row.edition.effective}/{row.edition.issue}"),
            "edition": row.edition,
            "page": to_page((urls.changes if row.summary else urls.edition)(row.edition.label)),
            "summary": f"{row.in_words}. {row.edition.summary.rules} rules in all.",
            "parts": [part(kind, row) for kind in _KINDS],
        }
        for row in rows
    ]
    address, page = root + urls.EDITIONS_FEED, to_page(urls.EDITIONS)
    view = {"id": _id("editions"), "here": address, "page": page, "entries": entries[::-1]}
    return PageFile(urls.EDITIONS_FEED, render_text("feed.xml", **view))


def _id(*parts: str) -> str:
    return uuid.uuid5(_IDS, "/".join(parts)).urn


def sitemap_files(base_url: str, files: Iterable[str]) -> Iterator[PageFile]:
    """Yield the list of all pages for search engines, and robots.txt.

    It has no dates, because a page may also change without a new edition.
    """
    pages = [
        file.removesuffix("index.html") for file in files if f"/{file}".endswith("/index.html")
    ]
    addresses = sorted(base_url + page for page in pages if page != urls.OFFLINE)
    yield PageFile(urls.SITEMAP, render_text("sitemap.xml", addresses=addresses))
    # Crawlers read robots.txt only at the root of a host.
    if urlsplit(base_url).path == "/":
        robots = f"User-agent: *\nAllow: /\n\nSitemap: {base_url}{urls.SITEMAP}\n"
        yield PageFile(urls.ROBOTS, robots.encode())
