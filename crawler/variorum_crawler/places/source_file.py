"""Read source files: our own `sources.toml`, and those of users."""

import re
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime
from importlib.resources import files
from pathlib import Path
from typing import cast

from variorum_crawler.errors import SourceError
from variorum_crawler.fetch.addresses import parse_address
from variorum_crawler.fetch.failures import RefusalError
from variorum_crawler.places.source import Kind, Known, Source
from variorum_kb.all_size_limits import LARGEST_SETTINGS
from variorum_kb.system.input_files import read_file


def load_sources(path: Path | None = None) -> tuple[Source, ...]:
    """Return the sources in order of priority.

    Args:
        path: The user's file, which replaces or extends ours; None for ours alone.

    Raises:
        NotReadableError: The file cannot be opened.
        SourceError: The file cannot be understood; the message names file and place.
    """
    packaged = files("variorum_crawler.places").joinpath("sources.toml").read_text("utf-8")
    built_in = _Settings("sources.toml").parse(packaged)
    if path is None:
        return built_in
    try:
        text = read_file(path, LARGEST_SETTINGS).decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise SourceError(f"{path}: {error}") from error
    return _Settings(str(path), is_own=True).parse(text, built_in)


_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]*")
_COMMON = ("name", "kind", "enabled", "evidence")
# The other fields of each kind of source; all are required.
_SETTINGS = {
    Kind.ADDRESSES: ("document",),
    Kind.PAGE: ("address",),
    Kind.ACADEMY_RUINS: ("address",),
    Kind.WAYBACK: ("address", "of"),
}
_TYPES = {bool: "true or false", str: "a string", list: "a list", dict: "a table"}


@dataclass(frozen=True, slots=True)
class _Table:
    """A table in a file of sources.

    Attributes:
        where: The file and the place in it, for errors.
    """

    where: str
    said: Mapping[str, object]

    def check(self, *known: str) -> None:
        for name in self.said:
            if name not in known:
                raise SourceError(f"{self.where}: {name!r} is unknown; known are {_list(known)}")

    def need(self, name: str) -> None:
        if name not in self.said:
            raise SourceError(f"{self.where}: {name!r} is missing")

    def flag(self, name: str, *, otherwise: bool) -> bool:
        value = self.said.get(name, otherwise)
        return cast("bool", _typed(value, bool, f"{self.where}.{name}"))

    def text(self, name: str) -> str:
        return cast("str", _typed(self.said.get(name, ""), str, f"{self.where}.{name}"))

    def texts(self, name: str) -> tuple[str, ...]:
        where = f"{self.where}.{name}"
        values = cast("list[object]", _typed(self.said.get(name, []), list, where))
        if name in self.said and not values:
            raise SourceError(f"{where}: an empty list")
        return tuple([cast("str", _typed(value, str, where)) for value in values])

    def tables(self, name: str) -> "list[_Table]":
        where = f"{self.where}.{name}"
        values = cast("list[object]", _typed(self.said.get(name, []), list, where))
        tables = [cast("Mapping[str, object]", _typed(value, dict, where)) for value in values]
        return [_Table(f"{where} {i}", table) for i, table in enumerate(tables, start=1)]

    def day(self, name: str) -> date | None:
        value = self.said.get(name)
        if value is None or (isinstance(value, date) and not isinstance(value, datetime)):
            return value
        raise SourceError(f"{self.where}.{name}: not a day such as 2021-07-23, without quotes")

    def address(self, name: str) -> str:
        return _address(self.text(name), f"{self.where}.{name}")


def _typed(value: object, kind: type, where: str) -> object:
    if not isinstance(value, kind):
        raise SourceError(f"{where}: not {_TYPES[kind]}")
    return value


def _address(text: str, where: str) -> str:
    try:
        return parse_address(text.strip()).url
    except RefusalError as error:
        raise SourceError(f"{where}: {text!r} {error.reason}") from None


def _list(names: Sequence[str]) -> str:
    return ", ".join(sorted(names))


@dataclass(frozen=True, slots=True)
class _Settings:
    """A file of sources, read strictly.

    Attributes:
        file: Its name, for errors.
        is_own: Whether it is a user's file.
    """

    file: str
    is_own: bool = False

    def parse(self, text: str, built_in: Sequence[Source] = ()) -> tuple[Source, ...]:
        """Return the sources of the file, combined with ours or instead of them."""
        try:
            top = _Table(f"{self.file}:top", tomllib.loads(text))
        except (tomllib.TOMLDecodeError, RecursionError) as error:
            raise SourceError(f"{self.file}: {error}") from error
        top.check("replace", "source")
        kept = () if top.flag("replace", otherwise=False) else built_in
        sources = {source.name: source for source in kept}
        names: set[str] = set()
        for number, table in enumerate(top.tables("source"), start=1):
            source = self._source(_Table(f"{self.file}:source {number}", table.said), sources)
            if source.name in names:
                raise SourceError(
                    f"{self.file}:source {number}: the name {source.name!r} is used twice"
                )
            names.add(source.name)
            sources[source.name] = source
        if not names:
            raise SourceError(f"{self.file}:top: no [[source]]")
        return tuple(sources.values())

    def _source(self, table: _Table, known: Mapping[str, Source]) -> Source:
        table.need("name")
        name = table.text("name")
        if not _NAME.fullmatch(name):
            raise SourceError(f"{table.where}.name: letters, digits, '.', '_' and '-' only")
        table = _Table(f"{table.where} ({name})", table.said)
        is_enabled = table.flag("enabled", otherwise=True)
        if "kind" not in table.said and name in known:  # only turns a known source on or off
            table.check("name", "enabled")
            return replace(known[name], is_enabled=is_enabled)
        return replace(self._of_kind(_kind(table), name, table), is_enabled=is_enabled)

    def _of_kind(self, kind: Kind, name: str, table: _Table) -> Source:
        table.check(*_COMMON, *_SETTINGS[kind])
        for setting in _SETTINGS[kind]:
            table.need(setting)
        return Source(
            name=name,
            kind=kind,
            evidence=table.text("evidence"),
            is_own=self.is_own,
            documents=tuple([_known(document) for document in table.tables("document")]),
            address=table.address("address") if "address" in table.said else "",
            of=tuple([_captured(address, f"{table.where}.of") for address in table.texts("of")]),
        )


def _kind(table: _Table) -> Kind:
    table.need("kind")
    name = table.text("kind")
    if name in {"folder", "git"}:
        raise SourceError(f"{table.where}.kind: {name!r} is gone; cr build PATH reads folders")
    try:
        return Kind(name)
    except ValueError:
        kinds = _list([kind.value for kind in Kind])
        raise SourceError(f"{table.where}.kind: {name!r} is unknown; known are {kinds}") from None


def _known(table: _Table) -> Known:
    table.check("addresses", "effective", "evidence")
    table.need("addresses")
    where = f"{table.where}.addresses"
    addresses = tuple([_address(address, where) for address in table.texts("addresses")])
    return Known(addresses, table.day("effective"), table.text("evidence"))


def _captured(text: str, where: str) -> str:
    """Return an address to look up in an archive; a final "*" stands for any ending."""
    tidy = _address(text.removesuffix("*"), where)
    return f"{tidy}*" if text.endswith("*") else tidy
