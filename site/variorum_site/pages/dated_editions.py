"""The pages of an edition: contents, chapters, glossary and everything else that it prints.

The pages of all editions share some 22,000 states; neighbouring editions use the same markup. Links
lead into the same edition, except those from a number to its own page.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from html import escape

from variorum.answers.diff import Change
from variorum.answers.editions import EditionEntry
from variorum.permalinks import anchor_of
from variorum.records.lineage import DiffSummary
from variorum_site import urls
from variorum_site.page_index import PageIndex, SectionOutline, titled
from variorum_site.pages.changes import ChangesPage, kinds_in_words, section_of
from variorum_site.pages.link import Link
from variorum_site.pages.markup import Html, set_text, unmarked
from variorum_site.pages.provision_markup import ProvisionMarkup
from variorum_site.pages.time_bar import TimeBar, TimeBars
from variorum_site.pages.witnesses import witness_name
from variorum_site.render import PageFile, render

_MATTERS = (("introduction", "Introduction"), ("index", "Index"), ("credits", "Credits"))


@dataclass(frozen=True, slots=True, kw_only=True)
class ChapterRows:
    """A chapter in the contents of an edition.

    Attributes:
        name: Its number and heading, linked to its page.
        sections: Each section with the number of its provisions, and how many of these changed.
    """

    name: Link
    sections: tuple[tuple[Link, int, int], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class EditionView:
    """The contents of an edition.

    Attributes:
        edition: The edition.
        bar: Its time bar.
        before: The edition before; None for the first.
        issues: The labels of all editions of this date, if it has several.
        chapters: Its contents.
        matters: Its other parts, each with page and title.
        published: The web addresses that it was read from.
        documents: Its copies and originals, each with its kind.
        summary: How much it changed; None for the first.
    """

    edition: EditionEntry
    bar: TimeBar
    published: tuple[str, ...]
    documents: tuple[tuple[Link, str], ...]
    before: EditionEntry | None
    issues: tuple[str, ...]
    chapters: tuple[ChapterRows, ...]
    matters: tuple[tuple[str, str], ...]
    summary: DiffSummary | None


@dataclass(frozen=True, slots=True, kw_only=True)
class ChapterView:
    """A chapter of an edition to read, or its glossary.

    Attributes:
        edition: The edition.
        bar: Its time bar.
        number: The number of the chapter; "" for the glossary.
        heading: The heading of the chapter.
        sections: Links to the sections on this page.
        before: The chapter before.
        after: The next chapter.
        items: All provisions, as markup.
        changed: How many of them changed; None in the first edition.
        gone: The provisions of this chapter that the edition removed.
        strays: Numbers of this chapter that another chapter prints: anchor, number, link.
    """

    edition: EditionEntry
    bar: TimeBar
    number: str
    heading: str
    sections: tuple[Link, ...]
    before: Link | None
    after: Link | None
    items: Html
    changed: int | None
    gone: tuple[Link, ...]
    strays: tuple[tuple[str, str, Link], ...]


class Dated:
    """Makes the pages of an edition."""

    def __init__(
        self,
        index: PageIndex,
        markup: ProvisionMarkup,
        edition: EditionEntry,
        changes: ChangesPage | None,
    ) -> None:
        """Prepare an edition.

        Args:
            index: The base's page index.
            markup: The markup of provisions made so far.
            edition: The edition.
            changes: Its page of changes; None for the first edition.
        """
        self._index = index
        self._markup = markup
        self._edition = edition
        self._label = edition.label
        self._changes = changes
        self._outline = index.outline(edition.place)
        self._bars = TimeBars(index, edition)

    def page_files(self) -> Iterator[PageFile]:
        """Yield all pages of the edition."""
        matter = self._index.whole.front_matter(self._edition.place)
        yield self._contents(matter)
        chapters = self._chapters
        for place, number in enumerate(chapters):
            around = [*chapters, ""][place - 1], [*chapters, ""][place + 1]
            yield self._chapter(number, around)
        yield self._glossary()
        for name, title in _MATTERS:
            if matter[name]:
                yield self._matter(name, title, matter)

    @cached_property
    def _chapters(self) -> list[str]:
        """Return the numbers of the chapters that have a page, in order."""
        printed = [self._index.states[chapter].number for chapter in self._outline.chapters]
        named = [*self._outline.sections, *self._outline.strays]
        return sorted({number[:1] for number in [*printed, *named]})

    # Contents ------------------------------------------------------------------------------------

    def _contents(self, matter: Mapping[str, list[str]]) -> PageFile:
        here = urls.edition(self._label)
        same_day = [
            edition.label
            for edition in self._index.editions
            if edition.effective == self._edition.effective
        ]
        view = EditionView(
            edition=self._edition,
            bar=self._bars.of_edition(),
            published=tuple(self._index.published(self._edition.sha256)),
            documents=tuple(self._documents(here)),
            before=self._index.base.before(self._edition),
            issues=tuple(same_day) if len(same_day) > 1 else (),
            chapters=tuple([self._rows(here, number) for number in self._chapters]),
            matters=tuple([pair for pair in _MATTERS if matter[pair[0]]]),
            summary=None if self._changes is None else self._changes.summary,
        )
        return render("edition", here, page=view, current=self._index.current)

    def _documents(self, here: urls.Page) -> Iterator[tuple[Link, str]]:
        """Yield the copies and originals that can only come from this edition."""
        for witness in self._index.witnesses.all():
            if witness.from_ == witness.to == self._label:
                there = urls.link(here, urls.witness(witness.sha256))
                yield Link(witness_name(witness), there), witness.kind

    def _rows(self, here: urls.Page, chapter: str) -> ChapterRows:
        sections = [self._row(here, section) for section in self._sections(chapter)]
        return ChapterRows(name=self._named(here, chapter), sections=tuple(sections))

    def _sections(self, chapter: str) -> list[SectionOutline]:
        return [
            section for number, section in self._outline.sections.items() if number[:1] == chapter
        ]

    def _named(self, here: urls.Page, chapter: str) -> Link:
        heading = self._heading(chapter)
        words = f"{chapter}. {heading}" if heading else f"Sections {chapter}00 to {chapter}99"
        return Link(words, urls.link(here, urls.chapter(self._label, chapter)))

    def _heading(self, chapter: str) -> str:
        states = [self._index.states[chapter] for chapter in self._outline.chapters]
        return next((state.heading for state in states if state.number == chapter), "")

    def _row(self, here: urls.Page, section: SectionOutline) -> tuple[Link, int, int]:
        """Return a line of the contents: a section with the counts of its provisions and changes."""
        members = [state for state in section.states if self._index.states[state].kind != "section"]
        changed = sum(1 for state in members if state in self._marks)
        return self._name(here, section), len(members), changed

    def _name(self, here: urls.Page, section: SectionOutline) -> Link:
        page = urls.chapter(self._label, section.number)
        title = titled(section.number, section.heading)
        return Link(title, urls.link(here, page, self._anchor(section)))

    def _anchor(self, section: SectionOutline) -> str:
        """Return the anchor of a section's line or, without a line, of its first provision."""
        return anchor_of(self._index.states[section.states[0]].address)

    # Chapters ------------------------------------------------------------------------------------

    def _chapter(self, number: str, around: tuple[str, str]) -> PageFile:
        here = urls.chapter(self._label, number)
        own = [
            chapter
            for chapter in self._outline.chapters
            if self._index.states[chapter].number == number
        ]
        sections = self._sections(number)
        states = [*own, *(state for section in sections for state in section.states)]
        before, after = [
            self._named(here, neighbour) if neighbour else None for neighbour in around
        ]
        view = ChapterView(
            edition=self._edition,
            bar=self._bars.of_chapter(number, own[0] if own else None),
            number=number,
            heading=unmarked(self._heading(number)),
            sections=tuple([self._name(here, section) for section in sections]),
            before=before,
            after=after,
            items=self._items(here, states),
            changed=self._changed(states),
            gone=self._gone(here, number),
            strays=tuple(self._strays(here, number)),
        )
        return render("chapter", here, page=view)

    def _changed(self, states: Sequence[int]) -> int | None:
        return None if self._changes is None else sum(1 for state in states if state in self._marks)

    def _items(self, here: urls.Page, states: Sequence[int]) -> Html:
        place = self._edition.place
        parts: list[str] = []
        for state in states:
            opening, rest = self._markup.setting(state, place, here)
            parts += [opening, self._mark(here, state), rest]
            if self._index.states[state].kind == "section":
                parts.append(self._bars.of_section(here, state))
        return Html("".join(parts))

    @cached_property
    def _marks(self) -> Mapping[int, Change]:
        """Return the changes by the states of this edition."""
        if self._changes is None:
            return {}
        by_state: dict[int, Change] = {}
        for change in sorted(self._changes.comparison.all, key=lambda change: change.is_part):
            if change.new is not None:
                known = by_state.get(change.new.id)
                if known is None or "merged" in known.kinds:
                    by_state[change.new.id] = change
        return by_state

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
        kind = " new" if change.is_new else " moved" if change.is_moved_only else ""
        return f'<a class="m{kind}" href="{href}">{escape(words)}</a> '

    def _gone(self, here: urls.Page, number: str) -> tuple[Link, ...]:
        """Return the provisions of a chapter that this edition removed."""
        if self._changes is None:
            return ()
        return tuple(
            [
                Link(
                    change.old.address,
                    urls.link(here, self._changes.here, self._changes.anchors[id(change)]),
                )
                for change in self._changes.comparison.all
                if change.is_gone
                and change.old is not None
                and section_of(change.old)[: len(number) or None] == (number or "Glossary")
            ]
        )

    def _strays(self, here: urls.Page, chapter: str) -> Iterator[tuple[str, str, Link]]:
        for states in self._outline.strays.values():
            for state, section in states:
                row = self._index.states[state]
                if row.number[:1] == chapter != section[:1]:
                    anchor = anchor_of(row.address)
                    there = urls.link(here, urls.chapter(self._label, section), anchor)
                    yield anchor, row.number, Link(section, there)

    # Glossary and the rest -----------------------------------------------------------------------

    def _glossary(self) -> PageFile:
        here = urls.edition_glossary(self._label)
        view = ChapterView(
            edition=self._edition,
            bar=self._bars.of_glossary(),
            number="",
            heading="Glossary",
            sections=(),
            before=None,
            after=None,
            items=self._items(here, self._outline.entries),
            changed=self._changed(self._outline.entries),
            gone=self._gone(here, ""),
            strays=(),
        )
        return render("chapter", here, page=view)

    def _matter(self, name: str, title: str, matter: Mapping[str, list[str]]) -> PageFile:
        here = urls.matter(self._label, name)
        paragraphs = [set_text(paragraph, ()) for paragraph in matter[name]]
        bar = self._bars.of_edition(here)
        return render(
            "matter", here, edition=self._edition, bar=bar, title=title, paragraphs=paragraphs
        )
