"""The provisions of a base, the page that shows each, and the links between them."""

from collections import defaultdict
from collections.abc import Callable, Collection, Iterator, Mapping
from datetime import date, timedelta
from functools import cache, cached_property, lru_cache
from html import escape
from itertools import groupby
from operator import attrgetter
from typing import NamedTuple

from variorum.answers.blame import Blame
from variorum.answers.glossary import terms_of
from variorum.answers.histories import End, Life, NumberHistories, NumberHolder
from variorum.answers.knowledge_base import KnowledgeBase
from variorum.documents.archive import Archive
from variorum.files import DOCUMENTS
from variorum.rows import State, wording_of
from variorum.rule_numbers import order_of
from variorum.text import anchor_of, sentence_around, slug_of
from variorum_site import names, urls
from variorum_site.pages.markup import Link, Span, set_provision
from variorum_site.render import in_words

# How many provisions' markup is kept: about one of the largest editions, which share most of it.
_MOST_DATED = 4_000


class Outline(NamedTuple):
    """The structure of an edition, in printed order: its chapters, sections and glossary entries.

    `sections` has the states of each section by its number, its own state first if it has a section
    line; `headings` are those of chapters and sections. `strays` are the states that are not printed
    in the section of their number, each with the section that prints it, by their ids.
    """

    chapters: list[State]
    sections: dict[str, list[State]]
    headings: dict[str, str]
    entries: list[State]
    strays: dict[int, tuple[State, str]]


