"""The edition in force, from which number and headword pages take their text."""

from collections import defaultdict
from collections.abc import Collection, Iterator
from functools import cache, cached_property
from html import escape

from variorum.answers.glossary import Terms
from variorum.permalinks import anchor_of, slug_of
from variorum.rows import wording_of
from variorum.text import sentence_around
from variorum_site import urls
from variorum_site.page_index import GLOSSARY, PageIndex, page_of
from variorum_site.pages.markup import Html, Setting, Span, set_provision, spans_of


class CurrentProvisions:
    """The provisions of the edition in force and the links between them."""

    def __init__(self, index: PageIndex) -> None:
        self.index = index
        self.place = index.current.place
        self.outline = index.outline(self.place)
        held = index.whole.held(self.place)
        self.by_address: dict[str, int] = {}
        self.below: dict[str, list[int]] = defaultdict(list)
        for state in held:
            row = index.states[state]
            if row.kind != GLOSSARY:
                self.by_address[row.address] = state
                self.below[row.parent].append(state)

    def neighbours(self, state: int) -> tuple[int | None, int | None]:
        """Return what is read before and after a provision with all below it.

        Without a sibling before it, that is the provision above it; without one behind it, what comes
        after the provision above it.
        """
        row = self.index.states[state]
        is_entry = row.kind == GLOSSARY
        siblings = self.outline.entries if is_entry else self.below[row.parent]
        place = siblings.index(state)
        above = self.by_address.get(row.parent)
        before = siblings[place - 1] if place else above
        if place + 1 < len(siblings):
            return before, siblings[place + 1]
        return before, None if above is None else self.neighbours(above)[1]

    def tree(self, state: int) -> Iterator[int]:
        """Yield the descendants of a provision, in printed order."""
        for child in self.below.get(self.index.states[state].address, ()):
            yield child
            yield from self.tree(child)

    def path(self, state: int) -> list[int]:
        """Return the ancestors of a provision, the chapter first."""
        path: list[int] = []
        parent = self.index.states[state].parent
        while parent:
            path.insert(0, self.by_address[parent])
            parent = self.index.states[path[0]].parent
        return path

    # Links ---------------------------------------------------------------------------------------

    def setting(
        self, state: int, here: urls.Page, shown: Collection[int], seen: set[str], *, is_own: bool
    ) -> Setting:
        """Return a provision as a number or headword page shows it.

        Args:
            state: The provision's state.
            here: The page.
            shown: The states that the page shows; links to them stay on the page.
            seen: Terms that the page has linked already; those linked here are added.
            is_own: Whether the page is about this provision, so that the page's title has its
                number.
        """
        row = self.index.states[state]
        spans = [
            (part, Span(start, stop, self._href(target, here, shown)))
            for part, start, stop, target in self.index.citations(state, self.place)
        ]
        spans += [("text", span) for span in self._terms(state, here, seen)]
        spans.sort(key=lambda span: (span[1].start, -span[1].stop))
        number = ""
        heading = None if is_own else spans_of(spans, "heading")
        if row.kind != GLOSSARY:
            href = urls.link(here, page_of(row))
            number = "" if is_own else f'<a class="n" href="{href}">{escape(row.number)}</a>'
        elif not is_own:
            heading = [Span(0, len(row.heading), urls.link(here, page_of(row)), "n")]
        anchor = slug_of(row.heading) if row.kind == GLOSSARY else anchor_of(row.address)
        return set_provision(row, anchor, number, spans_of(spans, "text"), heading)

    def _href(self, target: int, here: urls.Page, shown: Collection[int]) -> str:
        row = self.index.states[target]
        if target in shown:
            return f"#{anchor_of(row.address)}"
        return urls.link(here, page_of(row))

    def _terms(self, state: int, here: urls.Page, seen: set[str]) -> Iterator[Span]:
        """Yield the first mention of each term on a page."""
        for start, stop, page in self.terms_of(state):
            if page not in seen and page != here:
                seen.add(page)
                yield Span(start, stop, urls.link(here, page), "t")

    @cache  # noqa: B019 - as in the index
    def terms_of(self, state: int) -> list[tuple[int, int, urls.Page]]:
        """Return the terms that a provision in force mentions, each with the page of its entry."""
        row = self.index.states[state]
        mentions = self._finder.find(wording_of(row) if row.body else "")
        return [(start, stop, urls.entry(term)) for start, stop, term in mentions]

    @cached_property
    def _finder(self) -> Terms:
        return self.index.base.glossary.terms_of(self.index.current)

    # Citing provisions -------------------------------------------------------------------------------

    def citing(self, state: int) -> list[tuple[int, str]]:
        """Return the provisions in force that cite a provision, each with the citing sentence."""
        return self._citing.get(state, [])

    @cached_property
    def _citing(self) -> dict[int, list[tuple[int, str]]]:
        citing: dict[int, dict[int, str]] = defaultdict(dict)
        whole = self.index.whole
        for state in whole.held(self.place):
            row = self.index.states[state]
            for citation in whole.citations.get(state, ()):
                text = row.heading if citation.part == "heading" else wording_of(row)
                for word in citation.numbers:
                    for target in whole.bearers(word, self.place):
                        if state not in citing[target]:
                            citing[target][state] = sentence_around(text, citation.start)
        return {target: list(states.items()) for target, states in citing.items()}

    def words_since(self, state: int) -> list[tuple[str, str]]:
        """Return the words of a provision in runs, each with the edition that added it."""
        runs: list[tuple[str, str]] = []
        for word in self.index.base.ages.blame(self.index.subject(state, self.place)).words:
            if runs and runs[-1][1] == word.since:
                runs[-1] = runs[-1][0] + word.text, word.since
            else:
                runs.append((word.text, word.since))
        return runs


def blame_markup(runs: list[tuple[str, str]], order: list[str]) -> Html:
    """Return runs of words, each followed by the rank of its edition in `order`."""
    return Html(
        "".join(
            f"{escape(text.rstrip(), quote=False)}<sup>{order.index(since) + 1}</sup> "
            for text, since in runs
        ).strip()
    )
