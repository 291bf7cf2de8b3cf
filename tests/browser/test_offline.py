"""Tests of offline reading in a real browser, on the site of the sample rulebook."""

from __future__ import annotations

import re
import shutil
from functools import partial
from typing import TYPE_CHECKING, cast

import pytest

from tests.browser.browsing import OpenTab, Tab, served
from tests.support.small_sites import DAYS, build_base, build_site, edition

if TYPE_CHECKING:
    from pathlib import Path

# The contents of the caches: of the rules under "rules", of visited pages under "visited".
_KEPT = """async (root) => {
  const found = {};
  for (const name of await caches.keys()) {
    const keys = await (await caches.open(name)).keys();
    const kind = name.endsWith(" visited") ? "visited" : "rules";
    found[kind] = (found[kind] ?? []).concat(keys.map((one) => one.url.slice(root.length)));
  }
  return found;
}"""
_HAS = """async ([root, kind, count]) => {
  const names = (await caches.keys()).filter((one) =>
    one.startsWith("variorum ") && one.endsWith(" visited") === (kind === "visited"));
  const all = await Promise.all(names.map(async (one) => (await (await caches.open(one)).keys()).length));
  return all.length === 1 && all[0] === count;
}"""

# Whether a page is the last visited one.
_LATEST = """async ([root, page]) => {
  const [name] = (await caches.keys()).filter((one) => one.endsWith(" visited"));
  const keys = name ? await (await caches.open(name)).keys() : [];
  return keys.at(-1)?.url === root + page;
}"""

# The page itself checks an asynchronous condition again and again.
_UNTIL = """async ([argument]) => {{
  const holds = {condition};
  for (let times = 0; times < 600; times += 1) {{
    if (await holds(argument)) return;
    await new Promise((done) => {{ setTimeout(done, 50); }});
  }}
  throw new Error("it never came");
}}"""


def kept(tab: Tab) -> dict[str, list[str]]:
    """Return the addresses of the files that the browser keeps, by cache."""
    answer: dict[str, list[str]] = tab.value(_KEPT, tab.address)
    return answer


def until(tab: Tab, condition: str, argument: object = None) -> None:
    """Wait until an asynchronous function on the page returns true."""
    tab.value(_UNTIL.format(condition=condition), [argument])


def wait_for(tab: Tab, kind: str, count: int) -> None:
    """Wait until a cache has a number of files, and no other version has a cache."""
    until(tab, _HAS, [tab.address, kind, count])


