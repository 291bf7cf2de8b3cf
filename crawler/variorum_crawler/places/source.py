"""The sources of editions, and the choice among them."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from enum import Enum

from variorum_crawler.errors import SourceError
from variorum_crawler.fetch.addresses import parse_address


class Kind(Enum):
    """The kind of a source; values are the words used in the file."""

    ADDRESSES = "addresses"
    PAGE = "page"
    ACADEMY_RUINS = "ruins"
    WAYBACK = "wayback"


@dataclass(frozen=True, slots=True)
class Known:
    """A document whose addresses are known.

    Attributes:
        addresses: The addresses of the same bytes, best first.
        effective: The day that its text states; None if unknown.
        evidence: How we know of it.
    """

    addresses: tuple[str, ...]
    effective: date | None = None
    evidence: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Source:
    """A place that publishes editions; its kind decides which attributes are set.

    Attributes:
        name: Its name on the command line and in the archive.
        evidence: How we know of it, in our words.
        is_enabled: Whether it is asked even if the user does not name it.
        is_own: Whether a user's file names it; if so, its hosts may be private.
        documents: The documents of `addresses`.
        address: For `page` the page, for `ruins` and `wayback` the root of the archive.
        of: For `wayback`: the address to look up; a final "*" means all addresses with this
            beginning.
    """

    name: str
    kind: Kind
    evidence: str = ""
    is_enabled: bool = True
    is_own: bool = False
    documents: tuple[Known, ...] = ()
    address: str = ""
    of: tuple[str, ...] = ()


def choose(sources: Sequence[Source], names: Sequence[str]) -> tuple[Source, ...]:
    """Return the chosen sources, in order of priority.

    Args:
        sources: All of them.
        names: The names of the wanted sources, enabled or not; without names, all enabled sources.

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
    addresses = [source.address for source in own]
    addresses += [
        address for own in own for document in own.documents for address in document.addresses
    ]
    return frozenset(parse_address(address).host for address in addresses if address)
