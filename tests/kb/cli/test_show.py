"""`cr show`, on the fast path and in the full command."""

import json
import os
import subprocess
import sys
import sysconfig
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from tests.support.schemas import assert_fits
from variorum_kb.cli.fast_path import answer_quickly
from variorum_kb.cli.main import main

HEAVY = [
    "click",
    "rich",
    "whoosh",
    "bs4",
    "jinja2",
    "re",
    "enum",
    "typing",
    "dataclasses",
    "pathlib",
    "textwrap",
    "sqlite3",
    "functools",
    "collections",
    "json",
]
CR = Path(sysconfig.get_path("scripts")) / ("cr.exe" if sys.platform == "win32" else "cr")
QUESTIONS = (
    ["705.2"],
    ["705"],
    ["7"],
    ["702.11"],
    ["704.5a-d"],
    ["flip a coin", "--on", "2003-02-10"],
    ["CR", "511.2", "--on", "2008-06-20"],
    ["100.1", "--on", "first"],
    ["306.b", "--on", "2008-06-20"],
    ["705.2", "--json"],
    ["702", "--json"],
    ["702.9", "--terms"],
    ["511.2"],
    ["600.4"],
    ["600.4a-c", "--json"],
    ["511", "--json"],
    ["705.2", "--on", "2008-06-20"],
    ["refs", "704.5a"],
    ["refs", "702.11"],
    ["refs", "705", "--on", "2010-01-22", "--json"],
    ["refs", "boat"],
)
NOT_QUICK = (
    ["511.5"],
    ["705.1", "--on", "2010-01-23x"],
    ["705.1", "--nope"],
    ["705.1", "--on"],
    ["705.1", "--kb", "nowhere"],
)


@pytest.fixture
def quick(sample_base: Path) -> Callable[..., subprocess.CompletedProcess[bytes]]:
    """Return the installed command, which tries the fast path first."""

    def run(*arguments: str) -> subprocess.CompletedProcess[bytes]:
        environment = {**os.environ, "VARIORUM_KB": str(sample_base)}
        return subprocess.run([CR, *arguments], capture_output=True, check=False, env=environment)

    return run


def test_pages(cr: Callable[..., Result], golden: Callable[[str, object], None]) -> None:
    """The output for numbers, ranges, sections, terms and numbers printed twice is unchanged."""
    asked = [
        *QUESTIONS[:9],
        ["705.2", "--context"],
        ["705", "--tree"],
        ["704.5", "--markdown"],
        ["704.5a", "--copy"],
        ["702.11", "--copy"],
        ["flip a coin", "--on", "2003-02-10", "--copy"],
        ["flip a coin", "--on", "2003-02-10", "--markdown"],
    ]

    pages = [f"$ cr {' '.join(texts)}\n{cr(*texts).output}" for texts in asked]

    golden("show.txt", "\n".join(pages))


@pytest.mark.parametrize("arguments", QUESTIONS, ids=" ".join)
def test_fast_path_prints_the_same(
    cr: Callable[..., Result],
    sample_base: Path,
    capfdbinary: pytest.CaptureFixture[bytes],
    arguments: list[str],
) -> None:
    """If the fast path answers, it prints the same bytes as the full command."""
    is_refs = arguments[0] == "refs"
    asked = [*arguments[is_refs:], "--kb", str(sample_base)]

    is_told = answer_quickly(asked, is_refs=is_refs)

    assert is_told == ("--terms" not in arguments)
    assert capfdbinary.readouterr().out == (cr(*arguments).stdout_bytes if is_told else b"")


@pytest.mark.parametrize("arguments", NOT_QUICK, ids=" ".join)
def test_fast_path_leaves_the_rest(sample_base: Path, arguments: list[str]) -> None:
    """The fast path leaves other questions to the full command."""
    assert not answer_quickly(["--kb", str(sample_base), *arguments], is_refs=False)


PAST = (
    *("click", "typing", "dataclasses", "pathlib", "sqlite3", "rapidfuzz", "json"),
    *("variorum_kb.forms", "variorum_kb.model"),
)


@pytest.mark.parametrize("arguments", [["705.2"], ["flip a coin", "--on", "2003-02-10"]])
@pytest.mark.parametrize(
    ("command", "heavy"),
    [("show", HEAVY), *((name, [*PAST]) for name in ("history", "blame", "where"))],
)
def test_imports_little(
    sample_base: Path, command: str, heavy: list[str], arguments: list[str]
) -> None:
    """A look-up, or a question about a history, imports none of the slow modules."""
    words = arguments if command == "show" else [command, *arguments]
    program = (
        f"import sys; sys.path[:0] = {sys.path!r}\n"
        f"sys.argv = ['cr', *{words!r}]\n"
        "from variorum_kb.cli.start import main\n"
        "main()\n"
        f"print([name for name in {heavy!r} if name in sys.modules], file=sys.stderr)\n"
    )

    done = subprocess.run(
        [sys.executable, "-I", "-S", "-c", program],
        capture_output=True,
        check=True,
        env={**os.environ, "VARIORUM_KB": str(sample_base)},
    )

    assert done.stderr.decode().strip() == "[]"
    assert done.stdout