def count_of(folder: Path) -> int:
    """Return how many files of the current rules a site should keep."""
    worker = (folder / "sw.js").read_text("utf-8")
    searches = [re.search(rf'"{name}": ?\[(.*?)\]', worker) for name in ("rules", "shell")]
    return sum(search[1].count('"') // 2 for search in searches if search is not None)


def text_of(tab: Tab) -> str:
    return " ".join(tab.texts("h1"))


@pytest.fixture
def open_tab(open_tab: OpenTab) -> OpenTab:
    """Return a function that opens a tab that keeps pages for offline reading."""
    return partial(open_tab, service_workers="allow")


@pytest.fixture
def visited(open_tab: OpenTab, site_folder: Path) -> Tab:
    """Return a tab that has visited the home page, and whose browser keeps the current rules."""
    tab = open_tab()
    tab.open("index.html")
    wait_for(tab, "rules", count_of(site_folder))
    return tab


@pytest.fixture
def copied(site_folder: Path, tmp_path: Path) -> Path:
    """Return a copy of the site, in a folder two levels below the served one."""
    folder = tmp_path / "served/some/path"
    shutil.copytree(site_folder, folder)
    return folder


def told_otherwise(folder: Path, **build: int) -> None:
    """Give the worker of a site smaller limits."""
    worker = (folder / "sw.js").read_text("utf-8")
    for name, value in build.items():
        worker, count = re.subn(rf'"{name}": ?\d+', f'"{name}": {value}', worker)
        assert count == 1
    (folder / "sw.js").write_text(worker, "utf-8")


def test_current_rules_without_a_network(visited: Tab) -> None:
    """After one visit, home, contents, sections and glossary can be read offline."""
    visited.page.context.set_offline(True)

    for path, title in (
        ("", "Every edition"),
        ("index.html", "Every edition"),
        ("rule/", "rules"),
        ("rule/705/index.html", "705"),
        ("rule/705/", "Flipping a Coin"),
        ("glossary/index.html", "lossary"),
    ):
        visited.open(path)
        assert title in text_of(visited)
        assert visited.path == path
        # The stylesheet is also kept.
        assert visited.value("() => document.styleSheets[0].cssRules.length > 10")


def test_citations_without_a_network(visited: Tab) -> None:
    """The box also reads citations offline."""
    visited.page.context.set_offline(True)
    visited.open("rule/705/index.html")

    visited.ask("CR 511.2 (2008-12-31)")

    assert visited.texts("#_found .hit")[0] == "511.2 in the edition of 20 June 2008"


def test_search_without_a_network(visited: Tab) -> None:
    """The files that search needs are kept with the rules."""
    visited.page.context.set_offline(True)
    visited.open("index.html")

    assert visited.first_hits(["705.2"]) == ["705.2"]


def test_links_without_a_network(visited: Tab) -> None:
    """Links between pages work offline."""
    visited.page.context.set_offline(True)
    visited.open("rule/index.html")

    visited.page.click("main a[href='../rule/705/index.html'], main a[href='705/index.html']")

    visited.page.wait_for_url("**/rule/705/index.html")
    assert "705" in text_of(visited)


def test_visited_pages_are_kept(visited: Tab) -> None:
    """Visited pages can be read offline, by file and by permalink."""
    visited.open("changes/2010-01-22/index.html")
    wait_for(visited, "visited", 1)
    visited.page.context.set_offline(True)

    visited.open("changes/2010-01-22/")

    assert "22 January 2010" in text_of(visited)
    assert kept(visited)["visited"] == ["changes/2010-01-22/"]


def test_other_pages_are_missed_politely(visited: Tab) -> None:
    """A page that is not kept leads to an explanation, and opens once there is a network."""
    visited.page.context.set_offline(True)

    visited.open("changes/2008-06-20/index.html")

    assert visited.path == "offline/index.html#changes/2008-06-20/"
    assert "not stored" in text_of(visited)
    visited.page.context.set_offline(False)
    visited.page.click("#_wanted a")
    visited.page.wait_for_url("**/changes/2008-06-20/")
    assert "20 June 2008" in text_of(visited)


def test_rules_are_found_in_their_sections(visited: Tab) -> None:
    """The permalink of a current rule leads into its section offline; a former rule's does not."""
    visited.page.context.set_offline(True)

    visited.open("rule/705.2/")
    assert visited.path == "rule/705/#705.2"
    visited.open("rule/511.2/index.html")
    assert visited.path == "offline/index.html#rule/511.2/"


def test_nothing_leads_elsewhere(visited: Tab) -> None:
    """The page for missing pages offers only addresses of the site."""
    for hash_ in ("//elsewhere.example/", "https://elsewhere.example/", "javascript:alert(1)", ""):
        visited.open("index.html")
        visited.open(f"offline/index.html#{hash_}")
        assert visited.page.locator("#_wanted").is_hidden()


def test_nobody_else_is_asked(open_tab: OpenTab, address: str, site_folder: Path) -> None:
    """Neither pages nor the worker connect to any other host."""
    tab = open_tab()
    asked: list[str] = []
    tab.page.context.on("request", lambda request: asked.append(request.url))

    tab.open("index.html")
    wait_for(tab, "rules", count_of(site_folder))

    assert asked
    assert [text for text in asked if not text.startswith(address)] == []


def test_below_a_path(open_tab: OpenTab, copied: Path) -> None:
    """Under a subpath, the worker keeps only pages of that path."""
    with served(copied.parents[1]) as address:
        tab = open_tab(f"{address}some/path/")
        tab.open("")
        wait_for(tab, "rules", count_of(copied))
        tab.page.context.set_offline(True)
        tab.open("rule/705/")

        scope = tab.value("async () => (await navigator.serviceWorker.ready).scope")

        assert scope == tab.address
        assert "705" in text_of(tab)


def test_server_is_gone(open_tab: OpenTab, copied: Path) -> None:
    """A server that does not answer counts as no network."""
    with served(copied.parents[1]) as address:
        tab = open_tab(f"{address}some/path/")
        tab.open("")
        wait_for(tab, "rules", count_of(copied))

    tab.open("rule/705/")

    assert "705" in text_of(tab)


def test_visits_are_bounded(open_tab: OpenTab, copied: Path) -> None:
    """Only the latest visited pages are kept; visiting one again makes it the newest."""
    told_otherwise(copied, visited=3)
    pages = [
        f"changes/{label}/" for label in ("2003-02-10", "2006-03-01", "2008-06-20", "2010-01-22")
    ]
    with served(copied.parents[1]) as address:
        tab = open_tab(f"{address}some/path/")
        tab.open("")
        wait_for(tab, "rules", count_of(copied))
        for page in (*pages[:3], pages[0], pages[3]):
            tab.open(page)
            until(tab, _LATEST, [tab.address, page])
        wait_for(tab, "visited", 3)

        assert kept(tab)["visited"] == [pages[2], pages[0], pages[3]]


def test_who_saves_data(open_tab: OpenTab) -> None:
    """If the browser is asked to save data, only visited pages are kept."""
    tab = open_tab()
    tab.page.add_init_script(
        "Object.defineProperty(navigator, 'connection', {value: {saveData: true}})"
    )
    tab.open("index.html")
    tab.value("async () => { await navigator.serviceWorker.ready; }")

    tab.open("rule/705/")
    until(tab, "async (key) => (await caches.match(key)) !== undefined", tab.address + "rule/705/")

    assert "glossary/" not in kept(tab).get("rules", [])


def test_a_new_edition_replaces_the_old(open_tab: OpenTab, tmp_path: Path) -> None:
    """A new build is shown at the next visit; only the caches of the older build are removed."""
    out = tmp_path / "out"
    documents = {f"{day}.txt": edition(day) for day in DAYS[:2]}
    build_site(build_base(tmp_path / "old", documents), out)
    with served(out) as address:
        tab = open_tab(address)
        tab.open("")
        wait_for(tab, "rules", count_of(out))
        tab.value("async () => { await caches.open('somebody else'); }")
        names = tab.value("() => caches.keys()")
        before = [name for name in names if name.startswith("variorum") and "visited" not in name]

        documents |= {f"{day}.txt": edition(day) for day in DAYS[2:]}
        build_site(build_base(tmp_path / "new", documents), out)
        tab.open("editions/index.html")
        # Browsers check for updates by themselves, but only when idle.
        tab.value("async () => { await (await navigator.serviceWorker.ready).update(); }")
        until(tab, "async (old) => !(await caches.keys()).some((one) => old.includes(one))", before)
        wait_for(tab, "rules", count_of(out))
        tab.page.context.set_offline(True)
        tab.open("")

        assert f"{len(DAYS)} editions, " in tab.page.inner_text("main")
        assert "somebody else" in tab.value("() => caches.keys()")


def test_from_the_file_system(open_tab: OpenTab, site_folder: Path) -> None:
    """A page from the file system registers no worker and reports no error."""
    tab = open_tab(f"{site_folder.as_uri()}/")

    tab.open("rule/705/index.html")

    assert "705" in text_of(tab)
    assert tab.page.locator("link[rel=manifest]").count() == 0


def test_without_javascript(open_tab: OpenTab) -> None:
    """Without scripts there is no worker, and everything can be read."""
    tab = open_tab(java_script_enabled=False)

    tab.open("rule/705/")

    assert "705" in text_of(tab)


def test_manifest_is_sound(open_tab: OpenTab) -> None:
    """The browser finds no error in the manifest."""
    tab = open_tab()
    tab.open("index.html")
    tab.page.wait_for_selector("link[rel=manifest]", state="attached")

    session = tab.page.context.new_cdp_session(tab.page)

    answer = session.send("Page.getAppManifest")
    assert cast("dict[str, object]", answer)["errors"] == []
