"""Versions of this program, which tell old results from current ones.

A version is a digest of sources, so nobody has to increase it. A changed comment also changes it; the next
build then repeats work, which takes seconds.
"""

import hashlib
from collections.abc import Iterable
from functools import cache
from pathlib import Path

# The version of the whole program, as in pyproject.toml.
PROGRAM = "0.1.0"
# The layout of the file. It counts up when `store/schema.sql` or the content of a column changes.
LAYOUT = 15

_ROOT = Path(__file__).parent
# What decides what a base says, and how its texts are indexed.
_SOURCES = {
    "base": ("", "facts/editions.tsv", "facts/verdicts.tsv", "facts/stop_words.tsv"),
    "index": ("search", "answers/whole.py", "text.py", "words.py"),
}


def current_meta() -> dict[str, str]:
    """Return the content of the table `meta` in a base that this program makes, but for decisions."""
    return {"layout": str(LAYOUT), "program": PROGRAM, "base": version_of("base")}


@cache
def version_of(part: str) -> str:
    """Return the version of what makes a base, or of what makes an index: 16 hexadecimal digits."""
    return digest_of_sources([_ROOT / source for source in _SOURCES[part]], _ROOT)


def digest_of_sources(sources: Iterable[Path], root: Path, suffix: str = ".py") -> str:
    """Return the digest of files, and of all below folders whose names end so; line ends do not count."""
    found = {file for source in sources for file in (source, *source.rglob(f"*{suffix}"))}
    digest = hashlib.blake2b(digest_size=8)
    for file in sorted(filter(Path.is_file, found)):
        content = file.read_bytes().replace(b"\r\n", b"\n")
        digest.update(b"%b\0%d\0" % (file.relative_to(root).as_posix().encode(), len(content)))
        digest.update(content)
    return digest.hexdigest()
