"""The options of a search, and their defaults."""

from typing import NamedTuple

DEFAULT_HITS = 10


class SearchOptions(NamedTuple):
    """What to search for, and where.

    Attributes:
        query: As the user wrote it.
        on: The designator of an edition; None for the edition in force.
        ever: Whether to search the wording of every edition.
        within: A number; only provisions with it or below it are hits.
        kinds: Values of model.Kind; empty for all kinds.
        limit: The most hits.
    """

    query: str
    on: str | None = None
    ever: bool = False
    within: str = ""
    kinds: tuple[str, ...] = ()
    limit: int = DEFAULT_HITS
