"""The pages of an edition's known errors, as `cr lint` finds them."""

from collections.abc import Iterator, Sequence
from collections.abc import Set as AbstractSet
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

# How many editions' pages are made together, so that one search finds the verdicts that cannot
# be applied in any of them.
AT_ONCE = 10


@dataclass(frozen=True, slots=True)
class FindingView:
    """A known error: its place, the problem, and the evidence."""

    where: Link
    words: str
    evidence: str


@dataclass(frozen=True, slots=True, kw_only=True)
class LintView:
    """The page of an edition's known errors."""

    edition: EditionEntry
    before: EditionEntry | None
    after: EditionEntry | None
    kinds: tuple[tuple[str, tuple[FindingView, ...]], ...]
    total: int


class LintPages:
    """Makes the pages of known errors."""

    def __init__(self, index: PageIndex) -> None:
        self._index = index

    def page_file(self, result: LintJson, place: int) -> PageFile:
        """Return the page of an edition.

        Args:
            result: Its known errors.
            place: The place of the edition.
        """
        editions = self._index.editions
        here = urls.lint(editions[place].label)
        named = {finding["address"] for finding in result["findings"]}
        places = self._places(place, named)
        kinds = [
            (KINDS[kind].heading, tuple([_view(here, finding, places) for finding in findings]))
            for kind, findings in groupby(result["findings"], key=kind_of)
        ]
        view = LintView(
            edition=editions[place],
            before=editions[place - 1] if place else None,
            after=editions[place + 1] if place + 1 < len(editions) else None,
            kinds=tuple(kinds),
            total=len(result["findings"]),
        )
        return render("lint", here, page=view)

    def _places(self, edition: int, wanted: AbstractSet[str]) -> dict[str, tuple[urls.Page, str]]:
        """Return where an edition prints some numbers, addresses and headwords."""
        places: dict[str, tuple[urls.Page, str]] = {}
        for state in self._index.whole.held(edition):
            row = self._index.states[state]
            names = {row.heading} if row.kind == GLOSSARY else {row.address, row.number}
            for name in names & wanted:
                places.setdefault(name, self._index.dated(state, edition))
        return places


def _view(
    here: urls.Page, finding: LintFindingJson, places: dict[str, tuple[urls.Page, str]]
) -> FindingView:
    address = finding["address"]
    there = places.get(address)
    href = "" if there is None else urls.link(here, *there)
    evidence = finding["evidence"] if finding["kind"] == "misprint" else ""
    return FindingView(Link(address or "The document", href), said_of(finding), evidence)


def page_files(
    index: PageIndex, editions: Sequence[EditionEntry]
) -> Iterator[tuple[EditionEntry, LintJson, PageFile]]:
    """Yield editions, in order, with their known errors and their page."""
    pages = LintPages(index)
    results = lint_editions(index.base, editions)
    for edition, result in zip(editions, results, strict=True):
        yield edition, result, pages.page_file(result, edition.place)
