"""The search page, and a list of all numbers for browsers without scripts."""

from collections.abc import Iterator
from dataclasses import dataclass

from variorum.facts import Concept, all_concepts
from variorum_site import urls
from variorum_site.page_index import GLOSSARY, PageIndex, page_of
from variorum_site.pages.markup import Link
from variorum_site.render import PageFile, render


@dataclass(frozen=True, slots=True)
class WordsView:
    """A former wording or abbreviation, and its equivalent in today's rules.

    Attributes:
        words: The main spelling.
        until: The effective date of the last edition that has it; "" for abbreviations.
        now: Today's wording.
    """

    words: str
    until: str
    now: str


def page_files(index: PageIndex) -> Iterator[PageFile]:
    """Yield the search page and the list of all numbers."""
    concepts = all_concepts()
    yield render(
        "search",
        urls.SEARCH,
        current=index.current,
        count=len(index.editions),
        former=[view for concept in concepts if concept.kind == "era" for view in _former(concept)],
        abbreviations=[
            WordsView(concept.form[0].words[0], "", _joined(concept, 1))
            for concept in concepts
            if concept.kind == "abbreviation"
        ],
    )
    sections = _sections(index)
    yield render(
        "all_numbers",
        urls.NUMBERS,
        current=index.current,
        count=sum(len(numbers) for _, numbers in sections),
        sections=sections,
    )


def _former(concept: Concept) -> Iterator[WordsView]:
    """Yield the former wordings of a concept, each with today's."""
    alive = [place for place, form in enumerate(concept.form) if not form.last]
    for place, form in enumerate(concept.form):
        behind = [later for later in alive if later > place]
        if form.last and behind:
            yield WordsView(form.words[0], str(form.last), _joined(concept, behind[0]))


def _joined(concept: Concept, first: int) -> str:
    """Of the wordings from place `first` on, join the current ones; if there are none, join all."""
    forms = concept.form[first:]
    living = [form for form in forms if not form.last]
    return ", ".join(form.words[0] for form in living or forms)


def _sections(index: PageIndex) -> list[tuple[str, list[tuple[Link, bool]]]]:
    """Return all numbers by section, each with whether the edition in force has it."""
    rows = [index.states[state] for state in index.whole.held(index.current.place)]
    today = {page_of(row) for row in rows if row.kind != GLOSSARY}
    by_section: dict[str, list[tuple[Link, bool]]] = {}
    for page in index.pages:
        if page.startswith(urls.RULES):
            number = page.removeprefix(urls.RULES).rstrip("/")
            name = Link(number, urls.link(urls.NUMBERS, page))
            by_section.setdefault(number.partition(".")[0], []).append((name, page in today))
    return list(by_section.items())
