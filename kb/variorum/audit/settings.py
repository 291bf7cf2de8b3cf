"""The audit settings of a project, from pyproject.toml or variorum.toml."""

import re
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields, replace
from pathlib import Path
from typing import Any, cast

from variorum.answers.cited_heirs import CURRENT, STATUSES
from variorum.errors import NotReadableError, SettingsError
from variorum.files import LARGEST_SETTINGS, read_file

_DAY = re.compile(r"\d{4}-\d\d-\d\d")
FILES = ("variorum.toml", "pyproject.toml")


@dataclass(frozen=True, slots=True)
class DatedFiles:
    """Files whose citations were written for another edition than the rest.

    Attributes:
        paths: Patterns as in .gitignore, relative to the settings' folder.
        as_of: A designator.
    """

    paths: tuple[str, ...]
    as_of: str


@dataclass(frozen=True, slots=True)
class Settings:
    """The settings of an audit.

    Attributes:
        folder: The folder of the settings file; else the current folder.
        as_of: The designator of the edition that citations were written for; "" if unknown.
        to: The designator of the edition whose numbers the citations should have.
        blame: Whether git dates each line.
        prefixes: Words and signs that make the number after them a citation, besides the built-in
            words.
        own_prefixes: Whether the built-in words count: CR, rule, Comprehensive Rules.
        bare: Whether a number with a dot needs no word at all.
        exclude: Patterns as in .gitignore of files that are left out.
        ignore: Statuses that are not reported.
        baseline: The file of known findings; None if there is none.
        dated: Files that are dated otherwise. The last pattern that matches counts.
        follows: The days on which the project adopted an edition, with the edition, oldest first.
            From each day on, the adopted edition counts instead of the edition in force.
        since: Only lines added after this revision are checked; "" for all lines.
        changed_since: Only citations whose rule changed since this edition are reported.
        all_files: Whether files that nobody wrote for today are read, such as logs.
        fix_strings: Whether `--fix` also rewrites string literals of programs and data files.
    """

    folder: Path = Path()
    as_of: str = ""
    to: str = "current"
    blame: bool = False
    prefixes: tuple[str, ...] = ()
    own_prefixes: bool = True
    bare: bool = False
    exclude: tuple[str, ...] = ()
    ignore: tuple[str, ...] = ()
    baseline: Path | None = None
    dated: tuple[DatedFiles, ...] = ()
    follows: tuple[tuple[str, str], ...] = ()
    since: str = ""
    changed_since: str = ""
    all_files: bool = False
    fix_strings: bool = False

    def followed(self, day: str) -> str:
        """Return the edition that the project followed on a day; the day itself if unknown."""
        known = [edition for begin, edition in self.follows if day and begin <= day]
        return known[-1] if known else day

    def given(self, **values: object) -> "Settings":
        """Return these settings with options of the command line; None leaves one unchanged."""
        given = {name: value for name, value in values.items() if value not in (None, ())}
        return replace(self, **cast("Any", given))


def find_settings(start: Path) -> Settings:
    """Load the nearest settings file, from a folder upwards.

    Raises:
        SettingsError: A file cannot be understood.
    """
    here = start.absolute()
    for folder in (here, *here.parents):
        for name in FILES:
            settings = _of(folder / name)
            if settings is not None:
                return settings
    return Settings(folder=here)


def load_settings(file: Path) -> Settings:
    """Load a settings file.

    Raises:
        NotReadableError: The file cannot be opened.
        SettingsError: The file cannot be understood, or has no settings for the audit.
    """
    read_file(file, LARGEST_SETTINGS)
    settings = _of(file.absolute())
    if settings is None:
        raise SettingsError(f"{file}: no settings of cr audit; they belong in {_table(file)}")
    return settings


def _table(file: Path) -> str:
    return "[tool.variorum.audit]" if file.name == "pyproject.toml" else "[audit]"


