"""The README and docs/ show real output, and document every command.

In a block marked `console`, a line `$ cr ...` is a command, and the lines below it are its output,
with stderr. The lines run in page order, in one folder, before there is a base. A line with only "…"
stands for any number of lines, "…" within a line for any words. The targets of `$ make ...` are not
run, but must be in the Makefile.
"""

import doctest
import os
import re
import subprocess
import sys
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.support.command import run as in_process

ROOT = Path(__file__).resolve().parents[1]
SCRIPTS = Path(sys.executable).parent
SECONDS = 120

_BLOCK = re.compile(r"^```console\n(?P<lines>.*?)^```$", re.MULTILINE | re.DOTALL)
_TARGET = re.compile(r"^([a-z][\w-]*):(?!=)", re.MULTILINE)
_MARK = "…"
_PAGES = [f"docs/{name}.md" for name in ("audit", "documents", "judge", "lineage")]


@dataclass(frozen=True, slots=True)
class Shown:
    """A command shown on a page.

    Attributes:
        line: The line of the command, from 1.
        expected: Its output according to the page, each line with its end.
    """

    line: int
    command: str
    expected: str


def find_shown(page: str) -> Iterator[Shown]:
    """Yield the commands of the console blocks, in order."""
    for block in _BLOCK.finditer(page):
        first = page.count("\n", 0, block.start("lines")) + 1
        lines = block["lines"].splitlines(keepends=True)
        starts = [place for place, line in enumerate(lines) if line.startswith("$ ")]
        for start, stop in zip(starts, [*starts[1:], len(lines)], strict=True):
            command = lines[start].removeprefix("$ ").strip()
            yield Shown(first + start, command, "".join(lines[start + 1 : stop]))


def is_as_shown(expected: str, text: str) -> bool:
    """Return whether an output is as the page shows it; spaces at line ends do not count."""
    lines = [line.rstrip() for line in expected.rstrip().splitlines()]
    pattern = "".join(
        r"(?:.*\n)*" if line == _MARK else re.escape(line).replace(_MARK, ".*") + r"\n"
        for line in lines
    )
    output = "".join(f"{line.rstrip()}\n" for line in text.rstrip().splitlines())
    return re.fullmatch(pattern, output) is not None


def find_targets(makefile: str) -> set[str]:
    """Return the targets of a Makefile that people may call."""
    return set(_TARGET.findall(makefile))


def run(command: str, folder: Path, kb: Path) -> subprocess.CompletedProcess[str]:
    """Run a command of the README as a user with only the program and a knowledge base."""
    settings = {
        "VARIORUM_KB": str(kb),
        "PATH": os.pathsep.join([str(SCRIPTS), os.environ["PATH"]]),
        "HOME": str(folder),
        "XDG_CACHE_HOME": str(folder / "cache"),
        "XDG_DATA_HOME": str(folder / "share"),
        "COLUMNS": "80",
        "NO_COLOR": "1",
        "PYTHONUTF8": "1",
    }
    ours = {name: value for name, value in os.environ.items() if not name.startswith("VARIORUM_")}
    return subprocess.run(  # noqa: S602 - a shell, since a README shows what is typed into one
        command,
        shell=True,
        check=False,
        cwd=folder,
        env=ours | settings,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        encoding="utf-8",
        timeout=SECONDS,
    )


@pytest.mark.slow
@pytest.mark.parametrize("name", ["README.md", *_PAGES])
def test_pages_show_what_happens(name: str, tmp_path: Path) -> None:
    """Each line of the README and of docs/ but for `$ make` prints the lines shown below it."""
    page = (ROOT / name).read_text("utf-8")
    commands = [shown for shown in find_shown(page) if not shown.command.startswith("make ")]
    assert commands, f"{name} shows no `$ cr` in a block marked console"

    # Readers have nothing but the program yet.
    kb = tmp_path / "none"
    wrong = [report for shown in commands for report in find_difference(shown, tmp_path, kb)]

    assert wrong == [], "\n\n".join([name, *wrong])


def find_difference(shown: Shown, folder: Path, kb: Path) -> Iterator[str]:
    """Run a shown command; yield the differences from the page.

    The exit codes 0, 1 for "no", and 3 for a missing file are accepted. The note about building an
    index is ignored.
    """
    done = run(shown.command, folder, kb)
    printed = re.sub(r"cr: the search index .*\n", "", done.stdout)
    if done.returncode not in {0, 1, 3} or not is_as_shown(shown.expected, printed):
        yield (
            f"line {shown.line}: $ {shown.command}\n"
            f"shown:\n{shown.expected}printed, with exit code {done.returncode}:\n{done.stdout}"
        )


def test_readme_names_targets_that_exist() -> None:
    """Each `$ make` of the README names targets of the Makefile."""
    targets = find_targets((ROOT / "Makefile").read_text("utf-8"))
    named = [
        word
        for shown in find_shown((ROOT / "README.md").read_text("utf-8"))
        if shown.command.split(maxsplit=1)[0] == "make"
        for word in shown.command.split()[1:]
        if "=" not in word
    ]

    assert named, "README.md shows no `$ make` in a block marked console"
    assert [word for word in named if word not in targets] == []


