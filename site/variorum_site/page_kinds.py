"""The kinds of pages: for each, its groups, their inputs and the function that makes them.

A new kind of page is a module in `pages/` and a row here.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from importlib import resources
from pathlib import Path

from variorum.answers.diff import find_changes
from variorum.answers.editions import EditionEntry
from variorum_site import urls
from variorum_site.assets.site_script import site_script
from variorum_site.data import compare_steps, json_files
from variorum_site.data.feeds import REPORTED, feed_files
from variorum_site.data.json_files import NumberFiles
from variorum_site.data.offline import offline_files
from variorum_site.data.reported_changes import reported_of
from variorum_site.data.search_index import OPENSEARCH, index_files, opensearch
from variorum_site.data.sitemap import sitemap_files
from variorum_site.group_inputs import Group, Inputs
from variorum_site.group_results import GroupResults
from variorum_site.output_folder import GroupJson, digest_of
from variorum_site.page_index import PageIndex
from variorum_site.pages import compare, lint, missing, search
from variorum_site.pages.changes import ChangesPage
from variorum_site.pages.dated_editions import Dated
from variorum_site.pages.front import Front
from variorum_site.pages.numbers import Numbers
from variorum_site.pages.provision_markup import ProvisionMarkup
from variorum_site.pages.witnesses import WitnessPages
from variorum_site.render import PageFile
from variorum_site.settings import SiteSettings


class Work:
    """The state that a process keeps between groups."""

    def __init__(
        self,
        index: PageIndex,
        results: dict[str, GroupResults],
        settings: SiteSettings,
        made: Mapping[str, GroupJson] | None = None,
    ) -> None:
        """Set the shared state.

        Args:
            index: The base's page index.
            results: The results of groups that are already made, by name.
            settings: The settings of the build.
            made: All groups made so far, for the groups that are made last.
        """
        self.index = index
        self.results = results
        self.made = made or {}
        self.settings = settings
        self.markup = ProvisionMarkup(index)

    @cached_property
    def numbers(self) -> Numbers:
        """Return the maker of number and headword pages."""
        return Numbers(self.index)

    @cached_property
    def number_files(self) -> NumberFiles:
        """Return the maker of the JSON files of these pages."""
        return NumberFiles(self.index)

    def files(self) -> list[str]:
        """Return all files made so far."""
        return [file for group in self.made.values() for file in group["files"]]


Files = Iterable[tuple[str, bytes]]


@dataclass(frozen=True, slots=True)
class PageKind:
    """A kind of pages.

    Attributes:
        groups: Yields the groups of the kind.
        make: Makes the pages of a group: yields files, and adds to the results.
    """

    name: str
    groups: Callable[[Inputs], Iterator[Group]]
    make: Callable[[Work, Group, GroupResults], Files]


def _bytes(page_files: Iterable[PageFile]) -> Iterator[tuple[str, bytes]]:
    return ((page_file.file, page_file.text.encode()) for page_file in page_files)


# Editions ------------------------------------------------------------------------------------------


def _edition_groups(inputs: Inputs) -> Iterator[Group]:
    for place, edition in enumerate(inputs.editions):
        yield Group("edition", f"edition/{edition.label}", inputs.around(place), place)


def _make_edition(work: Work, group: Group, results: GroupResults) -> Files:
    index, edition = work.index, work.index.editions[group.first]
    changes = None
    if group.first:
        comparison = find_changes(index.base, index.editions[group.first - 1], edition)
        changes = ChangesPage(index, edition, comparison)
        results["summary"] = changes.summary.as_json()
        yield from _with_day(edition, changes.page_file())
    results["words"] = index.words(group.first)
    for page_file in Dated(index, work.markup, edition, changes).page_files():
        yield from _with_day(edition, page_file)


def _reported_groups(inputs: Inputs) -> Iterator[Group]:
    count = len(inputs.editions)
    for place in range(max(1, count - REPORTED), count):
        name = f"reported/{inputs.editions[place].label}"
        yield Group("reported", name, inputs.around(place), place)


def _make_reported(work: Work, group: Group, results: GroupResults) -> Files:
    editions = work.index.editions
    changes = find_changes(work.index.base, editions[group.first - 1], editions[group.first])
    results["reported"] = reported_of(changes)
    return ()


def _with_day(edition: EditionEntry, page_file: PageFile) -> Files:
    """Yield a page of an edition, also under its bare date if that means this issue."""
    data, day = page_file.text.encode(), edition.effective.isoformat()
    yield page_file.file, data
    if edition.is_chosen and edition.label != day:
        yield page_file.file.replace(f"{edition.label}/", f"{day}/"), data


# Numbers and headwords -----------------------------------------------------------------------------


def _number_groups(inputs: Inputs) -> Iterator[Group]:
    for place, page in enumerate(inputs.index.pages):
        yield Group("numbers", page, inputs.numbers.of_page(page), place)


def _make_numbers(work: Work, group: Group, results: GroupResults) -> Files:
    del results
    page = work.index.pages[group.first]
    yield from _bytes([work.numbers.page_file(page)])
    yield from work.number_files.file(page)


# Lint and what leads to all others -----------------------------------------------------------------


def _lint_groups(inputs: Inputs) -> Iterator[Group]:
    yield Group("lint", "lint", inputs.everything)


def _make_lint(work: Work, group: Group, results: GroupResults) -> Files:
    del group, results
    return _bytes(lint.page_files(work.index))


def _witness_groups(inputs: Inputs) -> Iterator[Group]:
    yield Group("witnesses", "witnesses", inputs.everything)


def _make_witnesses(work: Work, group: Group, results: GroupResults) -> Files:
    del group, results
    yield from _bytes(WitnessPages(work.index).page_files())
    yield from json_files.witness_files(work.index)


def _front_groups(inputs: Inputs) -> Iterator[Group]:
    yield Group("front", "front", inputs.everything, is_last=True)


def _make_front(work: Work, group: Group, results: GroupResults) -> Files:
    del group, results
    return _bytes(Front(work.index, work.results).page_files())


# JSON for programs
# -----------------------------------------------------------------------------------


def _catalogue_groups(inputs: Inputs) -> Iterator[Group]:
    yield Group("catalogue", "catalogue", inputs.everything)


def _make_catalogue(work: Work, group: Group, results: GroupResults) -> Files:
    del group, results
    yield from json_files.editions_file(work.index)
    yield from json_files.current_file(work.index)


def _feed_groups(inputs: Inputs) -> Iterator[Group]:
    yield Group("feeds", "feeds", inputs.everything, is_last=True)


def _make_feeds(work: Work, group: Group, results: GroupResults) -> Files:
    del group, results
    return feed_files(work.index, work.results, work.settings.base_url)


def _offline_groups(inputs: Inputs) -> Iterator[Group]:
    yield Group("offline", "offline", inputs.everything, is_last=True)


def _make_offline(work: Work, group: Group, results: GroupResults) -> Files:
    del results
    return offline_files(work.index, work.files(), group.inputs)


def _sitemap_groups(inputs: Inputs) -> Iterator[Group]:
    if inputs.settings.base_url:
        yield Group("sitemap", "sitemap", inputs.everything, is_last=True)


def _make_sitemap(work: Work, group: Group, results: GroupResults) -> Files:
    del group, results
    return sitemap_files(work.settings.base_url, work.files())


# What stands beside the pages ----------------------------------------------------------------------


def _asset_groups(inputs: Inputs) -> Iterator[Group]:
    editions = compare_steps.edition_rows(inputs.editions)
    rests_on = inputs.made_by, editions, inputs.current.label
    yield Group("assets", "assets", digest_of(repr(rests_on).encode()))


def _make_assets(work: Work, group: Group, results: GroupResults) -> Files:
    del group, results
    package = resources.files("variorum_site")
    for file in (urls.STYLE, urls.ICON, urls.PHONE_ICON, urls.LARGE_ICON):
        yield file, (package / "assets" / Path(file).name).read_bytes()
    editions = compare_steps.edition_rows(work.index.editions)
    yield (
        urls.SCRIPT,
        site_script(
            {"current": work.index.current.place, "editions": editions, "former": urls.FORMER}
        ),
    )
    yield urls.MISSING, missing.page_file(work.settings.base_url).text.encode()


# Search --------------------------------------------------------------------------------------------


def _search_groups(inputs: Inputs) -> Iterator[Group]:
    yield Group("search", "search", inputs.everything)


def _make_search(work: Work, group: Group, results: GroupResults) -> Files:
    del group, results
    yield from _bytes(search.page_files(work.index))
    yield from index_files(work.index)
    if work.settings.base_url:
        yield OPENSEARCH, opensearch(work.settings.base_url).encode()


# Any two editions -----------------------------------------------------------------------------------


def _compare_groups(inputs: Inputs) -> Iterator[Group]:
    program = digest_of(inputs.made_by.encode())
    yield Group("compare", "compare", f"{program} {inputs.everything}")


def _make_compare(work: Work, group: Group, results: GroupResults) -> Files:
    yield from _bytes([compare.page_file(work.index)])
    earlier, program = group.earlier, group.inputs.partition(" ")[0]
    written = None
    if earlier is not None and earlier.group["inputs"].partition(" ")[0] == program:
        written = compare_steps.read_written(earlier)
    compare_files = compare_steps.CompareFiles(work.index.base, written)
    results["compared"] = compare_files.digest
    yield from compare_files.files()


KINDS: tuple[PageKind, ...] = (
    # Slow groups are first, so that no process is still busy with one at the end.
    PageKind("compare", _compare_groups, _make_compare),
    PageKind("search", _search_groups, _make_search),
    PageKind("lint", _lint_groups, _make_lint),
    PageKind("assets", _asset_groups, _make_assets),
    PageKind("witnesses", _witness_groups, _make_witnesses),
    PageKind("catalogue", _catalogue_groups, _make_catalogue),
    PageKind("edition", _edition_groups, _make_edition),
    PageKind("reported", _reported_groups, _make_reported),
    PageKind("numbers", _number_groups, _make_numbers),
    PageKind("front", _front_groups, _make_front),
    PageKind("feeds", _feed_groups, _make_feeds),
    PageKind("offline", _offline_groups, _make_offline),
    # This kind names all pages made before it.
    PageKind("sitemap", _sitemap_groups, _make_sitemap),
)
