"""Where editions are found: a table of addresses, our own `addresses.tsv` or that of a user."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from urllib.parse import unquote, urlsplit

from variorum.files import LARGEST_SETTINGS, read_file
from variorum_crawler.errors import FetchError, SourceError
from variorum_crawler.web_address import parse_address, show

_OURS = Path(__file__).with_name("addresses.tsv")
_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]*")
# What is at an address: a document; a page that links to the current rules; the root of an archive
# like Academy Ruins, or of the Wayback Machine, which is asked for the captures of the next rows.
_KINDS = ("document", "page", "ruins", "wayback", "captures")


@dataclass(frozen=True, slots=True)
class Offer:
    """A document that a source offers: one edition, or one issue of it.

    Attributes:
        name: The name of the file, for people.
        addresses: The addresses of the same bytes, best first.
        effective: The day of the edition according to the source; only the text is trusted.
    """

    name: str
    addresses: tuple[str, ...]
    effective: date | None = None


@dataclass(frozen=True, slots=True)
class Place:
    """A row of the table; in an address of the kind "captures", a final "*" stands for any ending."""

    kind: str
    address: str
    day: date | None


@dataclass(frozen=True, slots=True)
class Source:
    """A publisher of editions; the hosts of one that a user's file names may be private."""

    name: str
    places: tuple[Place, ...]
    is_own: bool = False


def file_name(address: str) -> str:
    """Return the decoded name of the file at an address, with U+FFFD for what controls a terminal.

    >>> file_name("https://example.com/2023/MagicCompRules%2020230414.txt?v=2")
    'MagicCompRules 20230414.txt'
    """
    name = re.split(r"[/\\]", unquote(urlsplit(address).path))[-1].strip()
    return "".join([sign if sign.isprintable() else "\ufffd" for sign in name])


def choose(sources: Sequence[Source], names: Sequence[str]) -> tuple[Source, ...]:
    """Return the named sources, or all.

    Raises:
        SourceError: No source has one of these names.
    """
    existing = {source.name for source in sources}
    for name in names:
        if name not in existing:
            raise SourceError(f"unknown source {name!r}; known are {', '.join(sorted(existing))}")
    return tuple([source for source in sources if not names or source.name in names])


def named_hosts(sources: Sequence[Source]) -> frozenset[str]:
    """Return the hosts in a user's own file; only these may be private."""
    own = [place for source in sources if source.is_own for place in source.places]
    return frozenset(parse_address(place.address).host for place in own)


def load_sources(path: Path | None = None) -> tuple[Source, ...]:
    """Return the sources in the order in which they are asked.

    Args:
        path: The user's file, which replaces ours; a row of one of our names alone stands for ours.

    Raises:
        NotReadableError: The file cannot be opened.
        SourceError: The file cannot be understood; the message names file and line.
    """
    ours = dict(_read(_OURS, _OURS.read_text("utf-8")))
    if path is None:
        return tuple([Source(name, tuple(places)) for name, places in ours.items()])
    try:
        table = read_file(path, LARGEST_SETTINGS).decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise SourceError(f"{path}: {error}") from None
    sources = [
        Source(name, tuple(places or ours.get(name, ())), is_own=bool(places))
        for name, places in _read(path, table)
    ]
    for source in sources:
        if not source.places:
            named = f"{source.name!r} has no address, and is none of {', '.join(ours)}"
            raise SourceError(f"{path}: {named}")
    if not sources:
        raise SourceError(f"{path}: no sources")
    return tuple(sources)


def _read(path: Path, table: str) -> Iterator[tuple[str, list[Place]]]:
    """Yield the places of each source in a table with the columns of ours; "#" begins a remark."""
    places: dict[str, list[Place]] = {}
    for number, line in enumerate(table.splitlines(), start=1):
        if line.strip() and not line.startswith("#"):
            name, kind, day, address, *_ = *[cell.strip() for cell in line.split("\t")], "", "", ""
            where = f"{path}:{number}"
            if (name, kind) == ("source", "kind"):
                continue
            if not _NAME.fullmatch(name):
                raise SourceError(
                    f"{where}: {name!r} is no name of a source; "
                    "the columns are source, kind, day and address, with tabs between them"
                )
            of_source = places.setdefault(name, [])
            if kind or address:
                of_source.append(_place(kind, day, address, where))
    yield from places.items()


def _place(kind: str, day: str, address: str, where: str) -> Place:
    if kind not in _KINDS:
        raise SourceError(f"{where}: the kind {kind!r} is unknown; known are {', '.join(_KINDS)}")
    try:
        return Place(kind, parse_address(address).url, date.fromisoformat(day) if day else None)
    except FetchError as error:
        raise SourceError(f"{where}: {show(address)!r} {error.reason}") from None
    except ValueError:
        raise SourceError(f"{where}: {day!r} is no day such as 2021-07-23") from None
