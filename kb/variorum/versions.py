"""Versions of the parts of this program, which tell old results from current ones.

A version is a digest of a part's sources, so nobody has to increase it. A changed comment also changes it;
the next build then repeats work, which takes seconds.
"""

from collections.abc import Iterable
from functools import cache
from pathlib import Path

# The version of the whole program, as in pyproject.toml.
PROGRAM = "0.1.0"
# The layout of the file. It counts up when `store/schema.sql` or the content of a column changes.
LAYOUT = 14

_ROOT = Path(__file__).parent
_FACTS = ("facts/editions.tsv", "facts/verdicts.tsv", "facts/stop_words.tsv")
# What decides how a document is read, what a base says, and how its texts are indexed.
_SOURCES = {
    "reader": ("model.py", "rows.py", "rule_numbers.py", "text.py", "reading", "store"),
    "facts": _FACTS[:1],
    "base": ("", *_FACTS),
    "index": ("search", "answers/texts.py", "text.py", "words.py"),
}


def current_meta() -> dict[str, str]:
    """Return the content of the table `meta` in a base that this program makes."""
    parts = {part: version_of(part) for part in ("reader", "base")}
    return {"layout": str(LAYOUT), "program": PROGRAM, **parts}


@cache
def version_of(part: str) -> str:
    """Return the version of a part: 16 hexadecimal digits."""
    return digest_of_sources([_ROOT / source for source in _SOURCES[part]], _ROOT)


def digest_of_sources(sources: Iterable[Path], root: Path, suffix: str = ".py") -> str:
    """Return the digest of files, and of all files below folders whose names end with a suffix.

    Line ends do not count, since a checkout may change them; names count from `root` on.
    """
    from hashlib import blake2b  # noqa: PLC0415 - a look-up needs no digest

    found = {file for source in sources for file in (source, *source.rglob(f"*{suffix}"))}
    digest = blake2b(digest_size=8)
    for file in sorted(filter(Path.is_file, found)):
        content = file.read_bytes().replace(b"\r\n", b"\n")
        digest.update(file.relative_to(root).as_posix().encode() + b"\0%d\0" % len(content))
        digest.update(content)
    return digest.hexdigest()
