"""The audit settings of a project, from pyproject.toml or variorum.toml."""

import re
import tomllib
from collections.abc import Mapping  # noqa: TC003 - likewise
from pathlib import Path
from typing import Any, Literal

import msgspec

from variorum.errors import FileError, WrongUsageError
from variorum.files import read_file
from variorum.records.audit import STATUSES
from variorum.text import set_of

FILES = ("variorum.toml", "pyproject.toml")


class Settings(msgspec.Struct, frozen=True, forbid_unknown_fields=True, rename="kebab"):
    """The settings of an audit.

    Citations are written for the edition `as_of`, "" if unknown, and should have the numbers of `to`.
    Prefixes are words besides the built-in ones. With `bare`, a number with a dot needs no word.
    """

    as_of: str = ""
    to: str = "current"
    prefixes: tuple[str, ...] = ()
    bare: bool = False
    exclude: tuple[str, ...] = ()
    ignore: tuple[Literal[STATUSES[1:]], ...] = ()  # type: ignore[valid-type]
    baseline: Path | None = None
    # Of the command line only.
    folder: Path = Path()
    blame: bool = False
    since: str = ""
    changed_since: str = ""
    all: bool = False
    all_files: bool = False
    fix: bool = False
    fix_strings: bool = False

    def given(self, **values: object) -> "Settings":
        """Return these settings with options of the command line; None leaves one unchanged."""
        given = {name: value for name, value in values.items() if value not in (None, ())}
        return msgspec.structs.replace(self, **given)


_OF_COMMAND = set_of("folder blame since changed-since all all-files fix fix-strings")


def find_settings(start: Path) -> Settings:
    """Load the nearest settings file, from a folder upwards."""
    here = start.absolute()
    files = (folder / name for folder in (here, *here.parents) for name in FILES)
    found = (settings for file in files if (settings := _of(file)) is not None)
    return next(found, Settings(folder=here))


def _of(file: Path) -> Settings | None:
    try:
        data: Mapping[str, Any] = tomllib.loads(read_file(file).decode())
    except FileError:
        return None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise WrongUsageError(f"{file}: {error}") from error
    where = "[tool.variorum.audit]" if file.name == FILES[1] else "[audit]"
    for name in ("tool", "variorum") if file.name == FILES[1] else ():
        data = data[name] if isinstance(data.get(name), dict) else {}
    if unknown := sorted(set(data) - {"audit"}):
        wrong = where.replace("audit", unknown[0])
        raise WrongUsageError(f"{file}: {wrong} is not a table of cr audit; {where} is")
    if "audit" not in data:
        return None
    try:
        settings = msgspec.convert(data["audit"], Settings, dec_hook=_path)
    except msgspec.ValidationError as error:
        # The name of a setting instead of its path.
        told, _, path = str(error).partition(" - at `$")
        name = re.sub(r"^\.|\[\.\.\.\]|`$", "", path).replace("_", "-")
        said = f"{name}: {told}" if name else told
        raise WrongUsageError(f"{file}: {where}: {said}") from error
    if misplaced := sorted(_OF_COMMAND & set(data["audit"])):
        raise WrongUsageError(f"{file}: {where}: {misplaced[0]} is an option, and not a setting")
    baseline = file.parent / settings.baseline if settings.baseline else None
    return msgspec.structs.replace(settings, folder=file.parent, baseline=baseline)


def _path(_type: type, value: object) -> Path:
    if not isinstance(value, str) or not value:
        raise msgspec.ValidationError("Expected the name of a file")
    return Path(value)
