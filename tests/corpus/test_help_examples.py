"""The examples of help pages and of the README find answers on the real editions."""

import re
import shlex
import shutil
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.conftest import ROOT
from tests.support.command import environment, run
from tests.test_help import commands, page

pytestmark = [pytest.mark.corpus, pytest.mark.slow]

# These ask the web, serve or build, or need cards and other files; most are in transcripts.
LEFT_OUT = re.compile(
    r"cr ((sync|build|cards?|kb|doctor|site|mcp|completion|demo)\b|audit --format)|eval"
)
# All other examples find an answer.
EXPECTED = {
    "cr audit src --as-of M10": 1,  # a citation is stale
    "cr audit src --blame": 1,
    "cr audit src --blame --diff": 1,
    "cr audit src --changed-since M10": 1,  # the cited rule was reworded
    "cr where - --from 2008-02-01 --jsonl < numbers.txt": 1,  # 704.5k is not in that edition
}


def examples() -> Iterator[str]:
    """Yield the command lines of help pages and of the README, each once."""
    lines = [
        line
        for text in [page(""), *commands().values()]
        for line in re.findall(r"^    (cr .*)", text.partition("\n\n")[2], re.MULTILINE)
    ]
    readme = (ROOT / "README.md").read_text("utf-8").partition("### Commands")[2]
    lines += readme.split("```")[1].splitlines()
    yield from dict.fromkeys(re.split(r" {2,}", line)[0] for line in lines if line)


def test_examples(bases: Callable[[str], Path], editions: tuple[Path, ...], tmp_path: Path) -> None:
    """An example does what its help page says, and prints an answer."""
    kb = {"VARIORUM_KB": str(tmp_path / "kb"), "HOME": str(tmp_path)}
    here = tmp_path / "here"
    shutil.copytree(bases("real"), tmp_path / "kb")
    (here / "src").mkdir(parents=True)
    (here / "editions").mkdir()
    (here / "src" / "rules.py").write_text("# CR 704.5k\n", encoding="utf-8")
    (here / "numbers.txt").write_text("704.5k\n600.4a\n", encoding="utf-8")
    for name in ("new-rules.txt", "MagicCompRules.txt", "editions/M10.txt"):
        shutil.copy(editions[-1], here / name)
    quoted = run(["704.5", "--copy"], settings=kb).out
    for name in ("excerpt.txt", "page.html"):
        (here / name).write_text(quoted, encoding="utf-8")
    git = ["git", "-c", "init.defaultBranch=main"]
    for words in (["init", "-q"], ["add", "src"], ["commit", "-q", "-m", "Rules"]):
        when = {"GIT_AUTHOR_DATE": "2009-08-01T12:00:00+0000"}
        subprocess.run([*git, *words], cwd=here, check=True, env={**environment(), **when})

    asked, wrong = 0, list[str]()
    for line in examples():
        if LEFT_OUT.match(line):
            continue
        asked, given = asked + 1, b""
        first, _, piped = line.partition(" | cr ")
        command, _, file = (piped or first.removeprefix("cr ")).partition(" < ")
        if piped:
            given = run(shlex.split(first)[1:], settings=kb, folder=here).out.encode()
        elif file:
            given = (here / file).read_bytes()
        result = run(shlex.split(command), settings=kb, folder=here, given=given)
        printed = result.out + result.err or " -o " in line
        if result.code != EXPECTED.get(line, 0) or not printed:
            wrong.append(f"{line}: {result.code} {result.err}")
    assert wrong == []
    assert asked > 60
