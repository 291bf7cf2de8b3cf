"""The page that shows each provision of a base: by number, by edition and by history."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import timedelta
from functools import cache, cached_property, lru_cache

from variorum.answers.editions import EditionEntry
from variorum.answers.knowledge_base import KnowledgeBase
from variorum.answers.number_histories import End, Life, NumberHistories, NumberHolder
from variorum.answers.readings import LifeReading
from variorum.answers.subject import Subject, heirs_of
from variorum.answers.whole import Whole
from variorum.documents.archive import Archive
from variorum.paths import DOCUMENTS
from variorum.permalinks import anchor_of, slug_of
from variorum.rows import State, headword_of
from variorum.rule_numbers import order_of
from variorum_site import urls
from variorum_site.render import in_words

GLOSSARY = "glossary"
_OF_THE_WEB = ("https://", "http://")


@dataclass(frozen=True, slots=True)
class SectionOutline:
    """A section as an edition prints it.

    Attributes:
        number: Its number, even if its provisions have no section line.
        heading: Its heading; an empty string if there is none.
        chapter: The address of its chapter.
        states: Its own state and those of its provisions, in printed order.
    """

    number: str
    heading: str
    chapter: str
    states: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Outline:
    """The structure of an edition.

    Attributes:
        chapters: The states of chapters, in printed order.
        sections: The sections by number, in printed order.
        entries: The states of glossary entries.
        strays: Provisions that are not printed in the section of their number. By the number of that
            section, they are pairs: a state, and the section that prints it.
    """

    chapters: tuple[int, ...]
    sections: Mapping[str, SectionOutline]
    entries: tuple[int, ...]
    strays: Mapping[str, Sequence[tuple[int, str]]]


class PageIndex:
    """The provisions of a base, and the page that shows each."""

    def __init__(self, base: KnowledgeBase) -> None:
        self.base = base
        self.editions = base.editions
        self.labels = [edition.label for edition in base.editions]
        self.current = base.edition("current")
        self.witnesses = base.witnesses

    @cached_property
    def whole(self) -> Whole:
        """Return the whole base in memory."""
        self.base.links.load()
        return self.base.whole

    @cached_property
    def states(self) -> Mapping[int, State]:
        """Return all states of provisions, by their ids."""
        return self.whole.states

    @cached_property
    def histories(self) -> NumberHistories:
        """Return the histories of all provisions."""
        return NumberHistories(self.base, self.current.place)

    @cached_property
    def _holders(self) -> dict[urls.Page, list[NumberHolder]]:
        return self.histories.holders(page_of)

    @cached_property
    def pages(self) -> list[urls.Page]:
        """Return the pages of all past, current and future numbers and headwords, in order."""
        return sorted({*self._holders, *self.coming}, key=_in_order)

    @cached_property
    def coming(self) -> dict[urls.Page, tuple[int, int]]:
        """Return the edition and state of each page that only editions not yet in force have."""
        coming: dict[urls.Page, tuple[int, int]] = {}
        for edition in range(self.current.place + 1, len(self.editions)):
            for state in self.whole.held(edition):
                page = page_of(self.states[state])
                if page not in self._holders:
                    coming.setdefault(page, (edition, state))
        return coming

    def holders(self, page: urls.Page) -> list[NumberHolder]:
        """Return all holders of the number or headword of a page, the latest first."""
        return self._holders.get(page, [])

    def headword(self, page: urls.Page) -> str:
        """Return the headword of a glossary page, as last printed."""
        holders = self.holders(page)
        return self.states[holders[0].state if holders else self.coming[page][1]].heading

    def has_page(self, page: urls.Page) -> bool:
        """Return whether a page of a number or headword exists."""
        return page in self._holders or page in self.coming

    @lru_cache  # noqa: B019 - an index and its answers go together
    def life(self, end: End) -> Life:
        """Return a history; a rule, its subrules and earlier holders of their numbers share some."""
        return self.histories.life(end)

    def subject(self, state: int, edition: int) -> Subject:
        """Return a provision as a subject in an edition."""
        return self.base.at(state, edition)

    def home_of(self, end: End) -> urls.Page:
        """Return the page of a history: its last number's page."""
        return page_of(self.states[end.state])

    def heir(self, state: int, edition: int, target: int) -> int | None:
        """Return the heir of a provision in another edition; None if there is none."""
        if target == self.current.place and state in self.heirs_of_heads(edition):
            return self.heirs_of_heads(edition)[state]
        return self.subject(state, edition).destination(self.editions[target]).heir

    @cache  # noqa: B019 - as above
    def heirs_of_heads(self, edition: int) -> Mapping[int, int | None]:
        """Return the heirs in force of an edition's chapters and sections, in printed order."""
        held = self.whole.held(edition)
        heads = [state for state in held if self.states[state].kind in {"chapter", "section"}]
        return heirs_of(self.base, heads, edition, self.current.place)

    def subject_of(self, holder: NumberHolder) -> Subject:
        """Return the provision that had a number, as the last edition with this number has it."""
        return self.subject(holder.state, holder.runs[-1][1])

    def read_reason(self, reading: LifeReading) -> str:
        """Return the reason that people gave for the step to a reading; "" if nobody read it."""
        link = reading.stretches[0].into
        return "" if link is None else self._read.get(link.evidence, ("", ""))[1]

    @cached_property
    def _read(self) -> dict[int, tuple[str, str]]:
        links = self.base.links.load().by_edition.values()
        return self.base.links.readings_of(link for some in links for link in some)

    @cache  # noqa: B019 - as above
    def outline(self, edition: int) -> Outline:
        """Return the structure of an edition."""
        return outline_of([(state, self.states[state]) for state in self.whole.held(edition)])

    def published(self, sha256: str) -> list[str]:
        """Return the web addresses of a document, sorted."""
        sources = self._archive.sources(sha256)
        return sorted(
            {source.address for source in sources if source.address.startswith(_OF_THE_WEB)}
        )

    @cached_property
    def _archive(self) -> Archive:
        return Archive(self.base.folder / DOCUMENTS)

    def words(self, edition: int) -> int:
        """Return the number of words in an edition's provisions."""
        return sum(self._words(state) for state in self.whole.held(edition))

    @cache  # noqa: B019 - as above
    def _words(self, state: int) -> int:
        return len(f"{self.states[state].heading} {self.states[state].body}".split())

    def dated(self, state: int, edition: int) -> tuple[urls.Page, str]:
        """Return the page and anchor of a provision in an edition."""
        label, row = self.labels[edition], self.states[state]
        if row.kind == GLOSSARY:
            return urls.edition_glossary(label), slug_of(row.heading)
        if row.kind == "chapter":
            return urls.chapter(label, row.number), ""
        section = self._misplaced(edition).get(state, row.number)
        return urls.chapter(label, section), anchor_of(row.address)

    @cache  # noqa: B019 - as above
    def _misplaced(self, edition: int) -> dict[int, str]:
        """Return the section that prints each provision whose number belongs to another section."""
        strays = self.outline(edition).strays.values()
        return {state: section for some in strays for state, section in some}

    def citations(self, state: int, edition: int) -> list[tuple[str, int, int, int]]:
        """Return the citations of a state that have a target in an edition.

        Each is a tuple: the part of the text, start and stop there, and the state of the target;
        for a range, of its first target.
        """
        leading: list[tuple[str, int, int, int]] = []
        for citation in self.whole.citations.get(state, ()):
            targets = self.whole.bearers(citation.numbers[0], edition)
            if targets:
                leading.append((citation.part, citation.start, citation.stop, targets[0]))
        return leading


