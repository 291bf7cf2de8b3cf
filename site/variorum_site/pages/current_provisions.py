"""The edition in force, from which number and headword pages take their text."""

from collections import defaultdict
from collections.abc import Collection, Iterator
from functools import cache, cached_property
from html import escape

from variorum.permalinks import anchor_of, slug_of
from variorum.rows import State, wording_of
from variorum.text import sentence_around
from variorum_site import names, urls
from variorum_site.page_index import LinksOf, PageIndex
from variorum_site.pages.markup import Span, set_provision


class CurrentProvisions:
    """The provisions of the edition in force and the links between them."""

    def __init__(self, index: PageIndex) -> None:
        self._index = index
        self.place = index.current.place
        self.outline = index.outline(self.place)
        self.by_address: dict[str, int] = {}
        self.below: dict[str, list[int]] = defaultdict(list)
        for state in index.whole.held(self.place):
            row = index.states[state]
            if row.kind != names.GLOSSARY:
                self.by_address[row.address] = state
                self.below[row.parent].append(state)

    def rows_below(self, address: str) -> list[State]:
        """Return the provisions right below a number."""
        return [self._index.states[state] for state in self.below.get(address, ())]

    def neighbours(self, state: int) -> tuple[int | None, int | None]:
        """Return what is read before and after a provision with all below it.

        Without a sibling before it, that is the provision above it; without one behind it, what comes
        after the provision above it.
        """
        row = self._index.states[state]
        is_entry = row.kind == names.GLOSSARY
        siblings = self.outline.entries if is_entry else self.below[row.parent]
        place = siblings.index(state)
        above = self.by_address.get(row.parent)
        before = siblings[place - 1] if place else above
        if place + 1 < len(siblings):
            return before, siblings[place + 1]
        return before, None if above is None else self.neighbours(above)[1]

    def tree(self, state: int) -> Iterator[int]:
        """Yield the descendants of a provision, in printed order."""
        for child in self.below.get(self._index.states[state].address, ()):
            yield child
            yield from self.tree(child)

    def path(self, state: int) -> list[State]:
        """Return the ancestors of a provision, the chapter first."""
        path: list[State] = []
        parent = self._index.states[state].parent
        while parent:
            path.insert(0, self._index.states[self.by_address[parent]])
            parent = path[0].parent
        return path

    def markup(
        self, state: int, links: LinksOf, shown: Collection[int], seen: set[str], *, is_own: bool
    ) -> str:
        """Return a provision as a number or headword page shows it.

        Links to the states that the page shows stay on it; terms that it has linked already are
        added to `seen`. The title of a provision's own page has its number.
        """
        row = self._index.states[state]

        def href_of(target: int) -> str:
            to = self._index.states[target]
            return f"#{anchor_of(to.address)}" if target in shown else links.to(names.page_of(to))

        text, heading = self._index.citations(state, self.place, href_of)
        text += self._terms(state, links, seen)
        text.sort(key=lambda span: (span.start, -span.stop))
        href, number = links.to(names.page_of(row)), ""
        if row.kind == names.GLOSSARY:
            anchor, heading = slug_of(row.heading), [Span(0, len(row.heading), href, "n")]
        else:
            anchor = anchor_of(row.address)
            number = "" if is_own else f'<a class="n" href="{href}">{escape(row.number)}</a>'
        return "".join(set_provision(row, anchor, number, text, None if is_own else heading))

    # Terms and citing provisions ---------------------------------------------------------------------

    def _terms(self, state: int, links: LinksOf, seen: set[str]) -> Iterator[Span]:
        """Yield the first mention of each term on a page."""
        for start, stop, page in self._terms_of(state):
            if page not in seen and page != links.here:
                seen.add(page)
                yield Span(start, stop, links.to(page), "t")

    @cache  # noqa: B019 - as in the index
    def _terms_of(self, state: int) -> list[tuple[int, int, urls.Page]]:
        row = self._index.states[state]
        terms = self._index.base.glossary.terms_of(self._index.current)
        mentions = terms.find(wording_of(row) if row.body else "")
        return [(start, stop, urls.entry(term)) for start, stop, term in mentions]

    def citing(self, state: int) -> list[tuple[State, str]]:
        """Return the provisions in force that cite a provision, each with the citing sentence."""
        return list(self._citing.get(state, {}).values())

    @cached_property
    def _citing(self) -> dict[int, dict[int, tuple[State, str]]]:
        citing: dict[int, dict[int, tuple[State, str]]] = defaultdict(dict)
        whole = self._index.whole
        for row in self._index.held(self.place):
            for citation in whole.citations.get(row.id, ()):
                text = row.heading if citation.part == "heading" else wording_of(row)
                for word in citation.numbers:
                    for target in whole.bearers(word, self.place):
                        if row.id not in citing[target]:
                            citing[target][row.id] = row, sentence_around(text, citation.start)
        return citing

    def words_since(self, state: int) -> list[tuple[str, str]]:
        """Return the words of a provision in runs, each with the edition that added it."""
        runs: list[tuple[str, str]] = []
        for word in self._index.base.ages.blame(self._index.subject(state, self.place)).words:
            if runs and runs[-1][1] == word.since:
                runs[-1] = runs[-1][0] + word.text, word.since
            else:
                runs.append((word.text, word.since))
        return runs
