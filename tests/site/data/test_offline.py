"""The files that a site gives a browser for offline reading."""

import json
import re
from collections.abc import Callable
from typing import Any

from tests.pages.built_site import Site
from variorum_site import urls
from variorum_site.data.offline import current_pages, offline_files
from variorum_site.page_index import PageIndex


def told(worker: str) -> dict[str, Any]:
    """Return the data about the build in a worker."""
    search = re.search(r"^const BUILD = (\{.*\});$", worker, re.MULTILINE)
    assert search is not None
    told_: dict[str, Any] = json.loads(search[1])
    return told_


def worker_of(index: PageIndex, inputs: str) -> str:
    return dict(offline_files(index, ["static/style.css"], inputs))[urls.WORKER].decode()


def test_facts(sample_site: Site, golden: Callable[[str, object], None]) -> None:
    """The worker has the same lists and limits, and a version for each build."""
    facts = told((sample_site.folder / urls.WORKER).read_text("utf-8"))

    assert facts.pop("version")
    golden("site/worker", facts)


def test_what_is_kept_is_there(sample_site: Site) -> None:
    """The worker keeps existing files of the site, among them all static files."""
    build = told((sample_site.folder / urls.WORKER).read_text("utf-8"))

    kept = {
        f"{item}index.html" if item.endswith("/") or not item else item
        for name in ("shell", "rules", "search")
        for item in build[name]
    }
    assert kept <= sample_site.files
    assert {file for file in sample_site.files if file.startswith("static/")} <= kept
    assert urls.file_of(urls.OFFLINE) in kept


def test_current_rules(index: PageIndex) -> None:
    """Home, contents, all current sections in printed order, and the glossary are kept."""
    pages = current_pages(index)

    sections = list(index.outline(index.current.place).sections)
    assert pages == [urls.HOME, urls.RULES, *map(urls.rule, sections), urls.GLOSSARY]


def test_versions(index: PageIndex) -> None:
    """A worker's version depends only on the inputs of its build."""
    assert worker_of(index, "a") == worker_of(index, "a")
    assert told(worker_of(index, "a"))["version"] != told(worker_of(index, "b"))["version"]


def test_manifest(sample_site: Site) -> None:
    """The manifest names existing icons, and an address under any path."""
    manifest = json.loads((sample_site.folder / urls.MANIFEST).read_text("utf-8"))

    assert manifest["start_url"] == manifest["scope"] == "./"
    assert {icon["src"] for icon in manifest["icons"]} <= sample_site.files


def test_nobody_else_is_asked(sample_site: Site) -> None:
    """Neither the worker nor the script that registers it names another host."""
    for name in (urls.SCRIPT, urls.WORKER):
        text = (sample_site.folder / name).read_text("utf-8")
        assert not re.search(r"https?://|import\(|importScripts", text)