def page_of(state: State) -> urls.Page:
    """Return the page of a state's number or headword."""
    return urls.entry(state.heading) if state.kind == GLOSSARY else urls.rule(state.number)


def page_of_name(name: str) -> urls.Page:
    """Return the page of a name in an answer: an address, or "glossary: " and a headword."""
    headword = headword_of(name)
    if headword:
        return urls.entry(headword)
    return urls.rule(name.partition("#")[0])


def called(state: State) -> str:
    """Return the address of a provision, or its headword."""
    return state.heading if state.kind == GLOSSARY else state.address


def name_of(edition: EditionEntry) -> str:
    """Return the usual name of an edition: its set, else its day."""
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


def titled(number: str, heading: str) -> str:
    """Return the number of a provision with its heading, if there is one."""
    return f"{number}. {heading}" if heading else number


def outline_of(held: Sequence[tuple[int, State]]) -> Outline:
    """Return the structure of an edition.

    Args:
        held: The ids and states of its provisions, in printed order.
    """
    chapters: list[int] = []
    entries: list[int] = []
    members: dict[str, list[int]] = {}
    heads: dict[str, tuple[str, str]] = {}
    strays: dict[str, list[tuple[int, str]]] = {}
    chapter, here = "", ""
    for number, state in held:
        if state.kind == GLOSSARY:
            entries.append(number)
            continue
        if state.kind == "chapter":
            chapters.append(number)
            chapter, here = state.address, ""
            continue
        own = state.number.partition(".")[0]
        if state.kind == "section" or not here:
            here = own
            heads.setdefault(here, (state.heading if state.kind == "section" else "", chapter))
        members.setdefault(here, []).append(number)
        if own != here:
            strays.setdefault(own, []).append((number, here))
    sections = {
        number: SectionOutline(number, *heads[number], tuple(states))
        for number, states in members.items()
    }
    return Outline(tuple(chapters), sections, tuple(entries), strays)


def _in_order(page: urls.Page) -> tuple[bool, int, int, int, str, str]:
    """Sort pages: numbers first, 702.9 < 702.9b < 702.10, then headwords."""
    folder, name, _ = page.split("/")
    if folder == "glossary":
        return True, 0, 0, 0, "", name
    return False, *order_of(name), name
