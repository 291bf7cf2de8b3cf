"""What is wrong in an edition by its own measure, as `cr lint` says it."""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import groupby

from variorum_kb.answers.edition_entry import EditionEntry
from variorum_kb.answers.lint.kinds import KINDS, kind_of, said_of
from variorum_kb.answers.lint.linter import lint_editions
from variorum_kb.forms.lint import LintFindingJson, LintJson
from variorum_site import urls
from variorum_site.page_index import GLOSSARY, PageIndex
from variorum_site.pages.link import Link
from variorum_site.render import PageFile, render


@dataclass(frozen=True, slots=True)
class FindingView:
    """Something wrong: where, and what."""

    where: Link
    words: str
    evidence: str


@dataclass(frozen=True, slots=True, kw_only=True)
class LintView:
    """The page of what is wrong in an edition."""

    edition: EditionEntry
    before: EditionEntry | None
    after: EditionEntry | None
    kinds: tuple[tuple[str, tuple[FindingView, ...]], ...]
    total: int


class LintPages:
    """Makes the pages of what is wrong."""

    def __init__(self, index: PageIndex) -> None:
        self._index = index

    def page_file(self, found: LintJson, place: int) -> PageFile:
        """Return the page of an edition.

        Args:
            found: What is wrong in it.
            place: Its place.
        """
        editions = self._index.editions
        here = urls.lint(editions[place].label)
        places = self._places(place)
        kinds = [
            (KINDS[kind].heading, tuple([_view(here, one, places) for one in findings]))
            for kind, findings in groupby(found["findings"], key=kind_of)
        ]
        view = LintView(
            edition=editions[place],
            before=editions[place - 1] if place else None,
            after=editions[place + 1] if place + 1 < len(editions) else None,
            kinds=tuple(kinds),
            total=len(found["findings"]),
        )
        return render("lint", here, page=view)

    def _places(self, edition: int) -> dict[str, tuple[urls.Page, str]]:
        """Return where an edition prints each address and headword."""
        found: dict[str, tuple[urls.Page, str]] = {}
        for state in self._index.whole.held(edition):
            row = self._index.states[state]
            address = row.heading if row.kind == GLOSSARY else row.address
            there = self._index.dated(state, edition)
            found.setdefault(address, there)
            if row.kind != GLOSSARY:
                found.setdefault(row.number, there)
        return found


def _view(
    here: urls.Page, one: LintFindingJson, places: dict[str, tuple[urls.Page, str]]
) -> FindingView:
    address = one["address"]
    there = places.get(address)
    href = "" if there is None else urls.link(here, *there)
    evidence = one["evidence"] if one["kind"] == "misprint" else ""
    return FindingView(Link(address or "The document", href), said_of(one), evidence)


def page_files(index: PageIndex) -> Iterator[tuple[EditionEntry, LintJson, PageFile]]:
    """Yield each edition with what is wrong in it, and its page."""
    pages = LintPages(index)
    found = lint_editions(index.base, index.editions)
    for edition, one in zip(index.editions, found, strict=True):
        yield edition, one, pages.page_file(one, edition.place)
