"""Versions of this program, which tell old results from current ones.

A version is a digest of sources. A changed comment also changes it; the next build then repeats work.
"""

from functools import cache
from pathlib import Path

# The version of the whole program, as in pyproject.toml.
PROGRAM = "0.1.0"
# The layout of the file. It counts up when `store/schema.sql` or the content of a column changes.
LAYOUT = 15


def current_meta() -> dict[str, str]:
    """Return the content of the table `meta` in a base that this program makes, but for decisions."""
    root = Path(__file__).parent
    version = digest_of_sources(*root.rglob("*.py"), *root.glob("facts/*.tsv"))
    return {"layout": str(LAYOUT), "program": PROGRAM, "base": version}


@cache
def digest_of_sources(*sources: Path) -> str:
    """Return the digest of files, and of all below folders: 16 hexadecimal digits; line ends do not count."""
    from hashlib import blake2b  # noqa: PLC0415 - a look-up needs no digest

    files = {file for source in sources for file in (source, *source.rglob("*"))}
    digest = blake2b(digest_size=8)
    for file in sorted(it for it in files if it.is_file() and it.suffix != ".pyc"):
        content = file.read_bytes().replace(b"\r\n", b"\n")
        digest.update(b"%b\0%d\0" % (file.name.encode(), len(content)))
        digest.update(content)
    return digest.hexdigest()
