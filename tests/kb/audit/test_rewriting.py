"""`cr audit --fix` rewrites only certain citations in files, byte for byte."""

import contextlib
import json
import os
from pathlib import Path

import pytest

from tests.kb.audit.audited import GIT, Cr, files, git, write

needs_git = pytest.mark.skipif(not GIT, reason="git is not installed")


def test_fix(cr: Cr) -> None:
    """Certain citations are rewritten, the others reported; nothing else changes."""
    write({"a.txt": "CR 300.1, 100.2\n", "b.txt": "CR 100.2\n"})
    Path("b.txt").chmod(0o640)

    result = cr("--as-of", "first", "--fix")

    assert files() == {"a.txt": b"CR 500.1, 100.2\n", "b.txt": b"CR 100.2\n"}
    assert [line.split(": ")[0] for line in result.stdout.splitlines()] == [
        "a.txt:1:11",
        "b.txt:1:1",
        "3 citations in 2 of 2 files, by the edition of 2025-05-30",
        "1 citation rewritten in 1 file",
    ]
    assert result.stderr == (
        "cr: rewritten citations now have the numbers of 2025-05-30; another --fix with --as-of first "
        "would change them again\n"
    )
    assert result.exit_code == 1


@pytest.mark.parametrize(
    "arguments", [["--fix", "a.txt"], ["a.txt", "--fix"], ["--fix=sure", "a.txt"]]
)
def test_fix_alone(cr: Cr, arguments: list[str]) -> None:
    """A bare --fix may precede or follow a path."""
    write({"a.txt": "CR 300.1\n"})

    assert cr("--as-of", "first", *arguments).exit_code == 0
    assert files() == {"a.txt": b"CR 500.1\n"}


def test_file_called_fix(cr: Cr) -> None:
    """After "--", everything is a path."""
    write({"--fix": "CR 300.1\n"})

    assert cr("--as-of", "first", "--", "--fix").stdout.startswith("--fix:1:1: CR 300.1: ")
    assert files() == {"--fix": b"CR 300.1\n"}


BYTES = [
    b"CR 300.1",
    b"CR 300.1\r\nx\ry\n\n",
    b"\xff caf\xe9 CR 502.5a\x96b\x00 "[:17] + b"\n",
    b"\xef\xbb\xbfCR 300.1\n",
    "\N{ZERO WIDTH NO-BREAK SPACE}CR 300.1\r\n\ud800".encode("utf-16-le", "surrogatepass"),
    "\N{ZERO WIDTH NO-BREAK SPACE}é CR 300.1\n".encode("utf-16-be"),
    b"// (CR\r\n//   300.1, 300.2 / 502.5A-B)\x0c\x1a",
    b"\t cr300.1\t \n   \n",
]


@pytest.mark.parametrize("data", BYTES)
def test_bytes_are_kept(cr: Cr, data: bytes) -> None:
    """A rewritten file differs only in its numbers."""
    write({"a.txt": data})

    result = cr("--as-of", "first", "--fix")

    changed = data
    for old, new in (("300.1", "500.1"), ("300.2", "500.2"), ("502.5", "702.6")):
        for encoding in ("utf-8", "utf-16-le", "utf-16-be"):
            changed = changed.replace(old.encode(encoding), new.encode(encoding))
    assert result.exit_code == 0
    assert (files(), changed != data) == ({"a.txt": changed}, True)


@pytest.mark.slow
@needs_git
@pytest.mark.parametrize(
    ("name", "data"),
    [
        *[("a.txt", data) for data in BYTES],
        *[
            (name, b"CR 300.1\n")
            for name in ("in/a b.txt", "é.txt", "-x.txt", "a\tb.txt", '"a.txt')
        ],
    ],
)
def test_diff_can_be_applied(cr: Cr, name: str, data: bytes) -> None:
    """`git apply` of the --diff output makes the same file as --fix."""
    write({name: data})
    git("init", "-q", ".")

    difference = cr("--as-of", "first", "--diff").stdout_bytes
    Path("../fix.diff").resolve().write_bytes(difference)
    git("apply", "--whitespace=nowarn", "../fix.diff")
    applied = Path(name).read_bytes()
    write({name: data})
    cr("--as-of", "first", "--fix")

    assert applied == Path(name).read_bytes() != data


