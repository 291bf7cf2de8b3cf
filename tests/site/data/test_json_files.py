"""Tests of the JSON on the site: the forms of the command, and nothing else."""

import json
from collections.abc import Callable
from importlib.resources import files
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from click.testing import CliRunner

from tests.site.building import site_of
from tests.site.reading import Site
from tests.support.small_bases import accept, edition
from variorum_kb.cli.main import main
from variorum_site import urls
from variorum_site.data.json_files import NumberFiles, editions_file, encoded
from variorum_site.page_index import PageIndex

# The schema of each kind of file, by its folder.
SCHEMAS = {
    "edition": "edition",
    "changes": "diff",
    "crosswalk": "crosswalk",
    "lint": "lint",
    "glossary": "glossary",
    "rule": "number",
}


def check(values: list[Any], schema: str) -> None:
    """Hold values to one of the command's schemas."""
    text = (files("variorum_kb") / f"schemas/{schema}.schema.json").read_text("utf-8")
    # Under a name of its own, what it says of its own parts still holds.
    items = {"$id": f"urn:variorum:{schema}", **json.loads(text)}
    jsonschema.validate(values, {"type": "array", "items": items})


@pytest.fixture
def cr(sample_base: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., Any]:
    """Return the command, on the sample rulebook; it gives what it prints."""
    monkeypatch.setenv("VARIORUM_KB", str(sample_base))

    def run(*arguments: str) -> object:
        found = CliRunner().invoke(main, [*arguments, "--json"])
        assert found.exit_code == 0, found.output
        return json.loads(found.stdout)

    return run


@pytest.fixture
def load(sample_site: Site) -> Callable[..., Any]:
    """Return what reads a file of the site."""

    def read(file: str) -> object:
        return json.loads((sample_site.folder / file).read_text("utf-8"))

    return read


def test_every_page_has_its_file(sample_site: Site, index: PageIndex) -> None:
    """There is a file for each edition, number and headword, and no other."""
    expected = {
        urls.EDITIONS_JSON,
        urls.WITNESSES_JSON,
        *(urls.json_of(page) for page in index.pages),
    }
    for place, label in enumerate(index.labels):
        pages = [urls.edition(label), urls.lint(label)]
        pages += [urls.changes(label)] if place else []
        expected |= {urls.crosswalk_json(label), *(urls.json_of(page) for page in pages)}

    assert {file for file in sample_site.files if file.startswith("data/")} == expected


@pytest.mark.parametrize(("folder", "schema"), SCHEMAS.items())
def test_schemas(sample_site: Site, load: Callable[..., Any], folder: str, schema: str) -> None:
    """Every file has the form that its schema promises."""
    found = [file for file in sample_site.files if file.startswith(f"data/{folder}/")]

    assert found
    check([load(file) for file in found], schema)


def test_editions(cr: Callable[..., Any], load: Callable[..., Any]) -> None:
    """The list is that of the command, but for the names of files, which a site does not tell."""
    found = load(urls.EDITIONS_JSON)

    check([found], "editions")
    assert found == [{**one, "file": ""} for one in cr("editions")]


def test_as_the_command(cr: Callable[..., Any], load: Callable[..., Any], index: PageIndex) -> None:
    """Editions, changes, crosswalks and lint are what the command prints."""
    latest = index.latest.label
    for place, label in enumerate(index.labels):
        assert load(f"data/edition/{label}.json") == cr("export", label)
        assert load(f"data/crosswalk/{label}.json") == cr("crosswalk", label, latest)
        assert load(f"data/lint/{label}.json") == cr("lint", label)
        if place:
            assert load(f"data/changes/{label}.json") == cr("changes", label)


