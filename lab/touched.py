"""Print the tests of the files changed since the main branch, and the tests of every change."""

import subprocess
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
ALWAYS = ("tests/test_architecture.py", "tests/test_docs.py")


def git(*arguments: str) -> list[str]:
    """Return the lines that git prints; none if it fails."""
    done = subprocess.run(
        ["git", *arguments],  # noqa: S607 - the git of the person who develops
        cwd=ROOT, check=False, capture_output=True, encoding="utf-8",
    )  # fmt: skip
    return done.stdout.splitlines()


def find_tests(path: str) -> Iterator[str]:
    """Yield the tests of a file: those of its room, and the examples in its docstrings."""
    match Path(path).parts:
        case ["tests", "conftest.py"]:
            yield "tests/test_conftest.py"
        case ["tests", "support", name]:
            yield from git("grep", "-l", f"support.{Path(name).stem} ", "--", "tests")
        case ["tests", "golden", room, *_]:
            yield from (f"tests/{room}", f"tests/kb/{room}")
        case ["tests", *folders, name]:
            yield path if name.startswith("test_") or not folders else Path(path).parent.as_posix()
        case ["lab", *_]:
            yield "tests/lab"
        case [("crawler" | "kb" | "site") as part, package, *rooms, _]:
            yield from room_tests(part, ["mcp"] if package == "variorum_mcp" else rooms)
        case _:
            pass
    if path.endswith(".py") and (ROOT / path).exists() and ">>> " in (ROOT / path).read_text():
        yield path


def room_tests(part: str, rooms: list[str]) -> Iterator[str]:
    """Yield the folder of a room's tests; for a module in no room, the test files beside the folders."""
    tests = ROOT / "tests" / part
    if rooms and (tests / rooms[0]).is_dir():
        yield f"tests/{part}/{rooms[0]}"
    else:
        yield from (f"tests/{part}/{file.name}" for file in tests.glob("test_*.py"))


def main() -> None:
    """Print the paths on a line."""
    (base,) = git("merge-base", "HEAD", "origin/main") or ["HEAD"]
    changed = {
        *git("diff", "--name-only", base),
        *git("ls-files", "--others", "--exclude-standard"),
    }
    tests = {test for path in changed for test in find_tests(path) if (ROOT / test).exists()}
    print(*sorted({*tests, *ALWAYS}))  # noqa: T201 - for the Makefile


if __name__ == "__main__":
    main()
