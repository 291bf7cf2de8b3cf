"""The Atom feed of editions and their changes.

Times are the effective dates of editions. Ids depend on these dates, not on the site's address, so feed
readers do not show old news again when a feed moves or is rebuilt.
"""

import uuid
from collections.abc import Iterable, Iterator, Mapping, Sequence

from variorum.answers.diff import SUBSTANTIVE, SWEEP, Change, Changes
from variorum.rows import MERGED, UNCERTAIN, State, name_of, wording_of
from variorum.text import shortened
from variorum_site import urls
from variorum_site.page_index import PageIndex, page_of_name
from variorum_site.pages.front import EditionRow
from variorum_site.pages.markup import Link
from variorum_site.render import templates

# A change: one of `KINDS`; the old name; the new name, with "?" before it if the step is uncertain;
# and a short word diff.
ReportedChange = tuple[str, str, str, list[tuple[str, str]]]

ADDED, REWORDED, REMOVED, RENUMBERED = "added", "reworded", "removed", "renumbered"
KINDS = (ADDED, REWORDED, REMOVED, RENUMBERED)
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


# What an edition changed ---------------------------------------------------------------------------


def reported_of(changes: Changes) -> list[ReportedChange]:
    """Return an edition's changes but those of typography or cited numbers: kind, names, words."""
    return [reported for change in changes.all for reported in _reported(change)]


def _reported(change: Change) -> Iterator[ReportedChange]:
    old = "" if change.old is None else name_of(change.old)
    new = "" if change.new is None else name_of(change.new)
    likely = f"?{new}" if change.bits & UNCERTAIN else new
    if change.is_new or change.is_part:
        yield ADDED, old, new, _opening(change.new)
    elif change.is_gone or change.bits & MERGED:
        yield REMOVED, old, new, _opening(change.old)
    elif change.change in {SUBSTANTIVE, SWEEP}:
        yield REWORDED, old, likely, _in_short(change.pieces())
    elif old != new:
        yield RENUMBERED, old, likely, _opening(change.new, _TITLE)


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


# The feed ------------------------------------------------------------------------------------------


def feed_files(
    index: PageIndex,
    rows: Mapping[str, EditionRow],
    reported: Mapping[str, Sequence[ReportedChange]],
    base_url: str,
) -> Iterator[tuple[str, bytes]]:
    """Yield the feed of all editions, the newest first, with what the newest ones changed.

    Without the address of the site, links are relative.
    """
    root = base_url or "../" * urls.EDITIONS_FEED.count("/")

    def to_page(page: urls.Page) -> str:
        return root + (page if base_url else urls.file_of(page))

    def item(change: ReportedChange) -> dict[str, object]:
        kind, old, new, words = change
        after, note = new.removeprefix("?"), "uncertain" if new.startswith("?") else ""
        names = [old, after] if old != after else [after]
        if kind == ADDED:
            names, note = [after], f"from {old}" if old else ""
        elif kind == REMOVED:
            names, note = [old], f"now in {after}" if after else ""
        links = [Link(name, to_page(page_of_name(name))) for name in names if name]
        return {"names": links, "note": note, "words": words}

    def entry(label: str) -> dict[str, object]:
        edition, summary = rows[label].edition, rows[label].summary
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
        day = edition.effective.isoformat()
        by_kind = {
            kind: [change for change in reported.get(label, ()) if change[0] == kind]
            for kind in KINDS
        }
        return {
            "id": _id("editions", f"{day}/{edition.issue}"),  # a label may get a suffix later
            "title": f"{label} ({edition.set_name})" if edition.set_name else label,
            "updated": f"{day}T00:00:00Z",
            "page": to_page(page),
            "summary": f"{words}. {edition.summary.rules} rules in all.",
            "parts": [
                (kind.capitalize(), [*map(item, some[:_MOST])], max(0, len(some) - _MOST))
                for kind, some in by_kind.items()
                if some
            ],
        }

    text = (
        templates()
        .get_template("feed.xml")
        .render(
            id=_id("editions"),
            here=root + urls.EDITIONS_FEED,
            page=to_page(urls.EDITIONS),
            entries=[entry(edition.label) for edition in reversed(index.editions)],
        )
    )
    yield urls.EDITIONS_FEED, text.encode()


def _id(*parts: str) -> str:
    return uuid.uuid5(_IDS, "/".join(parts)).urn
