"""Where editions are found: our own table, `addresses.tsv`, and the files in TOML of users."""

import re
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime
from pathlib import Path
from typing import TypeVar
from urllib.parse import unquote, urlsplit

from variorum.all_size_limits import LARGEST_SETTINGS
from variorum.facts import read_table
from variorum.system.input_files import read_file
from variorum_crawler.errors import RefusalError, SourceError
from variorum_crawler.fetch.addresses import parse_address

_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]*")
# What each kind of source needs.
_FIELDS = {
    "addresses": ("document",),
    "page": ("address",),
    "ruins": ("address",),
    "wayback": ("address", "of"),
}
# The kinds of our own sources.
_OURS = {"known": "addresses", "official": "page", "ruins": "ruins", "wayback": "wayback"}
_TYPES: dict[type, str] = {bool: "true or false", str: "a string", list: "a list", dict: "a table"}
T = TypeVar("T")


@dataclass(frozen=True, slots=True, kw_only=True)
class Offer:
    """A document that a source offers: one edition, or one issue of it.

    Attributes:
        name: The name of the file, for people.
        addresses: The addresses of the same bytes, best first.
        effective: The day of the edition according to the source; only the text is trusted.
    """

    source: str
    name: str
    addresses: tuple[str, ...]
    effective: date | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Source:
    """A place that publishes editions; its kind decides which attributes are set.

    Attributes:
        is_enabled: Whether it is asked even if the user does not name it.
        is_own: Whether a user's file names it; if so, its hosts may be private.
        documents: What a source of the kind "addresses" offers.
        address: The page, or the root of the archive.
        of: What "wayback" is asked for; a final "*" means all addresses with this beginning.
    """

    name: str
    kind: str
    is_enabled: bool = True
    is_own: bool = False
    documents: tuple[Offer, ...] = ()
    address: str = ""
    of: tuple[str, ...] = ()


def file_name(address: str) -> str:
    """Return the decoded name of the file at an address, with U+FFFD for what controls a terminal.

    >>> file_name("https://example.com/2023/MagicCompRules%2020230414.txt?v=2")
    'MagicCompRules 20230414.txt'
    """
    name = re.split(r"[/\\]", unquote(urlsplit(address).path))[-1].strip()
    return "".join([sign if sign.isprintable() else "\ufffd" for sign in name])


def choose(sources: Sequence[Source], names: Sequence[str]) -> tuple[Source, ...]:
    """Return the named sources, enabled or not; without names, all that are enabled.

    Raises:
        SourceError: No source has one of these names.
    """
    existing = {source.name for source in sources}
    for name in names:
        if name not in existing:
            raise SourceError(f"unknown source {name!r}; known are {', '.join(sorted(existing))}")
    return tuple(
        [source for source in sources if source.name in names or (not names and source.is_enabled)]
    )


def named_hosts(sources: Sequence[Source]) -> frozenset[str]:
    """Return the hosts in a user's own file; only these may be private."""
    own = [source for source in sources if source.is_own]
    addresses = [source.address for source in own if source.address]
    addresses += [address for s in own for offer in s.documents for address in offer.addresses]
    return frozenset(parse_address(address).host for address in addresses)


def load_sources(path: Path | None = None) -> tuple[Source, ...]:
    """Return the sources in the order in which they are asked.

    Args:
        path: The user's file, which replaces or extends ours; None for ours alone.

    Raises:
        NotReadableError: The file cannot be opened.
        SourceError: The file cannot be understood; the message names file and place.
    """
    if path is None:
        return _ours()
    try:
        top = tomllib.loads(read_file(path, LARGEST_SETTINGS).decode("utf-8-sig"))
    except (UnicodeDecodeError, tomllib.TOMLDecodeError, RecursionError) as error:
        raise SourceError(f"{path}: {error}") from error
    where = f"{path}:top"
    _refuse_unknown(top, ("replace", "source"), where)
    is_replaced = _get(top, "replace", bool, where, otherwise=False)
    sources = {} if is_replaced else {source.name: source for source in _ours()}
    tables = _get(top, "source", list, where, otherwise=[])
    if not tables:
        raise SourceError(f"{where}: no [[source]]")
    names: set[str] = set()
    for number, table in enumerate(tables, start=1):
        where = f"{path}:source {number}"
        source = _source(_typed(table, dict, where), where, sources)
        if source.name in names:
            raise SourceError(f"{where}: the name {source.name!r} is used twice")
        names.add(source.name)
        sources[source.name] = source
    return tuple(sources.values())