class PageIndex:
    """The provisions of a base, and the page that shows each."""

    def __init__(self, base: KnowledgeBase) -> None:
        self.base = base
        self.editions = base.editions
        self.labels = [edition.label for edition in base.editions]
        self.current = base.edition("current")
        self.witnesses = base.witnesses
        self._archive = Archive(base.folder / DOCUMENTS)
        self._bearers = lru_cache(8192)(base.bearers)
        self._strays = cache(lambda edition: self.outline(edition).strays)

    @cached_property
    def states(self) -> Mapping[int, State]:
        self.base.links.load()
        return self.base.states.load()

    def held(self, edition: int) -> list[State]:
        """Return the provisions of an edition in printed order."""
        return [self.states[state] for state in self.base.reader.states_of(edition)]

    # Numbers and headwords -----------------------------------------------------------------------

    @cached_property
    def _histories(self) -> NumberHistories:
        return NumberHistories(self.base, self.current.place)

    @cached_property
    def holders(self) -> Mapping[urls.Page, list[NumberHolder]]:
        """Return who has had each number or headword, the latest first; not what only later editions have."""
        return self._histories.holders(names.page_of)

    @cached_property
    def pages(self) -> dict[urls.Page, None]:
        """Return the pages of all numbers and headwords, also of editions not yet in force, in order."""
        return dict.fromkeys(
            sorted({names.page_of(state) for state in self.states.values()}, key=_in_order)
        )

    @cache  # noqa: B019 - an index and its answers go together
    def life(self, end: End) -> Life:
        """Return a history; a rule, its subrules and earlier holders of their numbers share some."""
        return self._histories.life(end)

    def heir_of(self, holder: NumberHolder) -> tuple[State | None, float]:
        """Return what has the words of a holder of a number today, if anything has, and the chance of that."""
        way = self.base.lineages.way(holder.state, holder.runs[-1][1], self.current.place)
        return None if way.heir is None else self.states[way.heir], way.confidence

    @cached_property
    def today(self) -> "CurrentProvisions":
        return CurrentProvisions(self)

    @cached_property
    def evidence(self) -> dict[int, tuple[str, str, str]]:
        return self.base.links.evidence(self.base.links.load().every)

    # Editions ------------------------------------------------------------------------------------

    @lru_cache(4)  # noqa: B019 - as above
    def outline(self, edition: int) -> Outline:
        """Return the structure of an edition."""
        outline = Outline([], {}, {}, [], {})
        here = ""
        for row in self.held(edition):
            if row.kind == names.GLOSSARY:
                outline.entries.append(row)
                continue
            if row.kind in names.HEADS:
                outline.headings.setdefault(row.number, row.heading)
            if row.kind == "chapter":
                outline.chapters.append(row)
                here = ""
                continue
            own = row.number.partition(".")[0]
            here = own if row.kind == "section" else here or own
            outline.sections.setdefault(here, []).append(row)
            if own != here:
                outline.strays[row.id] = row, here
        return outline

    def period(self, first: int, last: int) -> str:
        """Return when some editions were in force, in words: until the day before the next one."""
        start = in_words(self.labels[first])
        if last >= self.current.place:
            return f"since {start}"
        until = in_words(self.last_day(last))
        return start if start == until else f"{start} to {until}"

    def last_day(self, place: int) -> date:
        """Return the last day on which an edition was in force; of the newest one, its first."""
        days_before = [
            date.fromisoformat(it.effective) - timedelta(days=1)
            for it in self.editions[place + 1 : place + 2]
        ]
        return max([date.fromisoformat(self.editions[place].effective), *days_before])

    def in_force(self, place: int) -> str:
        """Return when an edition was in force, in words.

        If several issues share a date, only the last was ever in force.
        """
        day = self.editions[place].effective
        if [edition.effective for edition in self.editions[place + 1 : place + 2]] == [day]:
            return f"published for {in_words(day)}, replaced before it was in force"
        if place > self.current.place:
            return f"in force from {in_words(day)}"
        return f"in force {self.period(place, place)}"

    def published(self, sha256: str) -> list[str]:
        """Return the web addresses of a document, sorted."""
        addresses = {source.address for source in self._archive.sources.get(sha256, ())}
        return sorted(each for each in addresses if each.startswith(("https://", "http://")))

    def words(self, edition: int) -> int:
        """Return the number of words in an edition's provisions."""
        return sum(map(self._words_in, self.held(edition)))

    @cache  # noqa: B019 - as above
    def _words_in(self, row: State) -> int:
        return len(f"{row.heading} {row.body}".split())

    def dated(self, state: int, edition: int) -> tuple[urls.Page, str]:
        """Return the page and anchor of a provision in an edition."""
        label, row = self.labels[edition], self.states[state]
        if row.kind == names.GLOSSARY:
            return urls.edition(label, names.GLOSSARY), slug_of(row.heading)
        _, section = self._strays(edition).get(state, (row, row.number))
        return urls.chapter(label, section), "" if row.kind == "chapter" else anchor_of(row.address)

    @lru_cache(_MOST_DATED)  # noqa: B019 - as above
    def dated_markup(
        self, row: State, text: tuple[Span, ...], heading: tuple[Span, ...], mark: str
    ) -> str:
        """Return a provision as any chapter or glossary of an edition shows it, with a mark after its number."""
        # The link to its own page needs no class: no other link of a dated text leads to such a page.
        own = urls.link(urls.edition("any", "part"), names.page_of(row))
        if row.kind == names.GLOSSARY:
            title = [Span(0, len(row.heading), own)]
            return set_provision(row, slug_of(row.heading), mark, text, title)
        if row.kind == "chapter":  # the title of the page
            return set_provision(row, "", mark, text, None)
        number = f'<a href="{own}">{escape(row.number)}</a> {mark}'.rstrip()
        # Rules are a level below the heading of their section.
        level = 2 if row.kind == "section" else 3
        return set_provision(row, anchor_of(row.address), number, text, heading, level)

    def citations(
        self, state: int, edition: int, href_of: Callable[[int], str]
    ) -> tuple[list[Span], list[Span]]:
        """Return the links of a state's citations, in its text and heading, to their first targets."""
        spans: dict[str, list[Span]] = {"text": [], "heading": []}
        for citation in self.base.citations.get(state, ()):
            for target in self._bearers(citation.numbers[0], edition)[:1]:
                spans[citation.part].append(Span(citation.start, citation.stop, href_of(target.id)))
        return spans["text"], spans["heading"]


class LinksOf:
    """Makes the links of a page: relative to it, or below the address of the site."""

    def __init__(self, index: PageIndex, here: urls.Page, base_url: str = "") -> None:
        self.index, self.here, self._base_url = index, here, base_url

    def to(self, page: urls.Page, anchor: str = "") -> str:
        """Return the address of another page."""
        if not self._base_url:
            return urls.link(self.here, page, anchor)
        return f"{self._base_url}{page}#{anchor}" if anchor else self._base_url + page

    def name(self, row: State) -> Link:
        """Return the number or headword of a provision, linked to its page."""
        return Link(
            row.heading if row.kind == names.GLOSSARY else row.number, self.to(names.page_of(row))
        )

    def titled(self, row: State, between: str = ". ") -> Link:
        """Return the number of a provision with its heading, linked to its page."""
        return Link(names.titled(row.number, row.heading, between), self.to(names.page_of(row)))

    def named(self, name: str) -> Link:
        """Return a name of an answer as readers say it, linked to its page."""
        return Link(names.for_readers(name), self.to(names.page_of_name(name)))

    def dated(self, state: int, edition: int) -> str:
        """Return the address of a provision in an edition."""
        return self.to(*self.index.dated(state, edition))


