"""Command lines and what they print: the table of the command `cr`.

Each file in `transcripts/` runs in an empty folder of its own, from top to bottom:

    # A comment. The line "# base: none" gives no base, "# base: witnesses" one with other documents;
    # otherwise there is the sample rulebook's.
    @ notes.py
    | # CR 511.2, the content of a file
    $ cr audit notes.py
      what it prints
    ! what it prints on stderr
    = 1

"= 1" is an exit code other than 0. A command of the shell is as good, such as `$ git init`; it may read
what `cr` prints (`$ cr toc | head -3`). `$ COLUMNS=50 cr toc` runs on a coloured terminal. $SAMPLE is the
folder of the sample rulebook, $TESTS that of the tests. JSON is laid out anew, a short value on one
line, also what a filter reads. Folders are printed as HERE, KB, CACHE; times as TIME and "0.0 s"; the escape as "␛".

`pytest tests/test_transcripts.py --update-golden` writes what is printed today into the files.
"""

import json
import os
import re
import shlex
import shutil
import subprocess
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

import pytest

import variorum
from tests.conftest import SAMPLE, golden_difference
from tests.support.command import Result, environment, run

TESTS = Path(__file__).parent
TRANSCRIPTS = sorted((TESTS / "transcripts").glob("*.txt"))
_LINE = re.compile(
    r"(?P<settings>(?:[A-Z_]+=(?:'[^']*'|\S*) )*)cr(?= |$)(?P<rest>[^|<>;&]*)(?:< (?P<file>\S+) *)?(?:\| (?P<filter>.*))?"
)
_WIDTH = 96
# Patterns, and what is shown in their place.
Masks = list[tuple[str, str]]