def _ours() -> tuple[Source, ...]:
    rows = list(read_table(Path(__file__).with_name("addresses.tsv")))
    sources: list[Source] = []
    for name, kind in _OURS.items():
        own = [row for row in rows if row["source"] == name]
        if kind == "addresses":
            days = [date.fromisoformat(row["day"]) if row["day"] else None for row in own]
            offers = [_offer(name, (r["address"],), day) for r, day in zip(own, days, strict=True)]
            sources.append(Source(name=name, kind=kind, documents=tuple(offers)))
        else:
            address, *of = [row["address"] for row in own]
            sources.append(Source(name=name, kind=kind, address=address, of=tuple(of)))
    return tuple(sources)


def _offer(source: str, addresses: tuple[str, ...], day: date | None) -> Offer:
    return Offer(source=source, name=file_name(addresses[0]), addresses=addresses, effective=day)


def _source(table: Mapping[str, object], where: str, known: Mapping[str, Source]) -> Source:
    name = _get(table, "name", str, where)
    if not _NAME.fullmatch(name):
        raise SourceError(f"{where}.name: letters, digits, '.', '_' and '-' only")
    where = f"{where} ({name})"
    is_enabled = _get(table, "enabled", bool, where, otherwise=True)
    if "kind" not in table and name in known:  # only turns a known source on or off
        _refuse_unknown(table, ("name", "enabled"), where)
        return replace(known[name], is_enabled=is_enabled)
    kind = _get(table, "kind", str, where)
    if kind in {"folder", "git"}:
        raise SourceError(f"{where}.kind: {kind!r} is gone; cr build PATH reads folders")
    if kind not in _FIELDS:
        raise SourceError(f"{where}.kind: {kind!r} is unknown; known are {', '.join(_FIELDS)}")
    _refuse_unknown(table, ("name", "kind", "enabled", "evidence", *_FIELDS[kind]), where)
    _get(table, "evidence", str, where, otherwise="")
    source = Source(name=name, kind=kind, is_enabled=is_enabled, is_own=True)
    if kind == "addresses":
        documents = enumerate(_get(table, "document", list, where), start=1)
        offers = [_document(name, each, f"{where}.document {place}") for place, each in documents]
        return replace(source, documents=tuple(offers))
    address = _address(_get(table, "address", str, where), f"{where}.address")
    return replace(
        source, address=address, of=_addresses(table, "of", where) if kind == "wayback" else ()
    )


def _document(source: str, value: object, where: str) -> Offer:
    table = _typed(value, dict, where)
    _refuse_unknown(table, ("addresses", "effective", "evidence"), where)
    day = table.get("effective")
    if day is not None and (isinstance(day, datetime) or not isinstance(day, date)):
        raise SourceError(f"{where}.effective: not a day such as 2021-07-23, without quotes")
    return _offer(source, _addresses(table, "addresses", where), day)


def _addresses(table: Mapping[str, object], name: str, where: str) -> tuple[str, ...]:
    texts, where = _get(table, name, list, where), f"{where}.{name}"
    if not texts:
        raise SourceError(f"{where}: an empty list")
    return tuple([_address(_typed(text, str, where), where) for text in texts])


def _address(text: str, where: str) -> str:
    """Return an address in its normal form; a final "*" stands for any ending."""
    try:
        return parse_address(text.strip()).url
    except RefusalError as error:
        raise SourceError(f"{where}: {text!r} {error.reason}") from None


def _get(
    table: Mapping[str, object], name: str, kind: type[T], where: str, *, otherwise: T | None = None
) -> T:
    value = table.get(name, otherwise)
    if value is None:
        raise SourceError(f"{where}: {name!r} is missing")
    return _typed(value, kind, f"{where}.{name}")


def _typed(value: object, kind: type[T], where: str) -> T:
    if not isinstance(value, kind):
        raise SourceError(f"{where}: not {_TYPES[kind]}")
    return value


def _refuse_unknown(table: Mapping[str, object], known: Sequence[str], where: str) -> None:
    for name in table:
        if name not in known:
            listed = ", ".join(sorted(known))
            raise SourceError(f"{where}: {name!r} is unknown; known are {listed}")
