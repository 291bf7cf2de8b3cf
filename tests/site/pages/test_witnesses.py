"""Witnesses on the pages of the site."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.conftest import MakeOnce
from tests.pages.built_site import Site
from tests.site.building import build_site, contents, heard_site
from tests.support.schemas import assert_fits
from tests.support.small_bases import NOW
from variorum_kb.answers.knowledge_base import KnowledgeBase
from variorum_kb.build.build import Builder
from variorum_site import urls


@pytest.fixture(scope="module")
def heard(make_once: MakeOnce) -> Path:
    """Return the folder of a base with witnesses, with its site in "out"; tests must not change it."""
    return heard_site(make_once)


@pytest.fixture(scope="module")
def site(heard: Path) -> Site:
    """Return the site."""
    return Site(heard / "out")


def page(heard: Path, file: str) -> str:
    """Return a page's markup."""
    return (heard / "out" / file).read_text("utf-8")


def page_of(heard: Path, layout: str) -> str:
    """Return the page of the first witness of a kind."""
    with KnowledgeBase.open(heard / "kb") as base:
        sha256 = next(
            witness["sha256"] for witness in base.witnesses.all() if witness["layout"] == layout
        )
    return page(heard, f"{urls.witness(sha256)}index.html")


@pytest.mark.parametrize(
    "file", ["rule/705.1", "changes/2017-11-10", "witness"], ids=["number", "changes", "list"]
)
def test_whole_pages(heard: Path, golden: Callable[[str, object], None], file: str) -> None:
    """Pages with other documents are unchanged."""
    golden(f"site/heard-{file.replace('/', '-')}.html", page(heard, f"{file}/index.html"))


@pytest.mark.parametrize("layout", ["bulletin", "article", "excerpt"])
def test_whole_pages_of_witnesses(
    heard: Path, golden: Callable[[str, object], None], layout: str
) -> None:
    """The page of a document that is no edition is unchanged."""
    golden(f"site/heard-{layout}.html", page_of(heard, layout))


def test_nothing_unescaped(heard: Path) -> None:
    """No markup of a document reaches a page."""
    for path in (heard / "out").rglob("*.html"):
        assert "alert(" not in path.read_text("utf-8").replace("&lt;script&gt;alert(", "")


def test_json(heard: Path) -> None:
    """The statements of a witness are also there as JSON, in the command's forms."""
    everyone = json.loads(page(heard, urls.WITNESSES_JSON))
    assert_fits(everyone, "witnesses")
    with KnowledgeBase.open(heard / "kb") as base:
        assert everyone == json.loads(json.dumps(base.witnesses.all()))
        for item in everyone:
            passages = json.loads(page(heard, urls.witness_json(item["sha256"])))
            assert_fits(passages, "witnesses")
            assert passages == json.loads(json.dumps(base.witnesses.passages_of(item["sha256"])))


def test_links_lead_somewhere(site: Site) -> None:
    """Every link between pages leads to an existing page and anchor."""
    assert list(site.broken()) == []


def test_a_witness_comes(heard: Path, tmp_path: Path) -> None:
    """A site built again after adding a witness equals one built at once."""
    builder = Builder(tmp_path / "kb", NOW, 1)
    list(builder.build_sample())
    build_site(tmp_path / "kb", tmp_path / "out")
    list(builder.build([heard / "in"]))

    build_site(tmp_path / "kb", tmp_path / "out")

    ours, theirs = contents(tmp_path / "out"), contents(heard / "out")
    assert ours.keys() == theirs.keys()
    assert [file for file in ours if ours[file] != theirs[file]] == []