def _of(file: Path) -> Settings | None:
    try:
        data: Mapping[str, Any] = tomllib.loads(read_file(file, LARGEST_SETTINGS).decode())
    except NotReadableError:
        return None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise SettingsError(f"{file}: {error}") from error
    if file.name == "pyproject.toml":
        data = _dig(data, "tool", "variorum")
    unknown = sorted(set(data) - {"audit"})
    if unknown and file.name in FILES:
        where = "[tool.variorum.%s]" if file.name == "pyproject.toml" else "[%s]"
        raise SettingsError(
            f"{file}: {where % unknown[0]} is not a table of cr audit; {_table(file)} is"
        )
    if "audit" not in data:
        return None
    table = _typed(data["audit"], dict, f"{file}: {_table(file)} must be a table")
    return _read(cast("Mapping[str, Any]", table), file)


def _dig(data: Mapping[str, Any], *names: str) -> Mapping[str, Any]:
    for name in names:
        inner: object = data.get(name)
        data = cast("Mapping[str, Any]", inner) if isinstance(inner, dict) else {}
    return data


def _read(table: Mapping[str, Any], file: Path) -> Settings:
    known = {field.name.replace("_", "-") for field in fields(Settings)} - {
        "folder",
        "since",
        "changed_since",
        "all_files",
        "fix_strings",
    }
    unknown = sorted(set(table) - known)
    if unknown:
        raise SettingsError(
            f"{file}: {unknown[0]} is not a setting of cr audit; its settings are {', '.join(sorted(known))}"
        )
    values: dict[str, Any] = {"folder": file.parent}
    for name, value in table.items():
        values[name.replace("-", "_")] = _value(name, value, file)
    settings = Settings(**values)
    _check_ignored(settings.ignore, file)
    return settings


def _value(name: str, value: object, file: Path) -> object:
    if name == "dated":
        return _dated(value, file)
    if name == "follows":
        return _follows(value, file)
    if name in {"blame", "bare", "own-prefixes"}:
        return _typed(value, bool, f"{file}: {name} must be true or false")
    if name in {"prefixes", "exclude", "ignore"}:
        return _strings(value, f"{file}: {name} must be a list of strings")
    text = _typed(value, str, f"{file}: {name} must be a string")
    if name == "baseline" and not text:
        raise SettingsError(f"{file}: baseline must be the name of a file")
    return file.parent / str(text) if name == "baseline" else text


def _dated(value: object, file: Path) -> tuple[DatedFiles, ...]:
    wanted = f'{file}: dated must be a list of tables, each with paths = ["…"] and as-of = "…"'
    dated: list[DatedFiles] = []
    for entry in cast("Sequence[object]", _typed(value, list, wanted)):
        table = cast("Mapping[str, object]", _typed(entry, dict, wanted))
        if set(table) != {"paths", "as-of"}:
            raise SettingsError(wanted)
        as_of = str(_typed(table["as-of"], str, wanted))
        dated.append(DatedFiles(_strings(table["paths"], wanted), as_of))
    return tuple(dated)


def _follows(value: object, file: Path) -> tuple[tuple[str, str], ...]:
    wanted = f'{file}: follows must be a list of pairs, each ["the day", "the edition"], in order of time'
    pairs = [
        _strings(pair, wanted) for pair in cast("Sequence[object]", _typed(value, list, wanted))
    ]
    adopted = tuple([(pair[0], pair[-1]) for pair in pairs])
    is_sound = all(len(pair) == 2 and _DAY.fullmatch(pair[0]) for pair in pairs)  # noqa: PLR2004
    if not is_sound or list(adopted) != sorted(adopted):
        raise SettingsError(wanted)
    return adopted


def _typed(value: object, kind: type, wanted: str) -> object:
    if not isinstance(value, kind):
        raise SettingsError(wanted)
    return value


def _strings(value: object, wanted: str) -> tuple[str, ...]:
    values = cast("Sequence[object]", _typed(value, list, wanted))
    return tuple([str(_typed(text, str, wanted)) for text in values])


def _check_ignored(ignored: Sequence[str], file: Path) -> None:
    for status in ignored:
        if status not in STATUSES[1:]:
            known = ", ".join([status for status in STATUSES if status != CURRENT])
            raise SettingsError(f"{file}: {status!r} cannot be ignored; statuses are {known}")
