"""What changed from each edition to the one in force, in the figures of `cr since`."""

import re
from collections.abc import Mapping

from variorum.answers.diff import SUBSTANTIVE, Change, Changes, find_changes, summary
from variorum.rows import CHANGE_CLASSES, COPIED, MERGED, SPLIT, Row, name_of
from variorum_site.data.script_files import script_file
from variorum_site.page_index import GLOSSARY, PageIndex

# How many of the rules with most changed words are listed.
_MOST_REWORDED = 8
_SORTS = ("", "new", "gone", "parted")
_KEYWORDS = re.compile("keyword", re.IGNORECASE)


def since_file(index: PageIndex, place: int) -> tuple[str, bytes]:
    """Return the file of the edition at a place."""
    edition = index.editions[place]
    file = f"compare/since/{edition.label}.js"
    changes = find_changes(index.base, edition, index.current)
    headings = _headings(index, place) | _headings(index, index.current.place)
    return file, script_file(file, _since(changes, headings))


def _headings(index: PageIndex, edition: int) -> dict[str, str]:
    """Return the headings of an edition's chapters and sections."""
    states = [index.states[state] for state in index.whole.held(edition)]
    return {row.number: row.heading for row in states if row.kind in {"chapter", "section"}}


def _since(changes: Changes, headings: Mapping[str, str]) -> dict[str, object]:
    """Return counts, the sections and keywords that are new or gone, and all changes by section."""
    titles = [f"{what} {kind}" for kind in ("sections", "keywords") for what in ("New", "Removed")]
    lists: dict[str, list[list[str]]] = {title: [] for title in titles}
    sections: dict[str, list[list[str | int]]] = {}
    for change in changes.all:
        row = change.new or change.old
        if row is None:
            continue
        section = "glossary" if row.kind == GLOSSARY else row.address.partition(".")[0]
        sections.setdefault(section, []).append(_row(change))
        is_new = change.is_new or change.is_part
        is_keyword = row.kind == "rule" and row.heading and _KEYWORDS.search(headings[section])
        if (is_new or change.is_gone) and (row.kind == "section" or is_keyword):
            what = "sections" if row.kind == "section" else "keywords"
            title = f"{'New' if is_new else 'Removed'} {what}"
            lists[title].append([name_of(row), row.heading])
    return {
        "summary": summary(changes).as_json(),
        "lists": [[title, rows] for title, rows in lists.items() if rows],
        "reworded": _most_reworded(changes),
        "sections": [
            [section, headings.get(section, ""), rows] for section, rows in sections.items()
        ],
    }


def _row(change: Change) -> list[str | int]:
    """Return the old and the new name of a change ("=": the same), its sort, and the class of its words."""
    sort = "new" if change.is_new else "gone" if change.is_gone else ""
    if change.is_part or change.bits & (SPLIT | MERGED | COPIED):
        sort = "parted"
    old, new = (_name(row) for row in (change.old, change.new))
    return [
        old,
        "=" if old == new else new,
        _SORTS.index(sort),
        CHANGE_CLASSES.index(change.change),
    ]


def _name(row: Row | None) -> str:
    return "" if row is None else name_of(row)


def _most_reworded(changes: Changes) -> list[list[object]]:
    """Return the names and headings of provisions, with the words that were removed and added."""
    counts: list[tuple[int, int, Row]] = []
    for change in changes.all:
        if change.old is None or change.new is None or change.is_part:
            continue
        # A heading is not a rewording of the text that stood in its place.
        if change.change == SUBSTANTIVE and bool(change.old.body) == bool(change.new.body):
            sides = dict.fromkeys("=-+", 0)
            for sign, text in change.pieces():
                sides[sign] += len(text.split())
            counts.append((sides["-"], sides["+"], change.new))
    counts.sort(key=lambda each: each[0] + each[1], reverse=True)
    return [[name_of(row), row.heading, *words] for *words, row in counts[:_MOST_REWORDED]]
