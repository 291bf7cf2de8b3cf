"""The changes from one edition to the next, grouped as `cr diff` groups them."""

from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import NamedTuple

from variorum.answers.diff import (
    CITATION,
    SUBSTANTIVE,
    SWEEP,
    TYPOGRAPHIC,
    Change,
    Changes,
    summary,
)
from variorum.answers.editions import EditionEntry
from variorum.cli.layout import with_examples
from variorum.permalinks import anchor_of, slug_of
from variorum.rows import (
    COPIED,
    MERGED,
    SHOWN_CERTAIN,
    SPLIT,
    UNCERTAIN,
    Row,
    count_examples,
    name_of,
)
from variorum.text import percent
from variorum_site import names, urls
from variorum_site.page_index import LinksOf, PageIndex
from variorum_site.pages.markup import CONTEXT, GONE, Html, Link, set_pieces, unmarked
from variorum_site.pages.story import QUIET
from variorum_site.pages.witnesses import attestation
from variorum_site.render import PageFile, render

# What is listed without words: the class of change, its title and anchor.
_QUIET = (
    (SWEEP, "Only wording changed in many rules at once", "sweeps"),
    (CITATION, "Only cites new numbers", "citations"),
    (TYPOGRAPHIC, "Typography", "typography"),
)
# If an edition changed the words of more rules, its page names them, and theirs have the words.
_MOST_WITH_WORDS = 400


class Item(NamedTuple):
    """A change as the page shows it: names in both editions, the main heir first, and a word diff.

    `heading` has the old and the new one if they differ.
    """

    anchor: str
    old: Link | None
    news: Sequence[Link]
    kinds: str
    heading: tuple[str, str] | None
    diff: Html


class ChangesPage:
    """Renders the changes that an edition made."""

    def __init__(self, index: PageIndex, edition: EditionEntry, changes: Changes) -> None:
        """Prepare the changes of an edition."""
        self._links = LinksOf(index, urls.changes(edition.label))
        self.all = changes.all
        self.here = self._links.here
        self._new, self._old = edition, index.editions[edition.place - 1]
        self.summary = summary(changes)
        self.anchors = _anchors(changes.all)
        self._worded = [change for change in changes.all if change.change == SUBSTANTIVE]
        self._is_light = len(self._worded) > _MOST_WITH_WORDS

    def page_file(self) -> PageFile:
        """Return the page; a light one has no words."""
        index = self._links.index
        announced = index.witnesses.announcements(self._new)
        views = dict.fromkeys([attestation(index, self.here, said) for said in announced])
        moved = [change for change in self.all if change.is_moved_only]
        return render(
            "changes",
            self.here,
            edition=self._new,
            before=self._old,
            older=self._old if self._old.place else None,
            newer=next(iter(index.editions[self._new.place + 1 :]), None),
            summary=self.summary,
            groups=list(self._groups()),
            moves=[
                (" → ".join(dict.fromkeys(sections)), [*map(self._item, group)])
                for sections, group in groupby(
                    moved, key=lambda change: (section_of(change.old), section_of(change.new))
                )
            ],
            quiet=[
                (title, anchor, [self._item(it) for it in self.all if it.change == kept])
                for kept, title, anchor in _QUIET
            ],
            is_light=self._is_light,
            is_past=self._new.place < index.current.place,
            announced=list(views),
            announced_in=list(dict.fromkeys([view.witness for view in views])),
        )

    def _item(self, change: Change) -> Item:
        old, new = change.old, change.new
        heading = None
        if old and new and not change.is_part and (old.body or new.body):
            headings = unmarked(old.heading), unmarked(new.heading)
            heading = headings if headings[0] and headings[0] != headings[1] else None
        return Item(
            anchor=self.anchors[id(change)],
            old=None if old is None or change.is_part else self._name(old, self._old),
            news=[self._name(row, self._new) for row in ((new, *change.others) if new else ())],
            kinds=kinds_in_words(change),
            heading=heading,
            diff=Html("") if self._is_light else _diff(change),
        )

    def _name(self, row: Row, edition: EditionEntry) -> Link:
        there = self._links.to(names.page_of(row))
        return Link(
            names.called(row), there if self._is_light else self._links.dated(row.id, edition.place)
        )

    def _groups(self) -> Iterator[tuple[str, str, list[Item]]]:
        """Yield changes by section; a removed provision belongs to a section of the older edition."""
        by_title: dict[str, list[Change]] = {}
        for change in self._worded:
            by_title.setdefault(self._title(change), []).append(change)
        for place, (title, group) in enumerate(by_title.items(), 1):
            yield title, f"group-{place}", [*map(self._item, group)]

    def _title(self, change: Change) -> str:
        section = section_of(change.new or change.old)
        outlines = [self._links.index.outline(each.place) for each in (self._old, self._new)]
        older, newer = (
            unmarked(names.titled(section, outline.headings.get(section, "")))
            for outline in outlines
        )
        return newer if change.new is not None or older == newer else f"{older} (until then)"


def section_of(row: Row | None) -> str:
    """Return the section that a provision belongs to, or "Glossary"."""
    return (
        "Glossary" if row is None or row.kind == names.GLOSSARY else row.address.partition(".")[0]
    )


def kinds_in_words(change: Change) -> str:
    """Return what happened, in words, and the confidence if it is low."""
    named = [kind.replace("gone", "removed") for kind in change.kinds if kind != "kept"]
    if change.is_part and change.old is not None:
        how = "copied" if change.bits & COPIED and not change.bits & SPLIT else "split off"
        named = [f"{how} from {names.for_readers(name_of(change.old))}"]
    elif change.bits & UNCERTAIN and change.new is not None:
        named = [f"perhaps {kind}" for kind in named if kind != "uncertain"] or named
    if change.change in QUIET:
        named.append(QUIET[change.change])
    if change.confidence < SHOWN_CERTAIN:
        named.append(f"{percent(change.confidence)} sure")
    return ", ".join(named)


def _anchors(changes: Sequence[Change]) -> dict[int, str]:
    """Return a unique anchor for each change, by the change's `id`."""
    used: set[str] = set()
    anchors: dict[int, str] = {}
    # Merged provisions are listed under their old number.
    for change in sorted(changes, key=_is_taken_in):
        known = [_anchor(change.new)] if change.new is not None and not _is_taken_in(change) else []
        known += [f"was-{_anchor(change.old)}"] if change.old is not None else []
        numbered = f"{known[0]}-{len(used)}"
        anchor = next((candidate for candidate in known if candidate not in used), numbered)
        used.add(anchor)
        anchors[id(change)] = anchor
    return anchors


def _is_taken_in(change: Change) -> bool:
    return bool(change.bits & MERGED) and not change.is_part


def _anchor(row: Row) -> str:
    return f"term-{slug_of(row.heading)}" if row.kind == names.GLOSSARY else anchor_of(row.address)


def _diff(change: Change) -> Html:
    """Return the word diff of a change; a heading is not compared with a text."""
    old, new = change.old, change.new
    if change.change != SUBSTANTIVE or _is_taken_in(change):
        return Html("")
    if old is not None and new is not None and bool(old.body) != bool(new.body):
        return Html("")
    counts = [0 if row is None else count_examples(row.body) for row in (old, new)]
    pieces = with_examples(change.pieces(), *counts)
    if change.is_part:  # the remaining words are shown with their own heir
        pieces = [piece for piece in pieces if piece[0] != GONE]
    return set_pieces(pieces, None if change.is_part else CONTEXT)
