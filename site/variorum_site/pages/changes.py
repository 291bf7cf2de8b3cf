"""The changes from one edition to the next, grouped as `cr diff` groups them."""

from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from itertools import groupby

from variorum import rows
from variorum.answers import diff
from variorum.answers.diff import Change, Changes
from variorum.cli.wording import with_examples
from variorum.rows import EditionRow
from variorum.text import anchor_of, doubted, slug_of
from variorum_site import names, urls
from variorum_site.page_index import LinksOf, PageIndex
from variorum_site.pages.markup import CONTEXT, GONE, Html, Link, set_pieces, unmarked
from variorum_site.pages.story import QUIET
from variorum_site.render import PageFile, render

# What is listed without words: the class of change, its title and anchor.
_QUIET = (
    (diff.SWEEP, "Only wording changed in many rules at once", "sweeps"),
    (diff.CITATION, "Only cites new numbers", "citations"),
    (diff.TYPOGRAPHIC, "Typography", "typography"),
)
# If an edition changed the words of more rules, its page names them, and theirs have the words.
_MOST_WITH_WORDS = 400

# A title, its anchor, and the changes as the page shows them.
ChangesGroup = tuple[str, str, list[dict[str, object]]]


class ChangesPage(LinksOf):
    """The changes that an edition made, and their page."""

    def __init__(self, index: PageIndex, edition: EditionRow, changes: Changes) -> None:
        super().__init__(index, urls.changes(edition.label))
        self.all = changes.all
        self.new, self._old = edition, index.editions[max(edition.place - 1, 0)]
        self.summary = changes.summary
        self._anchors = _anchors(changes.all)
        self.kinds = {id(change): _kinds_in_words(change) for change in changes.all}
        self._worded = [change for change in changes.all if change.change == diff.SUBSTANTIVE]
        self._is_light = len(self._worded) > _MOST_WITH_WORDS

    def place_of(self, change: Change) -> tuple[urls.Page, str]:
        """Return the page and anchor of a change."""
        return self.here, self._anchors[id(change)]

    @cached_property
    def marks(self) -> Mapping[int, Change]:
        by_state: dict[int, Change] = {}
        for change in sorted(self.all, key=lambda change: change.is_part):
            if change.new is not None:
                known = by_state.get(change.new.id)
                if known is None or "merged" in known.kinds:
                    by_state[change.new.id] = change
        return by_state

    def page_file(self) -> PageFile:
        """Return the page; a light one has no words."""
        index = self.index
        moved = [change for change in self.all if not change.change]
        by_sections = groupby(
            moved, lambda change: (section_of(change.old), section_of(change.new))
        )
        return render(
            "changes",
            self.here,
            edition=self.new,
            before=self._old,
            older=self._old if self._old.place else None,
            newer=next(iter(index.editions[self.new.place + 1 :]), None),
            summary=self.summary,
            groups=list(self.groups(self)),
            moves=[
                (" → ".join(dict.fromkeys(sections)), [self._item(it, self) for it in group])
                for sections, group in by_sections
            ],
            quiet=[
                (title, anchor, [self._item(it, self) for it in self.all if it.change == kept])
                for kept, title, anchor in _QUIET
            ],
            is_light=self._is_light,
            is_past=self.new.place < index.current.place,
        )

    def _item(self, change: Change, links: LinksOf) -> dict[str, object]:
        old, new = change.old, change.new
        heading = None
        if old and new and not change.is_part and (old.body or new.body):
            headings = unmarked(old.heading), unmarked(new.heading)
            heading = headings if headings[0] and headings[0] != headings[1] else None
        return {
            "anchor": self._anchors[id(change)],
            "old": None if old is None or change.is_part else self._named(old, self._old, links),
            "news": [
                self._named(row, self.new, links) for row in ((new, *change.others) if new else ())
            ],
            "kinds": self.kinds[id(change)],
            "heading": heading,
            "diff": Html("") if self._is_light else _diff(change),
        }

    def _named(self, row: rows.State, edition: EditionRow, links: LinksOf) -> Link:
        page = links.to(names.page_of(row))
        return Link(
            names.called(row), page if self._is_light else links.dated(row.id, edition.place)
        )

    def groups(self, links: LinksOf) -> Iterator[ChangesGroup]:
        """Yield the changes of words by section; a removed provision belongs to a section of the older edition."""
        outlines = [self.index.outline(edition.place) for edition in (self._old, self.new)]
        by_title: dict[str, list[Change]] = {}
        for change in self._worded:
            section = section_of(change.new or change.old)
            older, title = (
                unmarked(names.titled(section, outline.headings.get(section, "")))
                for outline in outlines
            )
            if change.new is None and older != title:
                title = f"{older} (until then)"
            by_title.setdefault(title, []).append(change)
        for place, (title, group) in enumerate(by_title.items(), 1):
            yield title, f"group-{place}", [self._item(change, links) for change in group]


def section_of(row: rows.State | None) -> str:
    """Return the section that a provision belongs to, or "Glossary"."""
    return row.address.partition(".")[0] if row and row.kind != names.GLOSSARY else "Glossary"


def _kinds_in_words(change: Change) -> str:
    moved = "renumbered" if change.new and change.new.number else "renamed"
    words = {"gone": "removed", "renumbered": moved}
    named = [words.get(kind, kind) for kind in change.kinds if kind not in {"kept", "uncertain"}]
    if change.is_part and change.old is not None:
        how = "copied" if change.bits & (rows.COPIED | rows.SPLIT) == rows.COPIED else "split off"
        named = [f"{how} from {names.for_readers(rows.name_of(change.old))}"]
    if change.change in QUIET:
        named.append(QUIET[change.change])
    return doubted(", ".join(named), change.confidence)


def _anchors(changes: Sequence[Change]) -> dict[int, str]:
    """Return a unique anchor for each change, by the change's `id`."""
    used: set[str] = set()
    anchors: dict[int, str] = {}
    # Merged provisions are listed under their old number.
    for change in sorted(changes, key=_is_taken_in):
        known = [_anchor(change.new)] if change.new is not None and not _is_taken_in(change) else []
        known += [f"was-{_anchor(change.old)}"] if change.old is not None else []
        anchor = next((it for it in known if it not in used), f"{known[0]}-{len(used)}")
        used.add(anchor)
        anchors[id(change)] = anchor
    return anchors


def _is_taken_in(change: Change) -> bool:
    return bool(change.bits & rows.MERGED) and not change.is_part


def _anchor(row: rows.State) -> str:
    return anchor_of(row.address) if row.number else f"term-{slug_of(row.heading)}"


def _diff(change: Change) -> Html:
    old, new = change.old, change.new
    is_apart = old is not None and new is not None and bool(old.body) != bool(new.body)
    if is_apart or change.change != diff.SUBSTANTIVE or _is_taken_in(change):
        return Html("")
    counts = [0 if row is None else len(rows.examples_of(row.body)) for row in (old, new)]
    pieces = with_examples(change.pieces, *counts)
    if change.is_part:  # the remaining words are shown with their own heir
        pieces = [piece for piece in pieces if piece[0] != GONE]
    return set_pieces(pieces, None if change.is_part else CONTEXT)
