"""The time bar: the edition that a page shows, its period in force, and the page on other days."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import timedelta

from variorum.answers.editions import EditionEntry
from variorum_site import urls
from variorum_site.page_index import PageIndex, page_of
from variorum_site.pages.link import Link
from variorum_site.pages.markup import Html
from variorum_site.render import in_words


@dataclass(frozen=True, slots=True, kw_only=True)
class TimeBar:
    """The edition that a dated page shows, with links to the same page of other editions.

    Attributes:
        label: The edition's label.
        number: The number of the chapter that the page shows; "" for other pages.
        folder: The folder of other pages within the edition's own; "" for its contents.
        name: The name of the edition's set, else its label.
        when: When the edition was or will be in force, in words.
        is_past: Whether a later edition has replaced it.
        before: The same page of the edition before.
        after: The same page of the next edition.
        today: The same provisions in the edition in force, under their number there.
        compare: The comparison of this edition with the one in force; "" if it is in force.
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


class TimeBars:
    """Makes the time bars for the pages of an edition."""

    def __init__(self, index: PageIndex, edition: EditionEntry) -> None:
        self._index = index
        self._edition = edition
        self._place = edition.place

    def of_edition(self, here: urls.Page | None = None) -> TimeBar:
        """Return the bar of the edition's contents, or of another page that has no heirs."""
        there = urls.edition(self._edition.label) if here is None else here
        today = Link("Rules in force", urls.link(there, urls.RULES))
        return self._bar(there, today, lambda place: (urls.edition(self._label(place)), ""))

    def of_glossary(self) -> TimeBar:
        """Return the bar of the edition's glossary."""
        here = urls.edition_glossary(self._edition.label)
        today = Link("Glossary in force", urls.link(here, urls.GLOSSARY))
        return self._bar(here, today, lambda place: (urls.edition_glossary(self._label(place)), ""))

    def of_chapter(self, number: str, state: int | None) -> TimeBar:
        """Return the bar of a chapter, which may be printed without a line of its own."""
        here = urls.chapter(self._edition.label, number)
        today = Link("Rules in force", urls.link(here, urls.RULES))
        if state is not None:
            today = self._today(here, state)

        def there(place: int) -> tuple[urls.Page, str]:
            heir = None if state is None else self._heir(state, place)
            if heir is None:
                return urls.edition(self._label(place)), ""
            return self._index.dated(heir, place)

        return self._bar(here, today, there, number)

    def of_section(self, here: urls.Page, state: int) -> Html:
        """Return the link from a section to the same section in force, as markup.

        The result is empty if the section still has its number, because the number is already linked
        to that page.
        """
        states = self._index.states
        heir = self._heir(state, self._index.current.place)
        if heir is not None and page_of(states[heir]) == page_of(states[state]):
            return Html("")
        link = self._today(here, state)
        return Html(f'<p class="note now"><a href="{link.href}">{link.text}</a></p>\n')

    def _today(self, here: urls.Page, state: int) -> Link:
        heir = self._heir(state, self._index.current.place)
        if heir is not None:
            row = self._index.states[heir]
            return Link(f"{row.number or row.heading} today", urls.link(here, page_of(row)))
        row = self._index.states[state]
        return Link(f"What became of {row.number}", urls.link(here, page_of(row)))

    def _heir(self, state: int, place: int) -> int | None:
        """Return the heir of a provision of this edition in another one."""
        return self._index.heir(state, self._place, place)

    def _bar(
        self,
        here: urls.Page,
        today: Link,
        there: Callable[[int], tuple[urls.Page, str]],
        number: str = "",
    ) -> TimeBar:
        place, current = self._place, self._index.current.place

        def neighbour(neighbour_place: int) -> Link | None:
            if not 0 <= neighbour_place < len(self._index.editions):
                return None
            named = name_of(self._index.editions[neighbour_place])
            return Link(named, urls.link(here, *there(neighbour_place)))

        label = self._edition.label
        compare = urls.link(here, urls.COMPARE)
        return TimeBar(
            label=label,
            number=number,
            folder="" if number else here.removeprefix(urls.edition(label)),
            name=name_of(self._edition),
            when=in_force(self._index, place),
            is_past=place < current,
            before=neighbour(place - 1),
            after=neighbour(place + 1),
            today=today,
            compare="" if place == current else f"{compare}?from={label}&to=current",
        )

    def _label(self, place: int) -> str:
        return self._index.labels[place]


def name_of(edition: EditionEntry) -> str:
    """Return the usual name of an edition: its set, else its date."""
    return edition.set_name or in_words(edition.label)


def in_force(index: PageIndex, place: int) -> str:
    """Return when an edition was in force, in words: until the day before the next one.

    If several issues share a date, only the last was ever in force.
    """
    edition = index.editions[place]
    later = [edition.effective for edition in index.editions[place + 1 : place + 2]]
    if later and later[0] == edition.effective:
        return f"published for {in_words(edition.effective)}, replaced before it was in force"
    if place > index.current.place:
        return f"in force from {in_words(edition.effective)}"
    if place == index.current.place or not later:
        return f"in force since {in_words(edition.effective)}"
    last = later[0] - timedelta(days=1)
    if last == edition.effective:
        return f"in force on {in_words(last)}"
    return f"in force {in_words(edition.effective)} to {in_words(last)}"
