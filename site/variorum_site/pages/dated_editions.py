"""The pages of an edition: contents, chapters, glossary and everything else that it prints.

The pages of all editions share some 22,000 states; neighbouring editions use the same markup. Links
lead into the same edition, except those from a number to its own page.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cached_property
from html import escape
from typing import NamedTuple

from variorum.answers.diff import Change
from variorum.answers.editions import EditionEntry
from variorum.permalinks import anchor_of, slug_of
from variorum_site import urls
from variorum_site.page_index import (
    GLOSSARY,
    PageIndex,
    SectionOutline,
    in_force,
    name_of,
    page_of,
    titled,
)
from variorum_site.pages.changes import ChangesPage, kinds_in_words, section_of
from variorum_site.pages.markup import (
    Html,
    Link,
    Setting,
    Span,
    set_provision,
    set_text,
    spans_of,
    unmarked,
)
from variorum_site.pages.witnesses import witness_name
from variorum_site.render import PageFile, render

_MATTERS = (("introduction", "Introduction"), ("index", "Index"), ("credits", "Credits"))
# How many provisions' markup is kept: about two of the largest editions.
_MOST = 8_000


class TimeBar(NamedTuple):
    """The edition that a dated page shows, with links to the same page of other editions.

    `number` is that of the chapter that the page shows, `folder` that of other pages within the
    edition's own. `today` leads to the same provisions in force, `compare` to a comparison with them.
    """

    label: str
    number: str
    folder: str
    name: str
    when: str
    is_past: bool
    before: Link | None
    after: Link | None
    today: Link
    compare: str


class ProvisionMarkup:
    """The markup of provisions on dated pages; neighbouring editions share most of it."""

    def __init__(self, index: PageIndex) -> None:
        self._index = index
        self._known: dict[tuple[int, tuple[str, ...]], Setting] = {}

    def setting(self, state: int, edition: int, here: urls.Page) -> Setting:
        """Return a provision on a page of an edition."""
        cites = self._index.citations(state, edition)
        hrefs = tuple(
            [urls.link(here, *self._index.dated(target, edition)) for _, _, _, target in cites]
        )
        setting = self._known.get((state, hrefs))
        if setting is None:
            while len(self._known) >= _MOST:
                del self._known[next(iter(self._known))]
            setting = self._known[state, hrefs] = self._set(state, here, cites, hrefs)
        return setting

    def _set(
        self,
        state: int,
        here: urls.Page,
        cites: Sequence[tuple[str, int, int, int]],
        hrefs: Sequence[str],
    ) -> Setting:
        row = self._index.states[state]
        spans = [
            (part, Span(start, stop, href))
            for (part, start, stop, _), href in zip(cites, hrefs, strict=True)
        ]
        own, body, heading = urls.link(here, page_of(row)), spans_of(spans, "text"), None
        # The link to its own page needs no class: no other link of a dated text leads to such a page.
        if row.kind == GLOSSARY:
            heading = [Span(0, len(row.heading), own)]
            return set_provision(row, slug_of(row.heading), "", body, heading)
        number = f'<a href="{own}">{escape(row.number)}</a>'
        if row.kind == "chapter":  # the title of the page
            return set_provision(row, "", number, body, None)
        heading = spans_of(spans, "heading")
        setting = set_provision(row, anchor_of(row.address), number, body, heading)
        # Rules are a level below the heading of their section.
        return setting if row.kind == "section" else setting.below()


class Dated:
    """Makes the pages of an edition."""

    def __init__(
        self,
        index: PageIndex,
        markup: ProvisionMarkup,
        edition: EditionEntry,
        changes: ChangesPage | None,
    ) -> None:
        """Prepare an edition, with its page of changes if it is not the first."""
        self._index, self._markup = index, markup
        self._edition, self._label, self._place = edition, edition.label, edition.place
        self._changes = changes
        self._outline = index.outline(edition.place)

    def page_files(self) -> Iterator[PageFile]:
        """Yield all pages of the edition."""
        matter = self._index.whole.front_matter(self._place)
        matters = [(name, title) for name, title in _MATTERS if matter[name]]
        yield self._contents(matters)
        chapters = ["", *self._chapters, ""]
        for before, number, after in zip(chapters, chapters[1:], chapters[2:], strict=False):
            yield self._chapter(number, before, after)
        yield self._glossary()
        for name, title in matters:
            here = urls.matter(self._label, name)
            yield render(
                "matter",
                here,
                edition=self._edition,
                bar=self._bar_of_edition(here),
                title=title,
                paragraphs=[set_text(paragraph, ()) for paragraph in matter[name]],
            )

    @cached_property
    def _chapters(self) -> list[str]:
        """Return the numbers of the chapters that have a page, in order."""
        printed = [self._index.states[chapter].number for chapter in self._outline.chapters]
        return sorted(
            {name[:1] for name in (*printed, *self._outline.sections, *self._outline.strays)}
        )

    # Contents ------------------------------------------------------------------------------------

    def _contents(self, matters: Sequence[tuple[str, str]]) -> PageFile:
        here, edition = urls.edition(self._label), self._edition
        same_day = [
            each.label for each in self._index.editions if each.effective == edition.effective
        ]
        return render(
            "edition",
            here,
            edition=edition,
            current=self._index.current,
            bar=self._bar_of_edition(here),
            before=self._index.base.before(edition),
            issues=same_day if len(same_day) > 1 else (),
            chapters=[
                (self._named(here, number), [self._row(here, it) for it in self._sections(number)])
                for number in self._chapters
            ],
            matters=matters,
            published=self._index.published(edition.sha256),
            documents=[
                (Link(witness_name(it), urls.link(here, urls.witness(it.sha256))), it.kind)
                for it in self._index.witnesses.all()
                if it.from_ == it.to == self._label
            ],
            summary=None if self._changes is None else self._changes.summary,
        )

    def _sections(self, chapter: str) -> list[SectionOutline]:
        sections = self._outline.sections
        return [section for number, section in sections.items() if number[:1] == chapter]

    def _named(self, here: urls.Page, chapter: str) -> Link:
        heading = self._heading(chapter)
        words = f"{chapter}. {heading}" if heading else f"Sections {chapter}00 to {chapter}99"
        return Link(words, urls.link(here, urls.chapter(self._label, chapter)))

    def _heading(self, chapter: str) -> str:
        states = [self._index.states[each] for each in self._outline.chapters]
        return next((state.heading for state in states if state.number == chapter), "")

    def _row(self, here: urls.Page, section: SectionOutline) -> tuple[Link, int, int]:
        """Return a line of the contents: a section with the counts of its provisions and changes."""
        members = [state for state in section.states if self._index.states[state].kind != "section"]
        return (
            self._name(here, section),
            len(members),
            sum(state in self._marks for state in members),
        )

    def _name(self, here: urls.Page, section: SectionOutline) -> Link:
        """Return a section, linked to its line or, without one, to its first provision."""
        anchor = anchor_of(self._index.states[section.states[0]].address)
        page = urls.chapter(self._label, section.number)
        return Link(titled(section.number, section.heading), urls.link(here, page, anchor))

    # Chapters ------------------------------------------------------------------------------------

    def _chapter(self, number: str, before: str, after: str) -> PageFile:
        here = urls.chapter(self._label, number)
        own = [each for each in self._outline.chapters if self._index.states[each].number == number]
        sections = self._sections(number)
        return self._reading(
            here,
            [*own, *(state for section in sections for state in section.states)],
            bar=self._bar_of_chapter(number, own[0] if own else None),
            number=number,
            heading=unmarked(self._heading(number)),
            sections=[self._name(here, section) for section in sections],
            before=self._named(here, before) if before else None,
            after=self._named(here, after) if after else None,
            strays=list(self._strays(here, number)),
        )

    def _glossary(self) -> PageFile:
        here = urls.edition_glossary(self._label)
        today = Link("Glossary in force", urls.link(here, urls.GLOSSARY))
        around = {"sections": (), "before": None, "after": None, "strays": ()}
        bar = self._bar(here, today, lambda place: (urls.edition_glossary(self._at(place)), ""))
        entries = self._outline.entries
        return self._reading(here, entries, bar=bar, number="", heading="Glossary", **around)

    def _reading(
        self, here: urls.Page, states: Sequence[int], *, number: str, **view: object
    ) -> PageFile:
        """Return a page with provisions: how many of them changed, and which the edition removed."""
        parts: list[str] = []
        for state in states:
            opening, rest = self._markup.setting(state, self._place, here)
            parts += [opening, self._mark(here, state), rest]
            if self._index.states[state].kind == "section":
                parts.append(self._today_of_section(here, state))
        return render(
            "chapter",
            here,
            "",
            edition=self._edition,
            number=number,
            items=Html("".join(parts)),
            changed=None
            if self._changes is None
            else sum(state in self._marks for state in states),
            gone=self._gone(here, number),
            **view,
        )

    @cached_property
    def _marks(self) -> Mapping[int, Change]:
        """Return the changes by the states of this edition."""
        by_state: dict[int, Change] = {}
        changes = () if self._changes is None else self._changes.comparison.all
        for change in sorted(changes, key=lambda change: change.is_part):
            if change.new is not None:
                known = by_state.get(change.new.id)
                if known is None or "merged" in known.kinds:
                    by_state[change.new.id] = change
        return by_state

    def _mark(self, here: urls.Page, state: int) -> str:
        change = self._marks.get(state)
        if change is None or self._changes is None:
            return ""
        words, old = kinds_in_words(change), change.old
        if old is not None and old.number != self._index.states[state].number:
            words = words.replace("renumbered", f"was {old.number or old.heading}")
        href = urls.link(here, self._changes.here, self._changes.anchors[id(change)])
        kind = " new" if change.is_new else " moved" if change.is_moved_only else ""
        return f'<a class="m{kind}" href="{href}">{escape(words)}</a> '

    def _gone(self, here: urls.Page, number: str) -> list[Link]:
        """Return the provisions of a chapter, or the glossary's, that this edition removed."""
        if self._changes is None:
            return []
        page, anchors = self._changes.here, self._changes.anchors
        return [
            Link(change.old.address, urls.link(here, page, anchors[id(change)]))
            for change in self._changes.comparison.all
            if change.is_gone
            and change.old is not None
            and section_of(change.old)[: len(number) or None] == (number or "Glossary")
        ]

    def _strays(self, here: urls.Page, chapter: str) -> Iterator[tuple[str, str, Link]]:
        """Yield the numbers of this chapter that another one prints: anchor, number, link."""
        for states in self._outline.strays.values():
            for state, section in states:
                row = self._index.states[state]
                if row.number[:1] == chapter != section[:1]:
                    anchor = anchor_of(row.address)
                    there = urls.link(here, urls.chapter(self._label, section), anchor)
                    yield anchor, row.number, Link(section, there)

    # The same on other days ----------------------------------------------------------------------

    def _bar_of_edition(self, here: urls.Page) -> TimeBar:
        """Return the bar of the edition's contents, or of another page that has no heirs."""
        today = Link("Rules in force", urls.link(here, urls.RULES))
        return self._bar(here, today, lambda place: (urls.edition(self._at(place)), ""))

    def _bar_of_chapter(self, number: str, state: int | None) -> TimeBar:
        """Return the bar of a chapter, which may be printed without a line of its own."""
        here = urls.chapter(self._label, number)
        today = Link("Rules in force", urls.link(here, urls.RULES))

        def there(place: int) -> tuple[urls.Page, str]:
            heir = None if state is None else self._index.heir(state, self._place, place)
            if heir is None:
                return urls.edition(self._at(place)), ""
            return self._index.dated(heir, place)

        return self._bar(here, today if state is None else self._today(here, state), there, number)

    def _bar(
        self,
        here: urls.Page,
        today: Link,
        there: Callable[[int], tuple[urls.Page, str]],
        number: str = "",
    ) -> TimeBar:
        def neighbour(place: int) -> Link | None:
            if not 0 <= place < len(self._index.editions):
                return None
            return Link(name_of(self._index.editions[place]), urls.link(here, *there(place)))

        place, label = self._place, self._label
        compare = f"{urls.link(here, urls.COMPARE)}?from={label}&to=current"
        return TimeBar(
            label=label,
            number=number,
            folder="" if number else here.removeprefix(urls.edition(label)),
            name=name_of(self._edition),
            when=in_force(self._index, place),
            is_past=place < self._index.current.place,
            before=neighbour(place - 1),
            after=neighbour(place + 1),
            today=today,
            compare="" if place == self._index.current.place else compare,
        )

    def _today_of_section(self, here: urls.Page, state: int) -> str:
        """Return a link from a section to the same section in force, unless its number leads there."""
        link = self._today(here, state)
        if (
            link.href == urls.link(here, page_of(self._index.states[state]))
            and "today" in link.text
        ):
            return ""
        return f'<p class="note now"><a href="{link.href}">{link.text}</a></p>\n'

    def _today(self, here: urls.Page, state: int) -> Link:
        heir = self._index.heir(state, self._place, self._index.current.place)
        row = self._index.states[state if heir is None else heir]
        words = (
            f"What became of {row.number}" if heir is None else f"{row.number or row.heading} today"
        )
        return Link(words, urls.link(here, page_of(row)))

    def _at(self, place: int) -> str:
        return self._index.labels[place]
