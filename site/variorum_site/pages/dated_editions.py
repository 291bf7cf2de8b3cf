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
from variorum_site import names, urls
from variorum_site.page_index import LinksOf, PageIndex
from variorum_site.pages.changes import ChangesPage, kinds_in_words, section_of
from variorum_site.pages.markup import Html, Link, Span, set_provision, set_text, unmarked
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
        self._known: dict[object, tuple[str, str]] = {}

    def halves(self, state: int, edition: int, links: LinksOf) -> tuple[str, str]:
        """Return the two halves of a provision on a page of an edition."""
        text, heading = self._index.citations(
            state, edition, lambda target: links.dated(target, edition)
        )
        key = state, *text, *heading
        halves = self._known.get(key)
        if halves is None:
            while len(self._known) >= _MOST:
                del self._known[next(iter(self._known))]
            halves = self._known[key] = self._set(state, links, text, heading)
        return halves

    def _set(
        self, state: int, links: LinksOf, text: list[Span], heading: list[Span]
    ) -> tuple[str, str]:
        row = self._index.states[state]
        # The link to its own page needs no class: no other link of a dated text leads to such a page.
        own = links.to(names.page_of(row))
        if row.kind == names.GLOSSARY:
            title = [Span(0, len(row.heading), own)]
            return set_provision(row, slug_of(row.heading), "", text, title)
        number = f'<a href="{own}">{escape(row.number)}</a>'
        if row.kind == "chapter":  # the title of the page
            return set_provision(row, "", number, text, None)
        # Rules are a level below the heading of their section.
        level = 2 if row.kind == "section" else 3
        return set_provision(row, anchor_of(row.address), number, text, heading, level)