@pytest.mark.parametrize("path", TRANSCRIPTS, ids=[path.stem for path in TRANSCRIPTS])
def test_transcript(
    path: Path, bases: Callable[[str], Path | None], tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    """Every command prints what the transcript shows."""
    expected = path.read_bytes().decode()
    kind = re.search(r"^# base: (\w+)$", expected, re.MULTILINE)
    base, here = bases(kind[1] if kind else "sample"), tmp_path / "here"
    here.mkdir()
    if base:
        shutil.copytree(base, tmp_path / "kb")
    settings = {
        "VARIORUM_KB": str(tmp_path / "kb"),
        "HOME": str(tmp_path / "home"),
        "SAMPLE": str(SAMPLE),
        "TESTS": str(TESTS),
    }
    printed = "".join(_replay(expected, here, settings))
    if request.config.getoption("--update-golden"):
        path.write_bytes(printed.encode())
    elif printed != expected:
        pytest.fail(golden_difference(expected, printed), pytrace=False)


def _replay(transcript: str, here: Path, settings: Mapping[str, str]) -> Iterator[str]:
    """Yield the lines of a transcript, those that commands print as they are printed now."""
    masks = _masks(here, settings)
    lines = transcript.splitlines(keepends=True)
    for place, line in enumerate(lines):
        if line.startswith(("#", "@", "|")):
            yield line
        if line.startswith("@"):
            content = [text[2:] or "\n" for text in _run_of("|", lines[place + 1 :])]
            file = here / line[2:].strip()
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text("".join(content), "utf-8", newline="")
        if line.startswith("$"):
            yield line
            yield from _shown(_run_line(line[2:].strip(), here, settings, masks), masks)
        if line == "\n" and place + 1 < len(lines) and lines[place + 1][0] in "#@$":
            yield line


def _run_of(mark: str, lines: list[str]) -> Iterator[str]:
    for line in lines:
        if not line.startswith(mark):
            return
        yield line


def _run_line(line: str, here: Path, settings: Mapping[str, str], masks: Masks) -> Result:
    """Run a line of the shell; `cr` at its start runs in this process.

    What a filter reads is masked, so that its answer does not depend on the length of a folder's name.
    """
    call = _LINE.fullmatch(line)
    if call is None:
        return _run_in_shell(line, here, settings)
    named = dict(pair.split("=", 1) for pair in shlex.split(call["settings"]))
    rest = re.sub(
        r"\$('[^']*')", lambda text: text[1].encode().decode("unicode_escape"), call["rest"]
    )
    words = [_expanded(word, settings) for word in shlex.split(rest)]
    given = (here / call["file"]).read_bytes() if call["file"] else b""
    result = run(words, folder=here, settings={**settings, **named}, given=given)
    if not call["filter"]:
        return result
    ended = _run_in_shell(call["filter"], here, settings, laid_out(_masked(result.out, masks)))
    return Result(ended.out, result.err + ended.err, ended.code or result.code)


def _expanded(word: str, settings: Mapping[str, str]) -> str:
    return re.sub(r"\$([A-Z_]+)", lambda name: settings[name[1]], word)


def _run_in_shell(line: str, here: Path, settings: Mapping[str, str], given: str = "") -> Result:
    ended = subprocess.run(
        ["bash", "-c", line],  # noqa: S607
        input=given.encode(),
        cwd=here,
        env={**environment(), **settings},
        capture_output=True,
        check=False,
    )
    return Result(ended.stdout.decode(), ended.stderr.decode(), ended.returncode)


def _masks(here: Path, settings: Mapping[str, str]) -> Masks:
    """Return what differs from run to run, each with its replacement."""
    folders = {
        str(here): "HERE",
        settings["VARIORUM_KB"]: "KB",
        os.environ["VARIORUM_CACHE"]: "CACHE",
        settings["HOME"]: "HOME",
        str(TESTS): "TESTS",
        str(SAMPLE): "SAMPLE",
        str(Path(variorum.__file__).parents[1]): "PROGRAM",
    }
    named = [(re.escape(folder), name) for folder, name in folders.items()]
    return [
        *named,
        (r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|\+00:00)", "TIME"),
        (r"\b\d+\.\d+ s\b", "0.0 s"),
        # Said by the first search in a cache that other tests share.
        (r"cr: making the search index of all editions\n", ""),
        ("\x1b", "␛"),
    ]


def _masked(text: str, masks: Masks) -> str:
    for pattern, name in masks:
        text = re.sub(pattern, name, text)
    return text


def _shown(result: Result, masks: Masks) -> Iterator[str]:
    """Yield the lines of a transcript about what a command printed."""
    for mark, text in (
        (" ", laid_out(_masked(result.out, masks))),
        ("!", _masked(result.err, masks)),
    ):
        inner = text.rstrip("\n")
        lines = inner.split("\n") if text else []
        # A blank line before the next command is the transcript's own, so one of the output is marked.
        lines += ["¶"] * (len(text) - len(inner) - 1)
        yield from (f"{mark} {line}".rstrip() + "\n" for line in lines)
    if result.code:
        yield f"= {result.code}\n"


def laid_out(text: str) -> str:
    """Return JSON with each short value on one line; any other text as it is."""
    if not text.startswith(("{", "[")):
        return text
    try:
        # Half of a character, as in a file's name that is no UTF-8, stays an escape.
        return _json(json.loads(text), "").encode("utf-8", "backslashreplace").decode() + "\n"
    except json.JSONDecodeError:
        return text


def _json(value: object, indent: str) -> str:
    short = json.dumps(value, ensure_ascii=False)
    if len(indent) + len(short) <= _WIDTH or not isinstance(value, dict | list) or not value:
        return short
    below = f"{indent} "
    if isinstance(value, list):
        inner = [_json(item, below) for item in value]
    else:
        inner = [f"{json.dumps(key)}: {_json(item, below)}" for key, item in value.items()]
    lines = [""]
    for text in inner:
        if lines[-1] and len(below) + len(lines[-1]) + len(text) <= _WIDTH and "\n" not in text:
            lines[-1] += f" {text},"
        else:
            lines.append(f"{text},")
    inside = "".join(f"\n{below}{line}" for line in lines[1:]).removesuffix(",")
    opening, closing = "[]" if isinstance(value, list) else "{}"
    return f"{opening}{inside}\n{indent}{closing}"
