"""Versions of the parts of this program, which distinguish old results from current ones.

A version is a digest of a part's sources, so nobody has to increase it. A changed comment also
changes the version; the next build then repeats work, which takes seconds.
"""

import os
from collections.abc import Iterable
from functools import cache
from pathlib import Path

# The version of the whole program, as in pyproject.toml. Every build needs it, and the metadata of the
# installed package would have to be imported and searched for it.
PROGRAM = "0.1.0"
# The layout of the file. It counts up when `store/schema.sql` or the content of a column changes.
LAYOUT = 12

_ROOT = Path(__file__).parent
# The folders, modules and tables that decide a part's results: what is read in a document, what a base
# says, and the indexes for search (the data that they take from the base has a version in the base).
_NOUNS = (
    "model.py",
    "record.py",
    "rows.py",
    "rule_numbers.py",
    "stored_rows.py",
    "text.py",
    "words.py",
)
_READING = (*_NOUNS, "thresholds", "reading", "store/edition_rows.py")
_ALL = ("citations.py", "facts", "history", "store", "answers", "articles", "build", "quoting")
SOURCES = {
    "reader": _READING,
    "facts": ("facts/editions.tsv",),
    "base": (*_READING, *_ALL, "witnesses", "facts/editions.tsv", "facts/verdicts.tsv"),
    "index": (*_NOUNS, "thresholds", "answers/texts.py", "search"),
}


def current_meta() -> dict[str, str]:
    """Return the content of the table `meta` in a base that this program makes."""
    parts = {part: version_of(part) for part in ("reader", "base")}
    return {"layout": str(LAYOUT), "program": PROGRAM, **parts}


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
    return _digest_of([_file_digests(source, root, suffix) for source in sources])


# Digests of files by their names, in parts, relative to some folder.
_Digests = dict[tuple[str, ...], bytes]


@cache
def _sources(source: str) -> _Digests:
    """Return the digests of a module or folder of ours, which several parts consist of."""
    return _file_digests(_ROOT / source, _ROOT, ".py")


def _file_digests(source: Path, root: Path, suffix: str) -> _Digests:
    if source.is_file():
        return {source.relative_to(root).parts: _file_digest(source)}
    digests: _Digests = {}
    for folder, folders, names in os.walk(source):
        folders[:] = [name for name in folders if name != "__pycache__"]
        parts = Path(folder).relative_to(root).parts
        digests |= {
            (*parts, name): _file_digest(os.path.join(folder, name))  # noqa: PTH118 - there are hundreds
            for name in names
            if name.endswith(suffix)
        }
    return digests


def _file_digest(file: Path | str) -> bytes:
    from hashlib import blake2b  # noqa: PLC0415 - a look-up needs only the layout

    with open(file, "rb", buffering=0) as opened:  # noqa: PTH123 - likewise
        content = opened.read().replace(b"\r\n", b"\n")
    return blake2b(content, digest_size=16).digest()


def _digest_of(digests: Iterable[_Digests]) -> str:
    from hashlib import blake2b  # noqa: PLC0415 - likewise

    files: _Digests = {}
    for some in digests:
        files |= some
    digest = blake2b(digest_size=8)
    for name in sorted(files):
        digest.update("/".join(name).encode() + b"\0" + files[name])
    return digest.hexdigest()
