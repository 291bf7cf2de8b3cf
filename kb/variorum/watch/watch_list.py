"""Stores the user's watched rules and files, with the edition last reported for each."""

import json
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, cast

from msgspec.structs import replace

from variorum.errors import SettingsError
from variorum.files import write_file
from variorum.records.watch import Watched

NAME = "watched.json"
RULE, FILES = "rule", "files"


def load_watched(folder: Path) -> list[Watched]:
    """Return the watched items in the file beside a base.

    Raises:
        SettingsError: The file is damaged.
    """
    path = folder / NAME
    try:
        value = cast("list[dict[str, Any]]", json.loads(path.read_text("utf-8"))["watched"])
        return [Watched(entry["kind"], entry["name"], entry["edition"]) for entry in value]
    except FileNotFoundError:
        return []
    except (ValueError, KeyError, TypeError) as error:
        raise SettingsError(f"{path}: damaged; remove it and run cr watch again") from error


def save_watched(folder: Path, watched: Iterable[Watched]) -> None:
    """Write the watched items into the file beside a base.

    Raises:
        NotWritableError: The folder does not allow it.
    """
    value = {"watched": [item.as_json() for item in watched]}
    write_file(folder / NAME, f"{json.dumps(value, ensure_ascii=False, indent=1)}\n".encode())


def with_more(watched: Sequence[Watched], more: Iterable[Watched]) -> list[Watched]:
    """Return the watched items with further items, each once."""
    known = {(item.kind, item.name): item for item in (*more, *watched)}
    order = {(item.kind, item.name): item for item in (*watched, *known.values())}
    return list(order.values())


def brought_up_to(
    watched: Iterable[Watched], names: Mapping[str, str | None], edition: str
) -> list[Watched]:
    """Return the watched items after a report on an edition, without removed rules.

    Args:
        watched: The items before the report.
        names: The names of rules in that edition by former name; None for removed rules.
        edition: The label of the edition.
    """
    kept: list[Watched] = []
    for item in watched:
        name = names.get(item.name, item.name if item.kind == FILES else "")
        if name is not None:
            kept.append(replace(item, name=name, edition=edition) if name else item)
    return kept