class Dated:
    """Makes the pages of an edition; without its page of changes if it is the first."""

    def __init__(
        self,
        index: PageIndex,
        markup: ProvisionMarkup,
        edition: EditionEntry,
        changes: ChangesPage | None,
    ) -> None:
        self._index, self._markup = index, markup
        self._edition, self._label, self._place = edition, edition.label, edition.place
        self._changes = changes
        self._all_changes = () if changes is None else changes.all
        self._outline = index.outline(edition.place)
        printed = [index.states[chapter].number for chapter in self._outline.chapters]
        strays = [index.states[stray].number for stray in self._outline.strays]
        names = {number[:1] for number in (*printed, *self._outline.sections, *strays)}
        self._chapters = sorted(names)

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
            links = self._links(urls.matter(self._label, name))
            yield render(
                "matter",
                links.here,
                edition=self._edition,
                bar=self._bar_of_edition(links),
                title=title,
                paragraphs=[set_text(paragraph) for paragraph in matter[name]],
            )

    def _links(self, here: urls.Page) -> LinksOf:
        return LinksOf(self._index, here)

    # Contents ------------------------------------------------------------------------------------

    def _contents(self, matters: Sequence[tuple[str, str]]) -> PageFile:
        links, edition = self._links(urls.edition(self._label)), self._edition
        same_day = [
            each.label for each in self._index.editions if each.effective == edition.effective
        ]
        return render(
            "edition",
            links.here,
            edition=edition,
            current=self._index.current,
            bar=self._bar_of_edition(links),
            before=self._index.base.before(edition),
            issues=same_day if len(same_day) > 1 else (),
            chapters=[
                (
                    self._named(links, number),
                    [self._row(links, it) for it in self._sections(number)],
                )
                for number in self._chapters
            ],
            matters=matters,
            published=self._index.published(edition.sha256),
            documents=[
                (Link(witness_name(it), links.to(urls.witness(it.sha256))), it.kind)
                for it in self._index.witnesses.all()
                if it.from_ == it.to == self._label
            ],
            summary=None if self._changes is None else self._changes.summary,
        )

    def _sections(self, chapter: str) -> list[str]:
        return [number for number in self._outline.sections if number[:1] == chapter]

    def _named(self, links: LinksOf, chapter: str) -> Link:
        heading = self._outline.headings.get(chapter)
        words = f"{chapter}. {heading}" if heading else f"Sections {chapter}00 to {chapter}99"
        return Link(words, links.to(urls.chapter(self._label, chapter)))

    def _row(self, links: LinksOf, section: str) -> tuple[Link, int, int]:
        """Return a line of the contents: a section with the counts of its provisions and changes."""
        states = self._outline.sections[section]
        members = [state for state in states if self._index.states[state].kind != "section"]
        return (
            self._name(links, section),
            len(members),
            sum(state in self._marks for state in members),
        )

    def _name(self, links: LinksOf, section: str) -> Link:
        """Return a section, linked to its line or, without one, to its first provision."""
        anchor = anchor_of(self._index.states[self._outline.sections[section][0]].address)
        words = names.titled(section, self._outline.headings.get(section, ""))
        return Link(words, links.to(urls.chapter(self._label, section), anchor))

    # Chapters ------------------------------------------------------------------------------------

    def _chapter(self, number: str, before: str, after: str) -> PageFile:
        links = self._links(urls.chapter(self._label, number))
        own = [each for each in self._outline.chapters if self._index.states[each].number == number]
        sections = self._sections(number)
        return self._reading(
            links,
            [*own, *(state for section in sections for state in self._outline.sections[section])],
            bar=self._bar_of_chapter(links, number, own[0] if own else None),
            number=number,
            heading=unmarked(self._outline.headings.get(number, "")),
            sections=[self._name(links, section) for section in sections],
            before=self._named(links, before) if before else None,
            after=self._named(links, after) if after else None,
            strays=list(self._strays(links, number)),
        )

    def _glossary(self) -> PageFile:
        links = self._links(urls.matter(self._label, names.GLOSSARY))
        today = Link("Glossary in force", links.to(urls.GLOSSARY))
        bar = self._bar(links, today, lambda label, _: (urls.matter(label, names.GLOSSARY), ""))
        entries = self._outline.entries
        return self._reading(
            links,
            entries,
            bar=bar,
            number="",
            heading="Glossary",
            sections=(),
            before=None,
            after=None,
            strays=(),
        )

    def _reading(
        self, links: LinksOf, states: Sequence[int], *, number: str, **view: object
    ) -> PageFile:
        """Return a page with provisions: how many of them changed, and which the edition removed."""
        parts: list[str] = []
        for state in states:
            opening, rest = self._markup.halves(state, self._place, links)
            parts += [opening, self._mark(links, state), rest]
            if self._index.states[state].kind == "section":
                parts.append(self._today_of_section(links, state))
        changed = sum(state in self._marks for state in states)
        return render(
            "chapter",
            links.here,
            "",
            edition=self._edition,
            number=number,
            items=Html("".join(parts)),
            changed=None if self._changes is None else changed,
            gone=self._gone(links, number),
            **view,
        )

    @cached_property
    def _marks(self) -> Mapping[int, Change]:
        """Return the changes by the states of this edition."""
        by_state: dict[int, Change] = {}
        for change in sorted(self._all_changes, key=lambda change: change.is_part):
            if change.new is not None:
                known = by_state.get(change.new.id)
                if known is None or "merged" in known.kinds:
                    by_state[change.new.id] = change
        return by_state

    def _of_change(self, links: LinksOf, change: Change) -> str:
        """Return the address of a change on the page of changes."""
        if self._changes is None:
            return ""
        return links.to(self._changes.here, self._changes.anchors[id(change)])

    def _mark(self, links: LinksOf, state: int) -> str:
        change = self._marks.get(state)
        if change is None:
            return ""
        words, old = kinds_in_words(change), change.old
        if old is not None and old.number != self._index.states[state].number:
            words = words.replace("renumbered", f"was {old.number or old.heading}")
        kind = " new" if change.is_new else " moved" if change.is_moved_only else ""
        return f'<a class="m{kind}" href="{self._of_change(links, change)}">{escape(words)}</a> '

    def _gone(self, links: LinksOf, number: str) -> list[Link]:
        """Return the provisions of a chapter, or the glossary's, that this edition removed."""
        return [
            Link(change.old.address, self._of_change(links, change))
            for change in self._all_changes
            if change.is_gone
            and change.old is not None
            and section_of(change.old)[: len(number) or None] == (number or "Glossary")
        ]

    def _strays(self, links: LinksOf, chapter: str) -> Iterator[tuple[str, str, Link]]:
        """Yield the numbers of this chapter that another one prints: anchor, number, link."""
        for state, section in self._outline.strays.items():
            row = self._index.states[state]
            if row.number[:1] == chapter != section[:1]:
                there = Link(section, links.dated(state, self._place))
                yield anchor_of(row.address), row.number, there

    # The same on other days ----------------------------------------------------------------------

    def _bar_of_edition(self, links: LinksOf) -> TimeBar:
        """Return the bar of the edition's contents, or of another page that has no heirs."""
        today = Link("Rules in force", links.to(urls.RULES))
        return self._bar(links, today, lambda label, _: (urls.edition(label), ""))

    def _bar_of_chapter(self, links: LinksOf, number: str, state: int | None) -> TimeBar:
        """Return the bar of a chapter, which may be printed without a line of its own."""

        def there(label: str, place: int) -> tuple[urls.Page, str]:
            heir = None if state is None else self._index.heir(state, self._place, place)
            return (urls.edition(label), "") if heir is None else self._index.dated(heir, place)

        rules = Link("Rules in force", links.to(urls.RULES))
        today = rules if state is None else self._today(links, state)
        return self._bar(links, today, there, number)

    def _bar(
        self,
        links: LinksOf,
        today: Link,
        there: Callable[[str, int], tuple[urls.Page, str]],
        number: str = "",
    ) -> TimeBar:
        """Return the bar of a page; `there` says where its equivalent in another edition is."""
        place, label, current = self._place, self._label, self._index.current.place

        def neighbour(place: int) -> Link | None:
            if not 0 <= place < len(self._index.editions):
                return None
            edition = self._index.editions[place]
            return Link(names.of_edition(edition), links.to(*there(edition.label, place)))

        compare = f"{links.to(urls.COMPARE)}?from={label}&to=current"
        return TimeBar(
            label=label,
            number=number,
            folder="" if number else links.here.removeprefix(urls.edition(label)),
            name=names.of_edition(self._edition),
            when=names.in_force(self._index.editions, self._index.current.place, place),
            is_past=place < current,
            before=neighbour(place - 1),
            after=neighbour(place + 1),
            today=today,
            compare="" if place == current else compare,
        )

    def _today_of_section(self, links: LinksOf, state: int) -> str:
        """Return a link from a section to the same section in force, unless its number leads there."""
        link = self._today(links, state)
        if link.href == links.to(names.page_of(self._index.states[state])) and "today" in link.text:
            return ""
        return f'<p class="note now"><a href="{link.href}">{link.text}</a></p>\n'

    def _today(self, links: LinksOf, state: int) -> Link:
        heir = self._index.heir(state, self._place, self._index.current.place)
        row = self._index.states[state if heir is None else heir]
        what = (
            f"What became of {row.number}" if heir is None else f"{row.number or row.heading} today"
        )
        return Link(what, links.to(names.page_of(row)))
