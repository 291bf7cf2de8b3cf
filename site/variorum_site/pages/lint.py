"""The page of the current edition's known errors, as `cr lint` finds them."""

from collections.abc import Iterator
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from itertools import groupby
from operator import attrgetter

from variorum.answers.lint import KINDS, lint_editions, said_of
from variorum.records.lint import LintFinding
from variorum_site import urls
from variorum_site.page_index import GLOSSARY, PageIndex
from variorum_site.pages.markup import Link
from variorum_site.render import PageFile, render


@dataclass(frozen=True, slots=True)
class FindingView:
    """A known error: its place, the problem, and the evidence."""

    where: Link
    words: str
    evidence: str


def page_files(index: PageIndex) -> Iterator[PageFile]:
    """Yield the page, at its own address and at that of the edition."""
    edition = index.current
    (result,) = lint_editions(index.base, [edition])
    findings = result.findings
    places = _places(index, edition.place, {finding.address for finding in findings})
    for here in (urls.LINT, urls.lint(edition.label)):
        kinds = [
            (KINDS[kind].heading, [_view(here, finding, places) for finding in some])
            for kind, some in groupby(findings, key=attrgetter("kind"))
        ]
        yield render("lint", here, edition=edition, kinds=kinds, total=len(findings))


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
    here: urls.Page, finding: LintFinding, places: dict[str, tuple[urls.Page, str]]
) -> FindingView:
    address = finding.address
    there = places.get(address)
    href = "" if there is None else urls.link(here, *there)
    evidence = finding.evidence if finding.kind == "misprint" else ""
    return FindingView(Link(address or "The document", href), said_of(finding), evidence)
