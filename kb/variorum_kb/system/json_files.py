"""Small files of JSON in the folder of a base."""

import json
from pathlib import Path
from typing import Any, cast

from variorum_kb.errors import ArchiveError
from variorum_kb.system.atomic_files import writable, write_file


def json_bytes(value: object) -> bytes:
    """Return a value as the text of a file; a file name that is no text is escaped as JSON does."""
    text = json.dumps(value, ensure_ascii=False, indent=1) + "\n"
    return text.encode(errors="backslashreplace")


def load_json(path: Path) -> dict[str, Any]:
    """Return the object in one of our files; an empty one if the file does not exist.

    Raises:
        ArchiveError: It cannot be opened, or is not what we write.
    """
    try:
        value = json.loads(path.read_bytes())
    except FileNotFoundError:
        return {}
    except OSError as error:
        raise ArchiveError(path, f"cannot be opened: {error.strerror or error}") from None
    except (ValueError, RecursionError) as error:
        raise ArchiveError(path, f"not JSON: {error}") from None
    if not isinstance(value, dict):
        raise ArchiveError(path, "not a JSON object")
    return cast("dict[str, Any]", value)


def save_json(path: Path, value: dict[str, Any]) -> None:
    """Write an object to a file, unless the file already contains it.

    Raises:
        NotWritableError: It cannot be written; the disk may be full.
    """
    data = json_bytes(value)
    with writable(path):
        path.parent.mkdir(parents=True, exist_ok=True)
        if path.exists() and path.read_bytes() == data:
            return
    write_file(path, data)
