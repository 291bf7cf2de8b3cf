"""The pages of an edition: contents, chapters, glossary and everything else that it prints.

The pages of all editions share some 22,000 states; neighbouring editions use the same markup. Links
lead into the same edition, except those from a number to its own page.
"""

from collections.abc import Iterator, Sequence
from html import escape

from variorum.answers.stored import front_matter
from variorum.answers.witnesses import name_of_witness
from variorum.rows import State
from variorum.text import anchor_of, doubted
from variorum_site import names, urls
from variorum_site.page_index import LinksOf, PageIndex
from variorum_site.pages.changes import ChangesPage, section_of
from variorum_site.pages.markup import Html, Link, set_text, unmarked
from variorum_site.render import PageFile, render

_MATTERS = (("introduction", "Introduction"), ("index", "Index"), ("credits", "Credits"))


def edition_pages(index: PageIndex, changes: ChangesPage) -> Iterator[PageFile]:
    """Yield all pages of an edition, given what it changed."""
    label, outline = changes.new.label, index.outline(changes.new.place)
    matter = front_matter(index.base.reader.editions(is_whole=True)[changes.new.place])
    matters = [(name, title) for name, title in _MATTERS if matter[name]]
    strays = [row for row, _ in outline.strays.values()]
    numbers = [*outline.sections, *[row.number for row in (*outline.chapters, *strays)]]
    chapters = sorted({number[:1] for number in numbers})
    yield DatedPage(index, urls.edition(label), changes).contents(chapters, matters)
    order = ["", *chapters, ""]
    for before, number, after in zip(order, chapters, order[2:], strict=False):
        page = DatedPage(index, urls.chapter(label, number), changes)
        yield page.chapter(number, before, after)
    yield DatedPage(index, urls.edition(label, names.GLOSSARY), changes).glossary()
    for name, title in matters:
        yield DatedPage(index, urls.edition(label, name), changes).matter(title, matter[name])