@pytest.mark.skipif(sys.platform == "win32", reason="a matter of Unix")
@pytest.mark.parametrize("arguments", [["705"], ["show", "705", "--tree"]])
def test_nobody_reads_on(sample_base: Path, arguments: list[str]) -> None:
    """A pipe that closes early is not an error."""
    environment = {**os.environ, "VARIORUM_KB": str(sample_base)}
    done = subprocess.Popen(
        [CR, *arguments], stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=environment
    )
    assert done.stdout is not None
    assert done.stderr is not None
    done.stdout.close()

    data = done.stderr.read()
    done.wait()
    done.stderr.close()

    assert data == b""


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no device that is always full")
@pytest.mark.parametrize("arguments", [["705"], ["show", "705", "--tree"], ["toc"]])
def test_error_disk_is_full(sample_base: Path, arguments: list[str]) -> None:
    """If an answer cannot be written, one line says so, and the exit code is 1."""
    environment = {**os.environ, "VARIORUM_KB": str(sample_base)}
    with Path("/dev/full").open("wb") as full:
        done = subprocess.run(
            [CR, *arguments], stdout=full, stderr=subprocess.PIPE, check=False, env=environment
        )

    assert done.returncode == 3
    assert done.stderr == b"cr: cannot write: No space left on device\n"


@pytest.mark.parametrize(
    ("arguments", "code"), [(["705"], 0), (["toc"], 0), (["999"], 1), (["toc", "--nope"], 2)]
)
def test_exit_codes(
    quick: Callable[..., subprocess.CompletedProcess[bytes]], arguments: list[str], code: int
) -> None:
    """The process ends early, but with all its output and the right exit code."""
    done = quick(*arguments)

    assert done.returncode == code
    assert bool(done.stdout) is (code == 0)
    assert bool(done.stderr) is (code != 0)


def test_json_with_terms(cr: Callable[..., Result]) -> None:
    """With --terms, each provision also has its terms, in the form of the schema."""
    plain = json.loads(cr("702.8-702.9", "--json").output)
    answer = json.loads(cr("702.8-702.9", "--terms", "--json").output)
    (subrule,) = json.loads(cr("702.9a", "--terms", "--json").output)

    assert_fits([*answer, subrule], "show")
    assert [{**item, "terms": []} for item in plain] == answer
    assert subrule["terms"][0] == {"term": "Undertow", "text": "Undertow", "start": 0, "end": 8}


def test_moved(
    cr: Callable[..., Result], quick: Callable[..., subprocess.CompletedProcess[bytes]]
) -> None:
    """A number that moved is found, and a line on stderr says so; both paths print the same."""
    plain, as_json, fast = cr("511.2"), cr("511.2", "--json"), quick("511.2")

    assert (plain.exit_code, plain.stdout[:7]) == (0, "705.2  ")
    message = "cr: 511.2, last printed in 2008-06-20, has been 705.2 since 2010-01-22\n"
    assert plain.stderr == fast.stderr.decode() == message
    (answer,) = json.loads(as_json.stdout)
    assert (answer["asked"], answer["address"]) == ("511.2", "705.2")
    assert answer["moved"] == {
        "asked": "511.2",
        "edition": "2008-06-20",
        "since": "2010-01-22",
        "kinds": ["renumbered"],
        "confidence": answer["moved"]["confidence"],
        "heirs": ["705.2"],
    }
    assert json.loads(cr("705.2", "--json").stdout)[0]["moved"] is None


def test_error_gone(cr: Callable[..., Result]) -> None:
    """A removed provision gives exit code 1, and its last words on stderr and in JSON."""
    plain, as_json = cr("502.3"), cr("502.3", "--json")

    assert (plain.exit_code, as_json.exit_code) == (1, 1)
    assert plain.stderr == (
        "cr: 502.3: not in the edition of 2025-05-30; near: 502, 502.1, 504, 504.1; "
        "removed on 2017-11-10; its last words, of 2015-04-17: “Drift”\n"
    )
    assert plain.stdout == ""
    assert as_json.stderr == plain.stderr
    assert json.loads(as_json.stdout) == {
        "error": {
            "kind": "not found",
            "message": plain.stderr.removeprefix("cr: ").removesuffix("\n"),
            "exit_code": 1,
            "last_edition": "2015-04-17",
            "last_words": "Drift",
            "heirs": [],
            "near": ["502", "502.1", "504", "504.1"],
            "answer": None,
        }
    }


def test_error_no_base(tmp_path: Path) -> None:
    """Without a base, one line says how to get one."""
    result = CliRunner().invoke(main, ["705.2", "--kb", str(tmp_path)])

    assert result.exit_code == 3
    assert result.stderr.startswith(f"cr: {tmp_path / 'kb.sqlite'}: no knowledge base; ")
    assert result.stderr.count("\n") == 1
    assert all(name in result.stderr for name in ("cr demo", "cr build", "cr sync"))