def test_contributing_names_what_exists() -> None:
    """CONTRIBUTING.md has at most 120 lines; its paths and targets exist."""
    page = (ROOT / "CONTRIBUTING.md").read_text("utf-8")
    paths = set(re.findall(r"`((?:[\w.-]+/)+[\w.-]*)`", page)) | set(
        re.findall(r"\]\((.+?)\)", page)
    )

    assert len(page.splitlines()) <= 120
    assert len(paths) > 20
    made = [path for path in paths if path.startswith(".venv")]  # made by make, perhaps later
    assert sorted(path for path in paths.difference(made) if not (ROOT / path).exists()) == []
    targets = find_targets((ROOT / "Makefile").read_text("utf-8"))
    assert set(re.findall(r"`make ([a-z]+)", page)) <= targets


@pytest.mark.parametrize("path", ["README.md", "SECURITY.md", "docs"])
def test_pages_name_options_that_exist(path: str) -> None:
    """Each option in `cr COMMAND --option` is in the help of the command."""
    pages = [ROOT / path, *sorted((ROOT / path).glob("*.md"))]
    named = {
        (tuple(words[: words.index(option)]), re.split("[=.]", option)[0])
        for page in pages
        if page.is_file()
        for words in map(str.split, re.findall(r"`cr ([^`]+)`", page.read_text("utf-8")))
        for option in words
        if option.startswith("--")
    }

    assert named
    assert [
        f"cr {' '.join(words)} {option}"
        for words, option in sorted(named)
        if not re.search(rf"{option}\b", in_process([*words, "--help"]).out)
    ] == []


PAGE = """\
# Title

```console
$ cr show 100.1
100.1 Words
$ cr demo | head -2

First.
…
$ make demo
```

```python
$ cr no
```

```console
$ make test check ARGS=-x
```
"""


def test_commands_are_found() -> None:
    """Only the commands of console blocks are found, with their line and output."""
    assert list(find_shown(PAGE)) == [
        Shown(4, "cr show 100.1", "100.1 Words\n"),
        Shown(6, "cr demo | head -2", "\nFirst.\n…\n"),
        Shown(10, "make demo", ""),
        Shown(18, "make test check ARGS=-x", ""),
    ]


@pytest.mark.parametrize(
    ("expected", "output"),
    [
        ("", ""),
        ("a\n", "a\n"),
        ("a\n\n", "a  \n"),
        ("…\n", ""),
        ("…\n", "a\nb\n"),
        ("a\n…\nd\n", "a\nb\nc\nd\n"),
        ("a\n…\nd\n", "a\nd\n"),
        ("built in … s\n", "built in 0.1 s\n"),
        ("(1.5)\n", "(1.5)\n"),
    ],
)
def test_output_is_as_shown(expected: str, output: str) -> None:
    """The output may differ from the page only at the mark for any words."""
    assert is_as_shown(expected, output)


@pytest.mark.parametrize(
    ("expected", "output"),
    [
        ("", "a\n"),
        ("a\n", ""),
        ("a\n", "a\nb\n"),
        ("a\nb\n", "b\na\n"),
        ("a\n…\nd\n", "a\nb\n"),
        ("built in … s\n", "built in 0.1\ns\n"),
        ("(1.5)\n", "(1x5)\n"),
    ],
)
def test_error_output_is_not_as_shown(expected: str, output: str) -> None:
    """Any other difference from the page is found."""
    assert not is_as_shown(expected, output)


def test_error_shown_command_fails(tmp_path: Path) -> None:
    """A shown command with wrong usage is reported with its line, even if its output is shown."""
    shown = Shown(7, "cr --no-such-option", "…\n")

    (report,) = find_difference(shown, tmp_path, tmp_path)

    assert report.startswith("line 7: $ cr --no-such-option\nshown:\n…\nprinted, with exit code 2:")


def test_targets_are_found() -> None:
    """Targets are found, variables and files are not."""
    makefile = (
        "NAME := x\nname := y\nhelp: ## Say.\ndemo: .venv/.stamp\n.venv/.stamp: x\n\techo: x\n"
    )

    assert find_targets(makefile) == {"help", "demo"}


def test_library_examples(bases: Callable[[str], Path], monkeypatch: pytest.MonkeyPatch) -> None:
    """The examples of docs/library.md give the results shown there."""
    monkeypatch.setenv("VARIORUM_KB", str(bases("sample")))
    page = ROOT / "docs" / "library.md"

    # In a thread of its own, since browser tests leave a loop running in this one.
    with ThreadPoolExecutor(1) as pool:
        results = pool.submit(doctest.testfile, str(page), module_relative=False).result()

    assert results.attempted > 15
    assert results.failed == 0


def test_workflows_pin_actions() -> None:
    """Workflows in docs use actions only at checked commits."""
    used = [
        line.split("uses:")[1].split("#")[0].strip()
        for page in sorted((ROOT / "docs").glob("*.[my]*"))
        for line in page.read_text(encoding="utf-8").splitlines()
        if "uses:" in line
    ]

    assert len(used) > 5
    assert [action for action in used if not re.search(r"@[0-9a-f]{40}$", action)] == []
