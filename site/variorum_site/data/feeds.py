"""The Atom feed of editions and their changes.

Times are the effective dates of editions. Ids depend on these dates, not on the site's address, so feed
readers do not show old news again when a feed moves or is rebuilt.
"""

import uuid
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from variorum.answers.diff import SUBSTANTIVE, SWEEP, Change, Changes
from variorum.answers.editions import EditionEntry
from variorum.records.lineage import DiffSummary
from variorum.rows import MERGED, UNCERTAIN, State, name_of, wording_of
from variorum.text import shortened
from variorum_site import names, urls
from variorum_site.pages.markup import Link
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


def feed_files(
    editions: Sequence[tuple[EditionEntry, DiffSummary | None, Sequence[ReportedChange]]],
    base_url: str,
) -> Iterator[PageFile]:
    """Yield the feed of all editions, the newest first, with what the newest ones changed.

    Without the address of the site, links are relative.
    """
    root = base_url or "../" * urls.EDITIONS_FEED.count("/")

    def to_page(page: urls.Page) -> str:
        return root + (page if base_url else urls.file_of(page))

    def entry(
        edition: EditionEntry, summary: DiffSummary | None, reported: Sequence[ReportedChange]
    ) -> dict[str, object]:
        label, day = edition.label, edition.effective.isoformat()
        words, page = "The first edition here", urls.edition(label)
        if summary is not None:
            counts = {
                "reworded": summary.substantive,
                "new": summary.new,
                "removed": summary.gone,
                "split off or copied": summary.parts,
                "only renumbered": summary.moved_only,
            }
            told = [f"{count} {kind}" for kind, count in counts.items() if count]
            words, page = ", ".join(told) or "no change", urls.changes(label)
        by_kind = {kind: [each for each in reported if each.kind == kind] for kind in _KINDS}
        return {
            "id": _id("editions", f"{day}/{edition.issue}"),  # a label may get a suffix later
            "title": f"{label} ({edition.set_name})" if edition.set_name else label,
            "updated": f"{day}T00:00:00Z",
            "page": to_page(page),
            "summary": f"{words}. {edition.summary.rules} rules in all.",
            "parts": [
                (
                    kind,
                    [
                        ([Link(it, to_page(names.page_of_name(it))) for it in each.names], each)
                        for each in some[:_MOST]
                    ],
                    max(0, len(some) - _MOST),
                )
                for kind, some in by_kind.items()
                if some
            ],
        }

    feed = render_text(
        "feed.xml",
        id=_id("editions"),
        here=root + urls.EDITIONS_FEED,
        page=to_page(urls.EDITIONS),
        entries=[entry(*each) for each in reversed(editions)],
    )
    yield PageFile(urls.EDITIONS_FEED, feed)


def _id(*parts: str) -> str:
    return uuid.uuid5(_IDS, "/".join(parts)).urn
