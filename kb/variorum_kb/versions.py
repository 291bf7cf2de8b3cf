"""Versions of the parts of this program, which distinguish old results from current ones.

A version is a digest of the sources that a part consists of, so nobody has to count one up. A
changed comment also changes the version. The next build then repeats work, which costs seconds.
"""

from functools import cache
from pathlib import Path

from variorum_kb.system.blake2 import blake2b

_ROOT = Path(__file__).parent
_NOUNS = ("model.py", "record.py", "rows.py", "rule_numbers.py", "stored_rows.py")
_TEXT = (*_NOUNS, "text", "thresholds.py")
_READING = (*_TEXT, "reading")
_STORED = tuple(
    [f"store/{name}.py" for name in ("digests", "findings", "reader", "runs", "verified")]
)
_ANSWERS = (*_TEXT, *_STORED, "answers", "history", "references")

# The folders and modules that decide a part's results. Tables of facts have digests of their own,
# the layout of the file has a number, and errors and JSON forms decide nothing.
SOURCES = {
    "reader": (*_READING, "store/edition_rows.py"),
    "finder": (*_NOUNS, "references", "store/citations.py"),
    "aligner": (*_TEXT, "history", "references"),
    "witness": (*_ANSWERS, "build/load.py", "documents/find.py", "reading", "sources"),
    "attest": (*_ANSWERS, "reading", "sources"),
    # The data that it takes from the base has a version in the base.
    "index": (*_TEXT, "answers/stored/texts.py", "search"),
}


@cache
def version_of(part: str) -> str:
    """Return the version of a part: 16 hexadecimal digits."""
    return digest_of_sources([_ROOT / source for source in SOURCES[part]], _ROOT)


def digest_of_sources(sources: list[Path], root: Path, suffix: str = ".py") -> str:
    """Return the digest of files, and of all files below folders, whose names end alike.

    Line ends do not count, since a checkout may change them.

    Args:
        sources: Files and folders, in any order.
        root: What their names are relative to.
        suffix: What the names of files in folders end with.
    """
    files = {file for source in sources for file in _files(source, suffix)}
    digest = blake2b(digest_size=8)
    for file in sorted(files):
        content = file.read_bytes().replace(b"\r\n", b"\n")
        digest.update(f"{file.relative_to(root).as_posix()}\0{len(content)}\0".encode())
        digest.update(content)
    return digest.hexdigest()


def _files(source: Path, suffix: str) -> list[Path]:
    if source.is_file():
        return [source]
    below = source.rglob(f"*{suffix}")
    return [file for file in below if file.is_file() and "__pycache__" not in file.parts]
