"""From files to editions: the thin edge between documents on disk and the pure reader."""

from collections.abc import Iterator, Sequence
from importlib.resources import files
from pathlib import Path

from variorum_kb.errors import NotReadableError
from variorum_kb.model import Edition
from variorum_kb.reading.edition import read_edition


def load_edition(path: Path) -> Edition:
    """Read the edition in a file.

    Raises:
        NotReadableError: The file cannot be opened.
        DocumentError: It cannot be read honestly.
    """
    try:
        data = path.read_bytes()
    except OSError as error:
        raise NotReadableError(f"{path}: {error.strerror or error}") from error
    return read_edition(data, str(path))


def find_documents(paths: Sequence[Path]) -> list[Path]:
    """Return the files that paths name: a file itself, of a folder all files in it, sorted.

    Hidden files of a folder are left out.

    Raises:
        NotReadableError: A folder cannot be listed.
    """
    found: list[Path] = []
    for path in paths:
        if not path.is_dir():
            found.append(path)
            continue
        try:
            inside = sorted(path.iterdir())
        except OSError as error:
            raise NotReadableError(f"{path}: {error.strerror or error}") from error
        found += [one for one in inside if one.is_file() and not one.name.startswith(".")]
    return found


def load_sample() -> Iterator[Edition]:
    """Yield the editions of the sample rulebook, oldest first."""
    folder = files("variorum_kb").joinpath("sample")
    for one in sorted(folder.iterdir(), key=lambda one: one.name):
        if one.name.endswith(".txt"):
            yield read_edition(one.read_bytes(), one.name)
