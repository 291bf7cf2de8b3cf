"""Comparisons as the page makes them and as the command does, in one form."""

import json
import shutil
from collections.abc import Generator, Mapping, Sequence
from contextlib import contextmanager
from importlib import resources
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from tests.browser.browsing import BROWSERS
from variorum_kb.answers.changes import TYPOGRAPHIC, Change, summary
from variorum_kb.answers.knowledge_base import KnowledgeBase
from variorum_kb.answers.lineage import name_of
from variorum_kb.errors import NoEditionError
from variorum_kb.rows import Row
from variorum_site.data.compare_steps import STEPS

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

# Makes data of texts of JSON, the steps first.
_LOAD = """([steps, ...texts]) => {
  window.compared = new variorum.CompareData(JSON.parse(steps));
  for (const text of texts) window.compared.add(JSON.parse(text));
}"""
_COMPARE = """([a, b]) => {
  const found = variorum.compare(window.compared, a, b);
  const name = (state) => (state === null ? null : window.compared.nameOf(state));
  return JSON.stringify([found.summary, found.all.map((one) => [
    name(one.old), name(one.new), one.others.map(name), one.bits, one.change, one.isPart,
    variorum.changePieces(window.compared, one),
  ])]);
}"""


@contextmanager
def chromium() -> Generator["Browser"]:
    """Open a browser; without one, the test skips and says so."""
    playwright = pytest.importorskip("playwright.sync_api", reason="`make browser` installs it")
    found = next(filter(None, map(shutil.which, BROWSERS)), None)
    with playwright.sync_playwright() as driver:
        if found is None and not Path(driver.chromium.executable_path).exists():
            pytest.skip("there is no browser; `make browser` installs one")
        browser = driver.chromium.launch(executable_path=found)
        yield browser
        browser.close()


def axe() -> str:
    """Return the script that looks for what somebody could not use."""
    package = pytest.importorskip("axe_playwright_python", reason="`make browser` installs it")
    return (resources.files(package) / "axe.min.js").read_text("utf-8")


def script() -> str:
    """Return the script that compares, without the page."""
    return (resources.files("variorum_site") / "assets" / "script" / "40-compare.js").read_text(
        "utf-8"
    )


def load(page: "Page", files: Mapping[str, bytes]) -> None:
    """Load the script and data into a page that need not be ours."""
    page.evaluate(script())
    names = [STEPS, *(name for name in sorted(files) if "/texts/" in name)]
    page.evaluate(_LOAD, [files[name].decode() for name in names if name.endswith(".json")])


def by_the_page(page: "Page", pair: tuple[int, int]) -> str:
    """Return what the script answers: the summary, and each change with its word diff, as JSON."""
    found: str = page.evaluate(_COMPARE, list(pair))
    return found


def by_the_command(base: KnowledgeBase, pair: tuple[int, int]) -> str:
    """Return what `cr diff` answers, in the same form."""
    one, other = (base.editions[place] for place in pair)
    found = base.changes(one, other)
    counts: dict[str, Any] = dict(summary(found))
    del counts["from_edition"], counts["to_edition"]
    told = [counts, [_told(change) for change in found.all]]
    return json.dumps(told, ensure_ascii=False, separators=(",", ":"))


def _told(change: Change) -> list[Any]:
    pieces = change.pieces(exactly=change.change == TYPOGRAPHIC)
    return [
        _name(change.old),
        _name(change.new),
        [_name(other) for other in change.others],
        change.bits,
        change.change,
        change.is_part,
        [list(piece) for piece in pieces],
    ]


def _name(row: Row | None) -> str | None:
    return None if row is None else name_of(row)


def designators(base: KnowledgeBase) -> list[str]:
    """Return words that name editions, and some that name none."""
    words = ["first", "latest", "current", " Latest ", "", "xyz", "1990-01-01", "2999-12-31"]
    words += ["2007-02-30", "2007-2-3", "2007-10-01.7", "2010-06-15", "0000-01-01"]
    for edition in base.editions:
        day = edition.effective.isoformat()
        words += [edition.label, day, f"{day}.{edition.issue}", f"{day}.9"]
        words += [edition.set_code.lower(), edition.set_name]
    return words


def named_by_the_page(page: "Page", words: Sequence[str], today: str) -> list[int]:
    """Return the places of the editions that words name, -1 for none."""
    found: list[int] = page.evaluate(
        "([words, today]) => words.map((word) => window.compared.find(word, today))",
        [list(words), today],
    )
    return found


def named_by_the_command(base: KnowledgeBase, words: Sequence[str]) -> list[int]:
    """Return the same, as the base knows it."""
    return [_place(base, word) for word in words]


def _place(base: KnowledgeBase, word: str) -> int:
    try:
        return base.edition(word).place
    except NoEditionError:
        return -1
