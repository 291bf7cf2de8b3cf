"""Examples on help pages that any base can answer."""

import shutil
from pathlib import Path

import pytest

from tests.conftest import MakeOnce
from tests.support.help_examples import (
    ROOT,
    commit,
    examples,
    is_about_real_rules,
    name_of,
    needs_shell,
    run_example,
)
from tests.support.sample_cards import write_cards
from tests.support.witness_base import hear
from variorum_kb.documents.archive import Archive

SAMPLE = ROOT / "kb" / "variorum_kb" / "sample"
# An example has an invented hash; here, the hash of the first document replaces it.
PLACEHOLDER = "0a1b2c3d"

EXPECTED = {
    "cr audit src --blame": 1,  # a citation is stale
    "cr audit src --blame --diff": 1,
}
# Examples for zsh and fish are run there by tests/kb/cli/test_completion.py, the demo by test_demo.py;
# a sync asks the web.
ASKED = [
    example
    for example in examples()
    if not is_about_real_rules(example)
    and not {"zsh", "fish", "demo", "sync"} & set(example.replace(")", " ").split())
]
NAMES = sorted({name_of(text) for text in ASKED})


@pytest.fixture(scope="module")
def heard(make_once: MakeOnce) -> Path:
    """Return the folder of a base with other witnesses."""
    return make_once("heard-for-examples", hear)


@pytest.fixture
def folder(tmp_path: Path, heard: Path) -> Path:
    """Return a folder with all files in the examples, and a base of its own."""
    shutil.copytree(heard / "kb", tmp_path / "kb")
    shutil.copytree(
        SAMPLE, tmp_path / "rules", ignore=shutil.ignore_patterns("*.py", "__pycache__")
    )
    shutil.copytree(tmp_path / "rules", tmp_path / "editions")
    shutil.copy(SAMPLE / "2008-06-20.txt", tmp_path / "MagicCompRules.txt")
    shutil.copy(SAMPLE / "2010-01-22.txt", tmp_path / "new.txt")
    shutil.make_archive(str(tmp_path / "rules"), "zip", tmp_path / "rules")
    for name in ("excerpt.txt", "page.html"):
        shutil.copy(heard / "in" / "excerpt.txt", tmp_path / name)
    write_cards(tmp_path)
    sources = '[[source]]\nname = "mine"\nkind = "page"\naddress = "https://example.org/"\n'
    (tmp_path / "my.toml").write_text(sources, encoding="utf-8")
    (tmp_path / "src").mkdir()
    (tmp_path / "src" / "rules.py").write_text("# CR 511.2\n", encoding="utf-8")
    commit(tmp_path / "src", "2008-07-01")
    return tmp_path


@needs_shell
@pytest.mark.slow
@pytest.mark.parametrize("name", NAMES)
def test_examples(folder: Path, name: str) -> None:
    """The examples of a command, run in order, do what its help page says."""
    settings = {"VARIORUM_KB": str(folder / "kb")}
    first = next(iter(Archive(folder / "kb" / "documents")))
    if name == "serve":
        run_example("cr site public", folder, settings)

    for command in (item for item in ASKED if name_of(item) == name):
        asked = command.replace(PLACEHOLDER, first[:12])
        code, printed = run_example(asked, folder, settings)
        assert code == EXPECTED.get(command, 0), f"{asked}\n{printed}"