class CurrentProvisions:
    """The provisions of the edition in force and the links between them.

    `below` has those right below an address, and all entries of the glossary.
    """

    def __init__(self, index: PageIndex) -> None:
        self._index, self._blame = index, Blame(index.base)
        self.place = index.current.place
        self.by_address: dict[str, State] = {}
        self.below = defaultdict[str, list[State]](list)
        for row in index.held(self.place):
            self.below[self._above(row)].append(row)
            if row.number:
                self.by_address[row.address] = row

    def _above(self, row: State) -> str:
        return names.GLOSSARY if row.kind == names.GLOSSARY else row.parent

    def neighbours(self, row: State) -> tuple[State | None, State | None]:
        """Return what is read before and after a provision with all below it.

        Without a sibling before it, that is the provision above it; without one behind it, what comes
        after the provision above it.
        """
        siblings, above = self.below[self._above(row)], self.by_address.get(row.parent)
        place = siblings.index(row)
        before = siblings[place - 1] if place else above
        if place + 1 < len(siblings):
            return before, siblings[place + 1]
        return before, None if above is None else self.neighbours(above)[1]

    def tree(self, row: State) -> Iterator[State]:
        """Yield the descendants of a provision, in printed order."""
        for child in self.below.get(row.address, ()):
            yield child
            yield from self.tree(child)

    def path(self, row: State) -> list[State]:
        """Return the ancestors of a provision, the chapter first."""
        above = self.by_address.get(row.parent)
        return [*self.path(above), above] if above else []

    def markup(
        self, row: State, links: LinksOf, shown: Collection[int], seen: set[str], *, is_own: bool
    ) -> str:
        """Return a provision as a number or headword page shows it.

        Links to the states that the page shows stay on it; terms that it has linked already are
        added to `seen`. The title of a provision's own page has its number.
        """

        def href_of(target: int) -> str:
            to = self._index.states[target]
            return f"#{anchor_of(to.address)}" if target in shown else links.to(names.page_of(to))

        text, heading = self._index.citations(row.id, self.place, href_of)
        text += self._terms(row, links, seen)
        text.sort(key=lambda span: (span.start, -span.stop))
        href, number = links.to(names.page_of(row)), ""
        if row.kind == names.GLOSSARY:
            anchor, heading = slug_of(row.heading), [Span(0, len(row.heading), href, "n")]
        else:
            anchor = anchor_of(row.address)
            number = "" if is_own else f'<a class="n" href="{href}">{escape(row.number)}</a>'
        return set_provision(row, anchor, number, text, None if is_own else heading)

    # Terms and citing provisions ---------------------------------------------------------------------

    def _terms(self, row: State, links: LinksOf, seen: set[str]) -> Iterator[Span]:
        """Yield the first mention of each term on a page."""
        for start, stop, page in self._terms_of(row):
            if page not in seen and page != links.here:
                seen.add(page)
                yield Span(start, stop, links.to(page), "t")

    @cache  # noqa: B019 - as in the index
    def _terms_of(self, row: State) -> list[tuple[int, int, urls.Page]]:
        terms = terms_of(self._index.base, self._index.current.place)
        mentions = terms.find(wording_of(row) if row.body else "")
        return [(it.start, it.end, urls.entry(it.term)) for it in mentions]

    @cached_property
    def citing(self) -> defaultdict[int, dict[int, tuple[State, str]]]:
        """Return the provisions in force that cite each provision, with the citing sentence."""
        citing = defaultdict[int, dict[int, tuple[State, str]]](dict)
        index = self._index
        for row in index.held(self.place):
            for citation in index.base.citations.get(row.id, ()):
                text = row.heading if citation.part == "heading" else wording_of(row)
                for word in citation.numbers:
                    for target in index.base.bearers(word, self.place):
                        if row.id not in citing[target.id]:
                            citing[target.id][row.id] = row, sentence_around(text, citation.start)
        return citing

    def words_since(self, state: int) -> list[tuple[str, str]]:
        """Return the words of a provision in runs, each with the edition that added it."""
        words = self._blame.of(self._index.base.at(state, self.place), is_alone=True).words
        runs = groupby(words, key=attrgetter("since"))
        return [("".join(word.text for word in run), since) for since, run in runs]


def _in_order(page: urls.Page) -> tuple[bool, int, int, int, str, str]:
    """Sort pages: numbers first, 702.9 < 702.9b < 702.10, then headwords."""
    folder, name, _ = page.split("/")
    if folder == "glossary":
        return True, 0, 0, 0, "", name
    return False, *order_of(name), name