def test_diff_of_a_whole_path(cr: Cr) -> None:
    """A file in the folder is named relative to it, any other from the root, as for `patch`."""
    write({"in/a.txt": "CR 300.1\n"})
    path = Path("in/a.txt").resolve()

    inside = cr("--as-of", "first", "--diff", str(path)).stdout
    with contextlib.chdir("/"):
        outside = cr("--as-of", "first", "--diff", str(path)).stdout
    with contextlib.chdir(path.parent.parent / ".."):
        above = cr("--as-of", "first", "--diff", str(path)).stdout

    relative = path.relative_to(path.parents[2]).as_posix()
    assert inside.startswith("--- a/in/a.txt\n")
    assert outside.startswith(f"--- a/{path.relative_to(path.anchor).as_posix()}\n")
    assert above.startswith(f"--- a/{relative}\n")


def test_diff(cr: Cr) -> None:
    """Only the diff is on stdout, the summary on stderr; the file is not changed."""
    write({"a.txt": "x\nCR 300.1\ny\n"})

    result = cr("--as-of", "first", "--diff", "--fix=all")

    assert result.stdout == (
        "--- a/a.txt\n+++ b/a.txt\n@@ -1,3 +1,3 @@\n x\n-CR 300.1\n+CR 500.1\n y\n"
    )
    assert result.stderr == (
        "1 citation in 1 of 1 file, by the edition of 2025-05-30: 1 another provision\n"
        "1 citation would be rewritten in 1 file\n"
    )
    assert (files(), result.exit_code) == ({"a.txt": b"x\nCR 300.1\ny\n"}, 1)


def test_named_twice(cr: Cr) -> None:
    """A file with two paths is rewritten once."""
    write({"in/a.txt": "CR 300.1\n"})
    Path("link").symlink_to("in")

    cr("in", "link", "./in/a.txt", str(Path.cwd() / "in"), "--as-of", "first", "--fix")

    assert files()["in/a.txt"] == b"CR 500.1\n"


def test_read_only_file(cr: Cr) -> None:
    """A read-only file is reported, or keeps its permissions; the others are fixed."""
    write({"a.txt": "CR 300.1\n", "b.txt": "CR 300.1\n"})
    Path("a.txt").chmod(0o444)

    cr("--as-of", "first", "--fix")

    assert Path("a.txt").stat().st_mode & 0o777 == 0o444
    assert files()["b.txt"] == b"CR 500.1\n"


def test_error_one_file_cannot_be_written(cr: Cr, monkeypatch: pytest.MonkeyPatch) -> None:
    """A file that cannot be written stays complete and is reported; the others are fixed."""
    write({"a.txt": "CR 300.1\n", "b.txt": "CR 300.1\n"})
    real = os.replace

    def replace(old: Path, new: Path) -> None:
        if Path(new).name == "a.txt":
            raise OSError(28, "No space left on device")
        real(old, new)

    monkeypatch.setattr(os, "replace", replace)
    result = cr("--as-of", "first", "--fix")

    assert files() == {"a.txt": b"CR 300.1\n", "b.txt": b"CR 500.1\n"}
    assert "a.txt: cannot be written: No space left on device" in result.stderr
    assert result.exit_code == 3