def test_histories_as_the_command(load: Callable[..., Any], index: PageIndex) -> None:
    """The history of each bearer is what the command prints of it, on the last day it bore it."""
    told = 0
    for page in index.pages:
        if page.startswith("rule/"):
            for one in load(urls.json_of(page))["bearers"]:
                if one["history"] is not None:
                    last = one["runs"][-1]["to"] or index.latest.label
                    assert one["history"] == _plain(
                        index.base.subject(one["address"], last).history(is_alone=True)
                    )
                    assert one["now"] == one["history"]["now"]
                    told += 1
    assert told > len(index.pages) / 2


def test_entries_as_the_command(cr: Callable[..., Any], load: Callable[..., Any]) -> None:
    """The entries of a headword are what the command prints, today's and former ones."""
    assert load("data/glossary/ability.json") == cr("glossary", "ability")
    assert load("data/glossary/flip-a-coin.json") == cr("glossary", "flip a coin")


def test_every_life_is_told(sample_site: Site, load: Callable[..., Any], index: PageIndex) -> None:
    """Each life stands in some file, and everybody who has none in a file has one elsewhere."""
    told: set[tuple[str, str]] = set()
    lead: set[tuple[str, str]] = set()
    for file in sample_site.files:
        if file.startswith("data/rule/"):
            for one in load(file)["bearers"]:
                last = one["last"]["edition"], one["last"]["number"] or one["last"]["term"]
                (told if one["history"] else lead).add(last)
        elif file.startswith("data/glossary/"):
            for one in load(file):
                told.add(_end(one["history"], index.latest.label))

    assert lead <= told


def _end(history: dict[str, Any], latest: str) -> tuple[str, str]:
    reading = history["readings"][-1]
    return reading["to"] or latest, reading["number"] or reading["term"]


def test_bearers(load: Callable[..., Any]) -> None:
    """A number says who bore it, the latest first, and when."""
    (today,) = load("data/rule/705.json")["bearers"]
    (former,) = load("data/rule/511.json")["bearers"]

    assert today["runs"] == [{"from": "2010-01-22", "to": None}]
    assert today["now"] == {"edition": "2025-05-30", "number": "705", "term": None}
    assert former["runs"] == [{"from": "2006-03-01", "to": "2008-06-20"}]
    assert former["now"] == today["now"]
    assert former["history"] == today["history"]


def test_a_number_printed_twice(load: Callable[..., Any]) -> None:
    """Both bearers of a number that is printed twice stand in its file."""
    found = load("data/rule/702.11.json")["bearers"]

    assert {"702.11#1", "702.11#2"} <= {one["address"] for one in found}


def test_same_bytes(index: PageIndex) -> None:
    """Equal answers give equal bytes, without blanks between them, letters as they are."""
    pages = index.pages[:20]

    assert dict(NumberFiles(index).files(pages)) == dict(NumberFiles(index).files(pages))
    assert encoded({"a": [1, "“é”"]}) == '{"a":[1,"“é”"]}'.encode()
    assert dict(editions_file(index)) == dict(editions_file(index))


def test_pages_name_their_files(sample_site: Site, index: PageIndex) -> None:
    """A page that says what a file says leads to it."""
    label = index.latest.label
    for page in (*index.pages, urls.edition(label), urls.changes(label), urls.lint(label)):
        found = sample_site.pages[urls.file_of(page)].links
        assert ("link", urls.asset(page, urls.json_of(page))) in found


def _plain(value: object) -> object:
    return json.loads(json.dumps(value))


def test_issues_of_a_date(tmp_path: Path) -> None:
    """Of a date with two issues each has its files, and the date those of the last."""
    documents = {f"{name}.txt": edition(designer=name) for name in ("Somebody", "Nobody")}
    accept(tmp_path / "kb", *documents.values())
    site = site_of(
        tmp_path, {**documents, "older.txt": edition("May 1, 2019", rule="A boat sinks.")}
    )

    label = "2020-06-05"
    for folder in ("edition", "changes", "crosswalk", "lint"):
        _, last, bare = (
            (site.folder / f"data/{folder}/{name}.json").read_bytes()
            for name in (f"{label}.1", f"{label}.2", label)
        )
        assert bare == last
