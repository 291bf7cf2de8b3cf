"""Sources, as far as a run has to do with them."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import partial

from variorum_crawler.asking import Asker
from variorum_crawler.discover import discover
from variorum_crawler.model import Offer
from variorum_crawler.sources import Source


@dataclass(frozen=True, slots=True)
class Place:
    """A source, as far as a run has to do with it.

    Attributes:
        name: Its name.
        offers: Yields what it offers; may raise a `FetchError` or a `SourceError` meanwhile.
    """

    name: str
    offers: Callable[[Asker], Iterator[Offer]]


def places_of(sources: Iterable[Source]) -> list[Place]:
    """Return sources as places to ask."""
    return [Place(source.name, partial(_offers, source)) for source in sources]


def _offers(source: Source, asker: Asker) -> Iterator[Offer]:
    return discover(source, asker.page)
