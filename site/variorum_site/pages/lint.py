"""What is wrong in an edition by its own measure, as `cr lint` says it."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby

from variorum_kb.answers.editions import EditionEntry
from variorum_kb.answers.lint_forms import FindingJson, LintJson
from variorum_site import urls
from variorum_site.atlas import GLOSSARY, Atlas
from variorum_site.pages.names import Name
from variorum_site.render import Sheet, render

TITLES = {
    "dangling": "Citations that lead nowhere",
    "title": "Titles that are not those of what is cited",
    "stale": "Citations that did not follow what they cited",
    "gap": "Numbers left out",
    "double": "Numbers printed twice",
    "misprint": "Misprints",
}
_SURE = 0.99
_RANGE = 2


@dataclass(frozen=True, slots=True)
class FindingView:
    """Something wrong: where, and what."""

    where: Name
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

    def __init__(self, atlas: Atlas) -> None:
        self._atlas = atlas

    def sheet(self, found: LintJson, place: int) -> Sheet:
        """Return the page of an edition.

        Args:
            found: What is wrong in it.
            place: Its place.
        """
        editions = self._atlas.editions
        here = urls.lint(editions[place].label)
        places = self._places(place)
        kinds = [
            (TITLES[kind], tuple([_view(here, one, places) for one in findings]))
            for kind, findings in groupby(found["findings"], key=lambda one: one["kind"])
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
        for state in self._atlas.whole.held(edition):
            row = self._atlas.states[state]
            address = row[3] if row[0] == GLOSSARY else row[2]
            there = self._atlas.dated(state, edition)
            found.setdefault(address, there)
            if row[0] != GLOSSARY:
                found.setdefault(row[1], there)
        return found


def _view(
    here: urls.Page, one: FindingJson, places: dict[str, tuple[urls.Page, str]]
) -> FindingView:
    address = one["address"]
    there = places.get(address)
    href = "" if there is None else urls.link(here, *there)
    evidence = one["evidence"] if one["kind"] == "misprint" else ""
    return FindingView(Name(address or "The document", href), _said(one), evidence)


def _said(one: FindingJson) -> str:
    """Say what is wrong, in a line."""
    match one["kind"]:
        case "dangling":
            return _dangling(one)
        case "stale":
            return f"{_cites(one)}; {_fate(one)}"
        case "title":
            return f"{_cites(one)}; {_title(one)}"
        case "gap":
            return f"{one['evidence']}; {_numbers(one['missing'])} left out"
        case "double":
            means = f"; one means {one['means']}" if one["means"] else ""
            return f"printed twice{means}"
        case _:
            means = f", for “{one['means']}”" if one["means"] else ""
            printed = f": “{one['printed']}”" if one["printed"] else ""
            return f"{one['misprint']}{printed}{means}"


def _numbers(missing: Sequence[str]) -> str:
    if len(missing) > _RANGE:
        return f"{missing[0]}–{missing[-1]} are"
    return " and ".join(missing) + (" is" if len(missing) == 1 else " are")


def _cites(one: FindingJson) -> str:
    title = f" “{one['title']}”" if one["title"] else ""
    return f"cites {one['printed']}{title}"


def _dangling(one: FindingJson) -> str:
    words = f"{_cites(one)}, which is nobody’s number"
    if one["targets"]:
        words += f", but for {', '.join(one['targets'])}"
    return f"{words}; {_fate(one)}" if one["since"] else words


def _fate(one: FindingJson) -> str:
    """Say what became of what a citation led to."""
    if one["means"] is None:
        return f"what bore it before {one['since']} has no number of its own now"
    is_sure = one["confidence"] is not None and one["confidence"] >= _SURE
    return f"{'means' if is_sure else 'probably means'} {one['means']}, wrong since {one['since']}"


def _title(one: FindingJson) -> str:
    there = f"the title there is “{one['heading']}”" if one["heading"] else "there is no title"
    return f"{there}; “{one['title']}” is {one['titled']}" if one["titled"] else there


def sheets(atlas: Atlas) -> Iterator[tuple[EditionEntry, LintJson, Sheet]]:
    """Yield each edition with what is wrong in it, and its page."""
    pages = LintPages(atlas)
    found = atlas.base.lint(*atlas.editions)
    for edition, one in zip(atlas.editions, found, strict=True):
        yield edition, one, pages.sheet(one, edition.place)
