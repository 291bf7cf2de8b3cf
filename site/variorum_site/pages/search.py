"""The search page, and the list of all numbers for who has no script."""

from collections.abc import Iterator
from dataclasses import dataclass

from variorum_kb.answers.glossary.synonyms import Synonyms, all_synonyms
from variorum_site import urls
from variorum_site.page_index import GLOSSARY, PageIndex, page_of
from variorum_site.pages.link import Link
from variorum_site.render import PageFile, render


@dataclass(frozen=True, slots=True)
class WordsView:
    """Words, and what stands for them in the rules of today.

    Attributes:
        words: The main spelling.
        until: The effective date of the last edition that has them, "" of abbreviations.
        now: What stands for them.
    """

    words: str
    until: str
    now: str


def page_files(index: PageIndex) -> Iterator[PageFile]:
    """Yield the search page and the list of all numbers."""
    synonyms = all_synonyms()
    yield render(
        "search",
        urls.SEARCH,
        current=index.current,
        count=len(index.editions),
        former=[view for one in synonyms if one.kind == "era" for view in _former(one)],
        abbreviations=[
            WordsView(one.wordings[0].words[0], "", _joined(one, 1))
            for one in synonyms
            if one.kind == "abbreviation"
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


def _former(one: Synonyms) -> Iterator[WordsView]:
    """Yield the wordings of a concept that died, each with what lives."""
    alive = [place for place, form in enumerate(one.wordings) if not form.last]
    for place, form in enumerate(one.wordings):
        behind = [other for other in alive if other > place]
        if form.last and behind:
            yield WordsView(form.words[0], form.last, _joined(one, behind[0]))


def _joined(one: Synonyms, first: int) -> str:
    """Join the wordings that live, of those from a place on; all of them where none does."""
    forms = one.wordings[first:]
    living = [form for form in forms if not form.last]
    return ", ".join(form.words[0] for form in living or forms)


def _sections(index: PageIndex) -> list[tuple[str, list[tuple[Link, bool]]]]:
    """Return all numbers by their section, each with whether the newest edition prints it."""
    rows = [index.states[state] for state in index.whole.held(index.current.place)]
    today = {page_of(row) for row in rows if row.kind != GLOSSARY}
    found: dict[str, list[tuple[Link, bool]]] = {}
    for page in index.pages:
        if page.startswith(urls.RULES):
            number = page.removeprefix(urls.RULES).rstrip("/")
            name = Link(number, urls.link(urls.NUMBERS, page))
            found.setdefault(number.partition(".")[0], []).append((name, page in today))
    return list(found.items())
