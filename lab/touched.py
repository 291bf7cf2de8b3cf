"""Print the tests of what changed since the main branch, or all tests if nothing did."""

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


def tests_of(path: str) -> Iterator[str]:
    """Yield the tests of a file: those of its room, with the examples in its docstrings."""
    match Path(path).parts:
        case ["tests", *_, name] if name.startswith("test_"):
            yield path
        case ["tests" | "lab", _, *_]:
            yield Path(path).parent.as_posix().replace("lab", "tests/lab", 1)
        case [("crawler" | "kb" | "site") as part, _, *rooms, name]:
            folder = Path("tests", part, *rooms[:1])
            yield folder.as_posix() if (ROOT / folder).is_dir() else f"tests/{part}"
            if name.endswith(".py"):
                yield path
        case _:
            pass


def main() -> None:
    """Print the paths in a line."""
    (base,) = git("merge-base", "HEAD", "origin/main") or ["HEAD"]
    changed = {
        *git("diff", "--name-only", base),
        *git("ls-files", "--others", "--exclude-standard"),
    }
    tests = {test for path in changed for test in tests_of(path) if (ROOT / test).exists()}
    print(*(sorted({*tests, *ALWAYS}) if tests else ["."]))  # noqa: T201 - for the Makefile


if __name__ == "__main__":
    main()
