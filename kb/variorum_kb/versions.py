"""Versions of the parts of this program, which distinguish old results from current ones.

A version is a digest of the sources that a part consists of, so nobody has to count one up. A
changed comment also changes the version. The next build then repeats work, which costs seconds.
"""

from collections.abc import Iterable
from functools import cache
from pathlib import Path

from variorum_kb.system.blake2 import blake2b

# The version of the whole program, as in pyproject.toml. Every build needs it, and the metadata of the
# installed package would have to be imported and searched for it.
PROGRAM = "0.1.0"

_ROOT = Path(__file__).parent
_NOUNS = ("model.py", "record.py", "rows.py", "rule_numbers.py", "stored_rows.py")
_TEXT = (*_NOUNS, "text", "thresholds.py")
_READING = (*_TEXT, "reading")
_STORED = tuple(
    [f"store/{name}.py" for name in ("digests", "findings", "reader", "runs", "verified")]
)
_ANSWERS = (*_TEXT, *_STORED, "answers", "history", "references")
_COMPARING = (*_ANSWERS, "reading", "size_limits.py", "sources")

# The folders and modules that decide a part's results. Tables of facts have digests of their own,
# the layout of the file has a number, and errors and JSON forms decide nothing.
SOURCES = {
    "reader": (*_READING, "store/edition_rows.py"),
    "finder": (*_NOUNS, "references", "store/citations.py"),
    "aligner": (*_TEXT, "history", "references"),
    "witness": (*_COMPARING, "build/load.py", "documents/find.py"),
    "attest": _COMPARING,
    # The data that it takes from the base has a version in the base.
    "index": (*_TEXT, "answers/stored/texts.py", "search"),
}


@cache
def version_of(part: str) -> str:
    """Return the version of a part: 16 hexadecimal digits."""
    return _digest_of([_sources(source) for source in SOURCES[part]])


def digest_of_sources(sources: list[Path], root: Path, suffix: str = ".py") -> str:
    """Return the digest of files, and of all files below folders, whose names end alike.

    Line ends do not count, since a checkout may change them.

    Args:
        sources: Files and folders, in any order.
        root: What their names are relative to.
        suffix: What the names of files in folders end with.
    """
    return _digest_of([_contents(source, root, suffix) for source in sources])


# The contents of files by their names, in parts, relative to some folder.
_Contents = dict[tuple[str, ...], bytes]


@cache
def _sources(source: str) -> _Contents:
    """Return the contents of a module or folder of ours, which several parts consist of."""
    return _contents(_ROOT / source, _ROOT, ".py")


def _contents(source: Path, root: Path, suffix: str) -> _Contents:
    below = [source] if source.is_file() else source.rglob(f"*{suffix}")
    depth = len(root.parts)
    return {
        file.parts[depth:]: file.read_bytes().replace(b"\r\n", b"\n")
        for file in below
        if "__pycache__" not in file.parts and file.is_file()
    }


def _digest_of(contents: Iterable[_Contents]) -> str:
    files: _Contents = {}
    for some in contents:
        files |= some
    digest = blake2b(digest_size=8)
    for name in sorted(files):
        content = files[name]
        digest.update(f"{'/'.join(name)}\0{len(content)}\0".encode())
        digest.update(content)
    return digest.hexdigest()
