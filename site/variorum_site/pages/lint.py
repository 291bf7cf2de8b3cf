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


def page_files(
    index: PageIndex, editions: Sequence[EditionEntry]
) -> Iterator[tuple[EditionEntry, LintJson, PageFile]]:
    """Yield editions, in order, with their known errors and their page."""
    results = lint_editions(index.base, editions)
    for edition, result in zip(editions, results, strict=True):
        yield edition, result, _page_file(index, edition, result["findings"])


def _page_file(
    index: PageIndex, edition: EditionEntry, findings: Sequence[LintFindingJson]
) -> PageFile:
    here = urls.lint(edition.label)
    places = _places(index, edition.place, {finding["address"] for finding in findings})
    kinds = [
        (KINDS[kind].heading, tuple([_view(here, finding, places) for finding in some]))
        for kind, some in groupby(findings, key=kind_of)
    ]
    view = LintView(
        edition=edition,
        before=index.base.before(edition),
        after=next(iter(index.editions[edition.place + 1 :]), None),
        kinds=tuple(kinds),
        total=len(findings),
    )
    return render("lint", here, page=view)


def _places(
    index: PageIndex, edition: int, wanted: AbstractSet[str]
) -> dict[str, tuple[urls.Page, str]]:
    """Return where an edition prints some numbers, addresses and headwords."""
    places: dict[str, tuple[urls.Page, str]] = {}
    for state in index.whole.held(edition):
        row = index.states[state]
        names = {row.heading} if row.kind == GLOSSARY else {row.address, row.number}
        for name in names & wanted:
            places.setdefault(name, index.dated(state, edition))
    return places


def _view(
    here: urls.Page, finding: LintFindingJson, places: dict[str, tuple[urls.Page, str]]
) -> FindingView:
    address = finding["address"]
    there = places.get(address)
    href = "" if there is None else urls.link(here, *there)
    evidence = finding["evidence"] if finding["kind"] == "misprint" else ""
    return FindingView(Link(address or "The document", href), said_of(finding), evidence)