def test_interrupted(cr: Cr, monkeypatch: pytest.MonkeyPatch) -> None:
    """An interrupted rewrite leaves every file complete."""
    write({"a.txt": "CR 300.1\n", "b.txt": "CR 300.1\n"})

    def interrupt(_: object, __: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(os, "replace", interrupt)
    cr("--as-of", "first", "--fix")

    assert files() == {"a.txt": b"CR 300.1\n", "b.txt": b"CR 300.1\n"}


def test_fix_twice(cr: Cr) -> None:
    """Without a baseline, a second fix for the same date is refused; for another date it is not."""
    write({"a.txt": "CR 300.1\n"})
    cr("--as-of", "first", "--fix")

    again = cr("--as-of", "first", "--fix")
    today = cr("--as-of", "latest", "--fix")

    assert (again.exit_code, today.exit_code) == (2, 0)
    assert "would change it again. Record rewritten numbers" in again.stderr
    write({"a.txt": "CR 300.1 again\n"})
    assert cr("--as-of", "first", "--fix").exit_code == 0


def test_fix_twice_with_baseline(cr: Cr) -> None:
    """The baseline records rewritten citations, which are then judged by their new edition."""
    write({"a.txt": "CR 300.1, CR 502.3\nCR 100.2\n"})
    cr("--as-of", "first", "--baseline", "known.json", "--write-baseline")
    cr("--as-of", "first", "--baseline", "known.json", "--fix")
    once = files()

    again = cr("--as-of", "first", "--baseline", "known.json", "--fix")

    assert files() == once
    assert once["a.txt"] == b"CR 500.1, CR 702.3\nCR 100.2\n"
    assert "rewritten" in json.loads(once["known.json"])
    assert "rewritten" not in again.stdout


def test_baseline_after_a_fix(cr: Cr) -> None:
    """Only a baseline written after a fix records it; with an earlier one, the second fix is refused."""
    write({"a.txt": "CR 300.1\n"})
    cr("--as-of", "first", "--baseline", "before.json", "--write-baseline")
    cr("--as-of", "first", "--fix")
    once = files()["a.txt"]

    refused = cr("--as-of", "first", "--baseline", "before.json", "--fix")
    cr("--as-of", "first", "--baseline", "after.json", "--write-baseline")
    again = cr("--as-of", "first", "--baseline", "after.json", "--fix")

    assert (refused.exit_code, again.exit_code) == (2, 0)
    assert files()["a.txt"] == once == b"CR 500.1\n"


@needs_git
def test_since_nothing(cr: Cr) -> None:
    """If the revision is before the first commit, all lines count as added."""
    git("init", "-q", "-b", "main")
    write({"a.txt": "CR 999.9\n"})

    assert "CR 999.9" in cr("--since", "HEAD", "--as-of", "first").stdout


@needs_git
def test_since(cr: Cr) -> None:
    """Only lines added since a revision count; it may be a branch, HEAD~1 or a hash."""
    git("init", "-q", "-b", "main")
    write({"a.txt": "CR 999.9\nold\n", "b.txt": "CR 999.9\n"})
    git("add", ".")
    git("commit", "-qm", "one")
    git("checkout", "-q", "-b", "topic")
    write({"a.txt": "CR 999.9\nCR 999.8\nold\n", "c.txt": "CR 999.7\n"})
    git("commit", "-qam", "two")

    for revision in ("main", "HEAD~1", git("rev-parse", "main").decode().strip()[:12]):
        answer = json.loads(cr("--since", revision, "--edition", "latest", "--json").stdout)
        assert [
            (finding["file"], finding["line"], finding["number"]) for finding in answer["findings"]
        ] == [
            ("a.txt", 2, "999.8"),
            ("c.txt", 1, "999.7"),
        ]
        assert answer["summary"]["citations"] == 2
    unknown = cr("--since", "nowhere")
    assert (unknown.exit_code, unknown.stderr) == (3, "cr: nowhere: no such revision\n")


def test_edition(cr: Cr) -> None:
    """With --edition, each number must exist in that edition; --as-of is refused."""
    write({"a.txt": "CR 101.4; CR 500.1\n"})

    findings = json.loads(cr("--edition", "latest", "--json").stdout)["findings"]

    assert [(finding["number"], finding["heirs"]) for finding in findings] == [
        ("101.4", [["103.5"]])
    ]
    assert cr("--edition", "latest", "--as-of", "first").exit_code == 2
