"""An edition as it was: its contents, its sections to read, its glossary and all else it prints.

Some 15,000 of these pages share some 22,000 states, so the markup of each is made once and kept.
Their links lead into the same edition; only a number leads to its own page, which tells its life.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from html import escape

from variorum_kb.answers.changes import Change, Changes
from variorum_kb.answers.edition_entry import EditionEntry
from variorum_kb.forms.lineage import DiffSummaryJson
from variorum_kb.permalinks import anchor_of
from variorum_site import urls
from variorum_site.page_index import PageIndex, SectionOutline
from variorum_site.pages.changes import ChangesPage, kinds_in_words, section_of
from variorum_site.pages.link import Link
from variorum_site.pages.markup import Html
from variorum_site.pages.provision_markup import ProvisionMarkup
from variorum_site.render import PageFile, render

_MATTERS = (("introduction", "Introduction"), ("index", "Index"), ("credits", "Credits"))


@dataclass(frozen=True, slots=True, kw_only=True)
class ChapterView:
    """A chapter of an edition with its sections."""

    number: str
    heading: str
    anchor: str
    sections: tuple[tuple[Link, int, int], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class EditionView:
    """The contents of an edition.

    Attributes:
        edition: Which.
        before: The one before; None of the first.
        after: The one behind; None of the last.
        issues: The labels of all editions of this date, if it has several.
        chapters: Its contents.
        loose: Sections in no chapter.
        matters: What it prints besides: page and title.
        summary: How much it changed; None of the first.
    """

    edition: EditionEntry
    before: EditionEntry | None
    after: EditionEntry | None
    issues: tuple[str, ...]
    chapters: tuple[ChapterView, ...]
    matters: tuple[tuple[str, str], ...]
    summary: DiffSummaryJson | None


@dataclass(frozen=True, slots=True, kw_only=True)
class SectionView:
    """A section of an edition to read, or its glossary.

    Attributes:
        edition: Which.
        is_past: A later edition has replaced it.
        number: Of the section; "" of the glossary.
        heading: Of the section.
        through: The page of its number, through time; "" where nothing ever had it.
        chapter: The chapter it stands in, if any.
        before: The section before.
        after: The section behind.
        elsewhere: The same section in the edition before, and in the one behind.
        items: All provisions, as markup.
        changed: How many of them changed.
        gone: What the edition before had here and this one has no more.
        strays: Numbers of this section that are printed in another one: anchor, number, link.
    """

    edition: EditionEntry
    is_past: bool
    number: str
    heading: str
    through: str
    chapter: Link | None
    before: Link | None
    after: Link | None
    elsewhere: tuple[Link | None, Link | None]
    items: Html
    changed: int
    gone: tuple[Link, ...]
    strays: tuple[tuple[str, str, Link], ...]


class Dated:
    """Makes the pages of one edition."""

    def __init__(
        self,
        index: PageIndex,
        markup: ProvisionMarkup,
        edition: EditionEntry,
        changes: ChangesPage | None,
        found: Changes | None,
    ) -> None:
        """Prepare an edition.

        Args:
            index: Of the base.
            markup: What was set already.
            edition: Which.
            changes: The page of what it changed; None of the first.
            found: What it changed.
        """
        self._index = index
        self._markup = markup
        self._edition = edition
        self._label = edition.label
        self._changes = changes
        self._found = found
        self._outline = index.outline(edition.place)
        place = edition.place
        self._before = index.editions[place - 1] if place else None
        self._after = index.editions[place + 1] if place + 1 < len(index.editions) else None

    def page_files(self) -> Iterator[PageFile]:
        """Yield all pages of the edition."""
        matter = self._index.whole.front_matter(self._edition.place)
        yield self._contents(matter)
        for section in self._outline.sections.values():
            yield self._section(section)
        for number in self._outline.strays:
            if number not in self._outline.sections:
                yield self._section(SectionOutline(number, "", "", ()))
        yield self._glossary()
        for name, title in _MATTERS:
            if matter[name]:
                yield self._matter(name, title, matter)

    # Contents ------------------------------------------------------------------------------------

    def _contents(self, matter: Mapping[str, list[str]]) -> PageFile:
        here = urls.edition(self._label)
        editions = self._index.editions
        same_day = [one.label for one in editions if one.effective == self._edition.effective]
        view = EditionView(
            edition=self._edition,
            before=self._before,
            after=self._after,
            issues=tuple(same_day) if len(same_day) > 1 else (),
            chapters=tuple(self._chapters(here)),
            matters=tuple([pair for pair in _MATTERS if matter[pair[0]]]),
            summary=None if self._changes is None else self._changes.summary,
        )
        return render("edition", here, page=view)

    def _chapters(self, here: urls.Page) -> Iterator[ChapterView]:
        for number in self._outline.chapters:
            state = self._index.states[number]
            sections = [
                one for one in self._outline.sections.values() if one.chapter == state.address
            ]
            yield ChapterView(
                number=state.number,
                heading=state.heading,
                anchor=anchor_of(state.address),
                sections=tuple([self._entry(here, one) for one in sections]),
            )

    def _entry(self, here: urls.Page, section: SectionOutline) -> tuple[Link, int, int]:
        """Return a line of the contents: the section, its provisions, and how many changed."""
        members = [one for one in section.states if self._index.states[one].kind != "section"]
        changed = sum(1 for state in members if state in self._marks)
        return self._name(here, section), len(members), changed

    def _name(self, here: urls.Page, section: SectionOutline) -> Link:
        title = f"{section.number}. {section.heading}" if section.heading else section.number
        return Link(title, urls.link(here, urls.section(self._label, section.number)))

    # Sections ------------------------------------------------------------------------------------

    def _section(self, section: SectionOutline) -> PageFile:
        here, page = urls.section(self._label, section.number), urls.rule(section.number)
        order = list(self._outline.sections)
        place = order.index(section.number) if section.states else 0
        before = order[place - 1] if section.states and place else ""
        after = order[place + 1] if section.states and place + 1 < len(order) else ""
        chapter = next(
            (
                self._index.states[one]
                for one in self._outline.chapters
                if self._index.states[one].address == section.chapter
            ),
            None,
        )
        view = SectionView(
            edition=self._edition,
            is_past=self._after is not None,
            number=section.number,
            heading=section.heading,
            through=urls.link(here, page) if self._index.has_page(page) else "",
            chapter=None
            if chapter is None
            else Link(
                f"{chapter.number}. {chapter.heading}",
                urls.link(here, urls.edition(self._label), anchor_of(chapter.address)),
            ),
            before=self._name(here, self._outline.sections[before]) if before else None,
            after=self._name(here, self._outline.sections[after]) if after else None,
            elsewhere=self._elsewhere(here, section.number),
            items=self._items(here, section.states),
            changed=sum(1 for state in section.states if state in self._marks),
            gone=self._gone(here, section.number),
            strays=tuple(self._strays(here, section.number)),
        )
        return render("section", here, page=view)

    def _elsewhere(self, here: urls.Page, number: str) -> tuple[Link | None, Link | None]:
        """Return the section of the same number in the edition before, and in the one behind."""
        found: list[Link | None] = []
        for edition in (self._before, self._after):
            is_there = edition is not None and bool(
                self._index.whole.bearers(number, edition.place) if number else True
            )
            if edition is None or not is_there:
                found.append(None)
                continue
            page = (
                urls.section(edition.label, number)
                if number
                else urls.edition_glossary(edition.label)
            )
            found.append(Link(edition.label, urls.link(here, page)))
        return found[0], found[1]

    def _items(self, here: urls.Page, states: tuple[int, ...]) -> Html:
        place = self._edition.place
        parts: list[str] = []
        for state in states:
            opening, rest = self._markup.setting(state, place, here)
            mark = self._mark(here, state)
            if mark and self._index.states[state].kind == "section":
                parts += [f'<p class="note">This section: {mark}</p>', opening, rest]
            else:
                parts += [opening, mark, rest]
        return Html("".join(parts))

    @cached_property
    def _marks(self) -> Mapping[int, Change]:
        """Return what changed, by the states of this edition."""
        if self._found is None:
            return {}
        found: dict[int, Change] = {}
        for change in sorted(self._found.all, key=lambda one: one.is_part):
            if change.new is not None:
                known = found.get(change.new.id)
                if known is None or "merged" in known.kinds:
                    found[change.new.id] = change
        return found

    def _mark(self, here: urls.Page, state: int) -> str:
        change = self._marks.get(state)
        if change is None or self._changes is None:
            return ""
        words = kinds_in_words(change)
        if (
            change.old is not None
            and "renumbered" in words
            and change.old.number != self._index.states[state].number
        ):
            words = words.replace("renumbered", f"was {change.old.number or change.old.heading}")
        href = urls.link(here, self._changes.here, self._changes.anchors[id(change)])
        kind = "new" if change.is_new else "moved" if change.is_moved_only else "changed"
        return f'<a class="m {kind}" href="{href}">{escape(words)}</a> '

    def _gone(self, here: urls.Page, number: str) -> tuple[Link, ...]:
        """Return what the edition before had in a section and this one has no more."""
        if self._found is None or self._changes is None:
            return ()
        return tuple(
            [
                Link(
                    change.old.address,
                    urls.link(here, self._changes.here, self._changes.anchors[id(change)]),
                )
                for change in self._found.all
                if change.is_gone
                and change.old is not None
                and section_of(change.old) == (number or "Glossary")
            ]
        )

    def _strays(self, here: urls.Page, number: str) -> Iterator[tuple[str, str, Link]]:
        for state, section in self._outline.strays.get(number, ()):
            row = self._index.states[state]
            there = urls.link(here, urls.section(self._label, section), anchor_of(row.address))
            yield anchor_of(row.address), row.number, Link(section, there)

    # Glossary and the rest -----------------------------------------------------------------------

    def _glossary(self) -> PageFile:
        here = urls.edition_glossary(self._label)
        view = SectionView(
            edition=self._edition,
            is_past=self._after is not None,
            number="",
            heading="Glossary",
            through=urls.link(here, urls.GLOSSARY),
            chapter=None,
            before=None,
            after=None,
            elsewhere=self._elsewhere(here, ""),
            items=self._items(here, self._outline.entries),
            changed=sum(1 for state in self._outline.entries if state in self._marks),
            gone=self._gone(here, ""),
            strays=(),
        )
        return render("section", here, page=view)

    def _matter(self, name: str, title: str, matter: Mapping[str, list[str]]) -> PageFile:
        here = urls.matter(self._label, name)
        paragraphs: list[str] = matter[name]
        return render("matter", here, edition=self._edition, title=title, paragraphs=paragraphs)
