"""The search page, and the list of all numbers for who has no script."""

from collections.abc import Iterator
from dataclasses import dataclass

from variorum_kb.answers.synonyms import Synonyms, all_synonyms
from variorum_site import urls
from variorum_site.atlas import GLOSSARY, Atlas, page_of
from variorum_site.pages.names import Name
from variorum_site.render import Sheet, render


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


def sheets(atlas: Atlas) -> Iterator[Sheet]:
    """Yield the search page and the list of all numbers."""
    synonyms = all_synonyms()
    yield render(
        "search",
        urls.SEARCH,
        latest=atlas.latest,
        count=len(atlas.editions),
        former=[view for one in synonyms if one.kind == "era" for view in _former(one)],
        abbreviations=[
            WordsView(one.wordings[0].words[0], "", _joined(one, 1))
            for one in synonyms
            if one.kind == "abbreviation"
        ],
    )
    sections = _sections(atlas)
    yield render(
        "all_numbers",
        urls.NUMBERS,
        latest=atlas.latest,
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


def _sections(atlas: Atlas) -> list[tuple[str, list[tuple[Name, bool]]]]:
    """Return all numbers by their section, each with whether the newest edition prints it."""
    rows = [atlas.states[state] for state in atlas.whole.held(atlas.latest.place)]
    today = {page_of(row) for row in rows if row[0] != GLOSSARY}
    found: dict[str, list[tuple[Name, bool]]] = {}
    for page in atlas.pages:
        if page.startswith(urls.RULES):
            number = page.removeprefix(urls.RULES).rstrip("/")
            name = Name(number, urls.link(urls.NUMBERS, page))
            found.setdefault(number.partition(".")[0], []).append((name, page in today))
    return list(found.items())
