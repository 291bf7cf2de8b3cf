"""Opens the indexes of a base, and rebuilds them if they are missing or outdated.

Indexes are a cache of this user (`cache.py`). A folder gets its name when its index is complete. So
an index is either whole or absent, even while other processes build or read. The folder lists
everything on which the index depends.
"""

import contextlib
import zlib
from collections.abc import Callable, Sequence
from functools import cached_property
from pathlib import Path
from pickle import UnpicklingError
from typing import TYPE_CHECKING, NamedTuple

import whoosh

from variorum.answers.editions import EditionEntry
from variorum.answers.knowledge_base import KnowledgeBase
from variorum.errors import BaseBusyError, NoEditionError, NotWritableError
from variorum.search.indexes.cache import (
    cache_of,
    is_ours,
    open_cache,
    open_manifest,
    prune,
    remove,
)
from variorum.search.indexes.lexicon import Lexicon
from variorum.search.indexes.number_files import load_array
from variorum.search.queries.vocabulary import table_checksum
from variorum.versions import version_of

if TYPE_CHECKING:  # a build with valid indexes does not need them
    from array import array
    from tempfile import TemporaryDirectory

    from variorum.search.indexes.index import Index

KEYS, LINES, PLACES = "keys.bin", "lines.bin", "places.bin"


class Kept:
    """An open index with its lexicon.

    Not a dataclass, because importing `dataclasses` takes a tenth of the time of a search.

    Attributes:
        index: The texts by their words.
        lexicon: The words in it.
        folder: The folder of both.
    """

    __slots__ = ("folder", "index", "lexicon")

    def __init__(self, index: "Index", lexicon: Lexicon, folder: Path) -> None:
        self.index = index
        self.lexicon = lexicon
        self.folder = folder

    def keys(self) -> "array[int]":
        """Return the key of each state's text in the index of all texts, by the state's id."""
        return load_array(self.folder / KEYS)

    def lines(self) -> "array[int]":
        """Return the lineage of each state in the index of all texts, by the state's id."""
        return load_array(self.folder / LINES)


class WantedIndex(NamedTuple):
    """An index that should exist.

    Attributes:
        scope: The beginning of its name: "ever", or "on" for the edition in force.
        name: The name of its folder.
        about: Its description for the user.
        edition: Its edition; None for the texts of all editions.
        made_by: The versions of the code that makes its parts.
        rests_on: Everything on which it depends, in words.
    """

    scope: str
    name: str
    about: str
    edition: EditionEntry | None
    made_by: str
    rests_on: str


class BaseIndexes:
    """The indexes of a base: of the edition in force today, and of the texts of all editions."""

    def __init__(self, base: KnowledgeBase, notify: Callable[[str], None] = lambda _: None) -> None:
        """Prepare the indexes of an open base.

        Args:
            base: The base; its day decides which edition is in force.
            notify: Called with a line of text before an index is rebuilt.
        """
        self._base = base
        self._folder = cache_of(base.folder)
        self._notify = notify
        self._unkept: list[TemporaryDirectory[str]] = []

    def close(self) -> None:
        """Remove indexes that could not be kept."""
        for folder in self._unkept:
            folder.cleanup()

    @cached_property
    def current(self) -> Kept:
        """Return the index of the edition in force, rebuilt if needed.

        Raises:
            NoEditionError: No edition is in force.
        """
        return self._open(self._wanted(self._base.edition("current")))

    @cached_property
    def ever(self) -> Kept:
        """Return the index of the texts of all editions, rebuilt if needed."""
        return self._open(self._wanted(None))

    def keep_in_step(self, announce: Callable[[str], None] = lambda _: None) -> None:
        """Build indexes that are missing or outdated, and remove unused ones.

        Args:
            announce: Called with the description of each index before it is made.

        Raises:
            BaseBusyError: Another process is writing the indexes.
            NotWritableError: The folder cannot be written.
        """
        missing = self.missing()
        if not missing:
            return
        from variorum.search.indexes.index_builder import Maker  # noqa: PLC0415 - seldom needed

        maker = Maker(self._base, open_cache(self._base.folder))
        for index in missing:
            announce(index.about)
            maker.make(index)
        prune(self._folder.parent)

    def missing(self) -> list[WantedIndex]:
        """Return the indexes that are missing or outdated."""
        return [index for index in self.wanted() if self._parts(index) is None]

    def wanted(self) -> list[WantedIndex]:
        """Return the indexes that should exist."""
        wanted = [self._wanted(None)]
        with contextlib.suppress(NoEditionError):  # no edition is in force yet
            wanted.append(self._wanted(self._base.edition("current")))
        return wanted

    def _wanted(self, edition: EditionEntry | None) -> WantedIndex:
        label = "" if edition is None else edition.label
        about = "all editions" if edition is None else f"the edition of {label}"
        scope = "ever" if edition is None else "on"
        rests_on = f"{self._made_by}, vocabulary {table_checksum()}, {self._base.digest}, {label}"
        # Two names may be equal by chance, so `_parts` compares the whole of `rests_on`.
        name = f"{scope}-{zlib.crc32(rests_on.encode()):08x}"
        return WantedIndex(scope, name, about, edition, self._made_by, rests_on)

    @cached_property
    def _made_by(self) -> str:
        """Return the versions of the code that makes parts of an index from texts."""
        number = ".".join(map(str, whoosh.__version__))
        return f"index {version_of('index')}, whoosh {number}"

    def _open(self, wanted: WantedIndex) -> Kept:
        folder = self._folder / wanted.name
        parts = self._parts(wanted)
        if parts is not None:
            try:
                return _opened(folder, parts)
            except OSError:
                pass  # another process has just replaced it
            except UnpicklingError:  # this program did not write it
                for name in parts:
                    remove(self._folder / name)
        others = list(self._folder.glob(f"{wanted.scope}-*")) if is_ours(self._folder) else []
        wrong = "damaged" if folder in others else "outdated" if others else "missing"
        self._notify(f"the search index of {wanted.about} is {wrong}; rebuilding it")
        return self._made(wanted)

    def _parts(self, wanted: WantedIndex) -> list[str] | None:
        """Return the names of an index's parts; None if it is missing, outdated or damaged."""
        manifest = open_manifest(self._folder / wanted.name) if is_ours(self._folder) else None
        return manifest["parts"] if manifest and manifest["rests_on"] == wanted.rests_on else None

    def _made(self, wanted: WantedIndex) -> Kept:
        """Build an index, in a temporary folder if it cannot be kept, and open it."""
        from variorum.search.indexes.index_builder import Maker  # noqa: PLC0415 - seldom needed

        try:
            folder = open_cache(self._base.folder)
            parts = Maker(self._base, folder).make(wanted)
        except (BaseBusyError, NotWritableError) as error:
            from tempfile import TemporaryDirectory  # noqa: PLC0415 - likewise

            self._notify(f"the search index cannot be kept: {error}")
            self._unkept.append(TemporaryDirectory(prefix="variorum-"))
            folder = Path(self._unkept[-1].name)
            parts = Maker(self._base, folder).make(wanted)
        else:
            prune(folder.parent)
        return _opened(folder / wanted.name, parts)


def _opened(folder: Path, parts: Sequence[str]) -> Kept:
    from variorum.search.indexes.index import Index  # noqa: PLC0415 - see above

    index = Index([folder.parent / name for name in parts], load_array(folder / PLACES))
    return Kept(index, Lexicon.load(folder), folder)
