"""The JSON files of the site, in the forms of the command."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from tests.pages.built_site import Site
from tests.support.schemas import assert_fits
from variorum_kb.cli.main import main
from variorum_site import urls
from variorum_site.page_index import PageIndex

# The schema of each kind of file, by its folder.
SCHEMAS = {
    "glossary": "number",
    "rule": "number",
}


@pytest.fixture
def cr(sample_base: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., Any]:
    """Return the command on the sample rulebook; it returns its output."""
    monkeypatch.setenv("VARIORUM_KB", str(sample_base))

    def run(*arguments: str) -> object:
        result = CliRunner().invoke(main, [*arguments, "--json"])
        assert result.exit_code == 0, result.output
        return json.loads(result.stdout)

    return run


@pytest.fixture
def load(sample_site: Site) -> Callable[..., Any]:
    """Return a function that reads a file of the site."""

    def read(file: str) -> object:
        return json.loads((sample_site.folder / file).read_text("utf-8"))

    return read


def test_every_page_has_its_file(sample_site: Site, index: PageIndex) -> None:
    """Each number and headword has a file; besides, there are only three lists."""
    expected = {
        urls.CURRENT_JSON,
        urls.EDITIONS_JSON,
        urls.WITNESSES_JSON,
        *(urls.json_of(page) for page in index.pages),
    }

    assert {file for file in sample_site.files if file.startswith("data/")} == expected


@pytest.mark.parametrize(("folder", "schema"), SCHEMAS.items())
def test_schemas(sample_site: Site, load: Callable[..., Any], folder: str, schema: str) -> None:
    """Every file fits its schema."""
    files = [file for file in sample_site.files if file.startswith(f"data/{folder}/")]

    assert files
    for file in files:
        assert_fits(load(file), schema)


def test_editions(cr: Callable[..., Any], load: Callable[..., Any]) -> None:
    """The list is that of the command, without file names, which a site does not publish."""
    result = load(urls.EDITIONS_JSON)

    assert_fits(result, "editions")
    assert result == [{**item, "file": ""} for item in cr("editions")]


def test_current_as_the_command(cr: Callable[..., Any], load: Callable[..., Any]) -> None:
    """The edition in force is the command's export."""
    result = load(urls.CURRENT_JSON)

    assert_fits(result, "edition")
    assert result == cr("export")


def test_histories_as_the_command(load: Callable[..., Any], index: PageIndex) -> None:
    """The history of each bearer is that of the command, on the last day with the number."""
    count = 0
    for page in index.pages:
        for bearer in load(urls.json_of(page))["bearers"]:
            if bearer["history"] is not None:
                last = bearer["runs"][-1]["to"] or index.current.label
                wanted = index.base.subject(bearer["address"], last).history(is_alone=True)
                names = ("number", "term", "from", "to", "heading", "text", "class")
                readings: list[dict[str, Any]] = _plain(wanted["readings"])
                assert [[each[name] for name in names] for each in bearer["history"]] == [
                    [each[name] for name in names] for each in readings
                ]
                now = wanted["now"] and {key: wanted["now"][key] for key in ("number", "term")}
                assert bearer["now"] == now
                count += 1
    assert count > len(index.pages) / 2


def test_every_life_is_told(sample_site: Site, load: Callable[..., Any]) -> None:
    """Each history is in some file; a page without one links to the page that has it."""
    histories: set[tuple[object, object]] = set()
    lead: set[tuple[object, object]] = set()
    for file in sample_site.files:
        if file.startswith(("data/rule/", "data/glossary/")):
            for bearer in load(file)["bearers"]:
                place = bearer["now"] or bearer["last"]
                (lead if bearer["history"] is None else histories).add(
                    (place["number"], place["term"])
                )

    assert lead <= histories


def test_bearers(load: Callable[..., Any]) -> None:
    """The file of a number lists its bearers, the latest first, with their dates."""
    (today,) = load("data/rule/705.json")["bearers"]
    (former,) = load("data/rule/511.json")["bearers"]

    assert today["runs"] == [{"from": "2010-01-22", "to": None}]
    assert today["now"] == {"number": "705", "term": None}
    assert former["runs"] == [{"from": "2006-03-01", "to": "2008-06-20"}]
    assert former["now"] == today["now"]
    assert former["history"] == today["history"]


def test_a_number_printed_twice(load: Callable[..., Any]) -> None:
    """Both bearers of a number that is printed twice are in its file."""
    bearers = load("data/rule/702.11.json")["bearers"]

    assert {"702.11#1", "702.11#2"} <= {bearer["address"] for bearer in bearers}


def test_pages_name_their_files(sample_site: Site, index: PageIndex) -> None:
    """A page links to the file with its content."""
    for page in index.pages:
        links = sample_site.pages[urls.file_of(page)].links
        assert ("link", urls.asset(page, urls.json_of(page))) in links


def _plain(value: object) -> Any:
    return json.loads(json.dumps(value))