class DatedPage(LinksOf):
    """A page of an edition."""

    def __init__(self, index: PageIndex, here: urls.Page, changes: ChangesPage) -> None:
        super().__init__(index, here)
        self._changes, self._edition = changes, changes.new
        self._label, self._place = changes.new.label, changes.new.place
        self._outline = index.outline(changes.new.place)

    def contents(self, chapters: Sequence[str], matters: Sequence[tuple[str, str]]) -> PageFile:
        """Return the contents of the edition, and where it comes from."""
        edition, editions = self._edition, self.index.editions
        same_day = [each.label for each in editions if each.effective == edition.effective]
        return render(
            "edition",
            self.here,
            edition=edition,
            current=self.index.current,
            bar=self._bar(),
            before=self.index.base.before(edition),
            issues=same_day if len(same_day) > 1 else (),
            chapters=[
                (self._named(chapter), [self._row(each) for each in self._sections(chapter)])
                for chapter in chapters
            ],
            matters=matters,
            published=self.index.published(edition.sha256),
            documents=[
                (Link(name_of_witness(it), self.to(urls.witness(it.sha256))), it.kind)
                for it in self.index.witnesses.all
                if it.from_ == it.to == self._label
            ],
            summary=self._changes.summary if self._place else None,
        )

    def _sections(self, chapter: str) -> list[str]:
        return [number for number in self._outline.sections if number[:1] == chapter]

    def _named(self, chapter: str) -> Link:
        heading = self._outline.headings.get(chapter)
        words = f"{chapter}. {heading}" if heading else f"Sections {chapter}00 to {chapter}99"
        return Link(words, self.to(urls.chapter(self._label, chapter)))

    def _row(self, section: str) -> tuple[Link, int, int]:
        members = [row for row in self._outline.sections[section] if row.kind != "section"]
        changed = sum(row.id in self._changes.marks for row in members)
        return self._section(section), len(members), changed

    def _section(self, section: str) -> Link:
        """Return a section, linked to its line or, without one, to its first provision."""
        first = self._outline.sections[section][0]
        words = names.titled(section, self._outline.headings.get(section, ""))
        return Link(words, self.dated(first.id, self._place))

    def matter(self, title: str, paragraphs: Sequence[str]) -> PageFile:
        """Return a page of an introduction and the like."""
        about = {"edition": self._edition, "bar": self._bar(), "title": title}
        return render("matter", self.here, "", paragraphs=[*map(set_text, paragraphs)], **about)

    def chapter(self, number: str, before: str, after: str) -> PageFile:
        """Return a chapter, with links to those before and after it."""
        own = [row for row in self._outline.chapters if row.number == number]
        sections = self._sections(number)
        held = [row for section in sections for row in self._outline.sections[section]]
        return self._reading(
            [*own, *held],
            number,
            bar=self._bar(number, own[0].id if own else None),
            heading=unmarked(self._outline.headings.get(number, "")),
            sections=[self._section(section) for section in sections],
            before=self._named(before) if before else None,
            after=self._named(after) if after else None,
            strays=[
                (anchor_of(row.address), row.number, Link(there, self.dated(row.id, self._place)))
                for row, there in self._outline.strays.values()
                if row.number[:1] == number != there[:1]
            ],
        )

    def glossary(self) -> PageFile:
        """Return the glossary."""
        around = dict.fromkeys(("before", "after", "sections", "strays"), ())
        entries, bar = self._outline.entries, self._bar()
        return self._reading(entries, "", heading="Glossary", bar=bar, **around)

    def _reading(self, rows: Sequence[State], number: str, **view: object) -> PageFile:
        """Return a page with provisions: how many of them changed, and which the edition removed."""
        parts: list[str] = []
        for row in rows:
            text, heading = self.index.citations(
                row.id, self._place, lambda it: self.dated(it, self._place)
            )
            parts.append(self.index.dated_markup(row, (*text,), (*heading,), self._mark(row)))
            if row.kind == "section":
                parts.append(self._today_of_section(row))
        changed = sum(row.id in self._changes.marks for row in rows)
        gone = [(change.old, change) for change in self._changes.all if change.new is None]
        return render(
            "chapter",
            self.here,
            "",
            edition=self._edition,
            number=number,
            items=Html("".join(parts)),
            changed=changed if self._place else None,
            gone=[
                Link(old.address, self.to(*self._changes.place_of(change)))
                for old, change in gone
                if old and section_of(old)[: len(number) or None] == (number or "Glossary")
            ],
            **view,
        )

    def _mark(self, row: State) -> str:
        change = self._changes.marks.get(row.id)
        if change is None:
            return ""
        words, old = self._changes.kinds[id(change)], change.old
        if old is not None and old.number != row.number:
            words = words.replace("renumbered", f"was {old.number or old.heading}")
        kind = " new" if change.old is None else " moved" if not change.change else ""
        href = self.to(*self._changes.place_of(change))
        return f'<a class="m{kind}" href="{href}">{escape(words)}</a>'

    # The same on other days ----------------------------------------------------------------------

    def _bar(self, number: str = "", head: int | None = None) -> dict[str, object]:
        """Return the edition that a page shows, with links to the same page of others.

        A chapter leads to its heirs, if it is printed with a line of its own; the glossary to that of
        other editions, and other pages to the edition itself.
        """
        editions, place, current = self.index.editions, self._place, self.index.current.place
        way = self.index.base.lineages.way
        folder = self.here.removeprefix(urls.edition(self._label))
        is_glossary = folder == urls.GLOSSARY
        today = Link("Rules in force", self.to(urls.RULES)) if head is None else self._today(head)
        if is_glossary:
            today = Link("Glossary in force", self.to(urls.GLOSSARY))

        def neighbour(place: int) -> Link | None:
            if not 0 <= place < len(editions):
                return None
            page = urls.edition(editions[place].label)
            heir = None if head is None else way(head, self._place, place).heir
            there = self.to(urls.Page(f"{page}{folder}") if is_glossary else page)
            there = there if heir is None else self.dated(heir, place)
            return Link(names.of_edition(editions[place]), there)

        compare = f"{self.to(urls.COMPARE)}?from={self._label}&to=current"
        return {
            "label": self._label,
            "number": number,
            "folder": "" if number else folder,
            "name": names.of_edition(self._edition),
            "when": self.index.in_force(place),
            "is_past": place < current,
            "before": neighbour(place - 1),
            "after": neighbour(place + 1),
            "today": today,
            "compare": "" if place == current else compare,
        }

    def _today_of_section(self, row: State) -> str:
        """Return a link from a section to the same section in force, unless its number leads there."""
        link = self._today(row.id)
        if link.href == self.to(names.page_of(row)) and "today" in link.text:
            return ""
        return f'<p class="note now"><a href="{link.href}">{link.text}</a></p>\n'

    def _today(self, state: int) -> Link:
        way = self.index.base.lineages.way(state, self._place, self.index.current.place)
        own = self.name(self.index.states[state if way.heir is None else way.heir])
        today = doubted(f"{own.text} today", way.confidence)
        return own._replace(text=f"What became of {own.text}" if way.heir is None else today)
