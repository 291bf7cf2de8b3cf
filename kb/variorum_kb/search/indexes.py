"""The indexes beside a base: opened, and made anew where they are missing or outdated.

They are a cache. A folder gets its name when its index is complete, and says inside all that it
rests on; so an index is either whole or not there, whoever builds and whoever reads meanwhile.
"""

import contextlib
import sys
import zlib
from array import array
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import whoosh

from variorum_kb.answers.editions import EditionEntry
from variorum_kb.answers.knowledge_base import KnowledgeBase
from variorum_kb.errors import BaseBusyError, NoEditionError, NotWritableError
from variorum_kb.search.lexicon import Lexicon
from variorum_kb.search.sealed import RestsOn, open_seal
from variorum_kb.search.vocabulary import table_checksum
from variorum_kb.versions import version_of

if TYPE_CHECKING:  # Whoosh takes longer to import than most builds take to see that all is well
    from tempfile import TemporaryDirectory

    from variorum_kb.search.index import Index

INDEXES = "index"
KEYS, LINES = "keys.bin", "lines.bin"


@dataclass(slots=True)
class Kept:
    """An open index and what lies beside it.

    Attributes:
        index: Whoosh's.
        lexicon: The words in it.
        folder: That holds them.
    """

    index: "Index"
    lexicon: Lexicon
    folder: Path

    def keys(self) -> "array[int]":
        """Return the key of each state's text by the state's id; of the index of all texts."""
        return _load_array(self.folder / KEYS)

    def lines(self) -> "array[int]":
        """Return the lineage of each state by the state's id; of the index of all texts."""
        return _load_array(self.folder / LINES)


def _load_array(file: Path) -> "array[int]":
    found = array("I")
    found.frombytes(file.read_bytes())
    if sys.byteorder == "big":
        found.byteswap()
    return found


class WantedIndex(NamedTuple):
    """An index that should be there.

    Attributes:
        scope: What its name begins with: "ever", or "on" for the edition in force.
        name: Of its folder.
        about: In words for the user.
        edition: Which edition it holds; None for all texts that ever were.
        rests_on: What it must rest on.
    """

    scope: str
    name: str
    about: str
    edition: EditionEntry | None
    rests_on: RestsOn


class BaseIndexes:
    """The indexes of a base: of the edition in force today, and of every text that ever was."""

    def __init__(
        self, base: KnowledgeBase, folder: Path, notify: Callable[[str], None] = lambda _: None
    ) -> None:
        """Prepare the indexes of an open base.

        Args:
            base: The base; its day decides which edition is in force.
            folder: Of the base.
            notify: Called with a line of text when an index has to be made anew.
        """
        self._base = base
        self._folder = folder / INDEXES
        self._notify = notify
        self._unkept: list[TemporaryDirectory[str]] = []

    def close(self) -> None:
        """Let go of what could not be kept."""
        for folder in self._unkept:
            folder.cleanup()

    @cached_property
    def current(self) -> Kept:
        """Return the index of the edition in force, made anew if need be.

        Raises:
            NoEditionError: None is in force.
        """
        return self._open(self._wanted(self._base.edition("current")))

    @cached_property
    def ever(self) -> Kept:
        """Return the index of every text that ever was, made anew if need be."""
        return self._open(self._wanted(None))

    def keep_in_step(self, announce: Callable[[str], None] = lambda _: None) -> None:
        """Make what is missing or outdated, and remove what nobody needs.

        Args:
            announce: Called with what each index is about before it is made.

        Raises:
            BaseBusyError: Another process is writing the indexes.
            NotWritableError: The folder cannot be written.
        """
        wanted = self.wanted()
        missing = [one for one in wanted if self._is_missing(self._folder / one.name, one)]
        if not missing:
            return
        from variorum_kb.search.index_builder import Maker, tidy  # noqa: PLC0415 - seldom needed

        for one in missing:
            announce(one.about)
            Maker(self._base, self._folder).make(one)
        tidy(self._folder, {one.name for one in wanted})

    def wanted(self) -> list[WantedIndex]:
        """Return the indexes that should be there."""
        found = [self._wanted(None)]
        with contextlib.suppress(NoEditionError):  # none is in force yet
            found.append(self._wanted(self._base.edition("current")))
        return found

    def _wanted(self, edition: EditionEntry | None) -> WantedIndex:
        label = "" if edition is None else edition.label
        rests_on: RestsOn = {
            "versions": self._versions,
            "edition": label,
            "editions": [one.sha256 for one in self._base.editions],
        }
        scope = "ever" if edition is None else "on"
        about = "all readings" if edition is None else f"the edition of {label}"
        # Only a name; what the index rests on is compared whole.
        name = f"{scope}-{zlib.crc32(repr(rests_on).encode()):08x}"
        return WantedIndex(scope, name, about, edition, rests_on)

    @cached_property
    def _versions(self) -> str:
        """Return the versions of all that indexes rest on but the editions."""
        number = ".".join(map(str, whoosh.__version__))
        search = f"index {version_of('index')}, whoosh {number}"
        made_by = [f"{name} {value}" for name, value in sorted(self._base.made_by().items())]
        return ", ".join([search, f"vocabulary {table_checksum()}", *made_by])

    def _open(self, wanted: WantedIndex) -> Kept:
        from variorum_kb.search.index import Index  # noqa: PLC0415 - see above

        folder = self._folder / wanted.name
        if self._is_missing(folder, wanted):
            others = sorted(self._folder.glob(f"{wanted.scope}-*"))
            wrong = "damaged" if folder in others else "outdated" if others else "missing"
            self._notify(f"the search index of {wanted.about} is {wrong}; it is made anew")
            folder = self._made(wanted)
        return Kept(Index(folder), Lexicon.load(folder), folder)

    def _is_missing(self, folder: Path, wanted: WantedIndex) -> bool:
        manifest = open_seal(folder)
        return manifest is None or manifest["rests_on"] != wanted.rests_on

    def _made(self, wanted: WantedIndex) -> Path:
        """Make an index, elsewhere if it cannot be kept beside the base."""
        from variorum_kb.search.index_builder import Maker  # noqa: PLC0415 - seldom needed

        maker = Maker(self._base, self._folder)
        try:
            return maker.make(wanted)
        except (BaseBusyError, NotWritableError) as error:
            from tempfile import TemporaryDirectory  # noqa: PLC0415 - likewise

            self._notify(f"the search index is made for this one time: {error}")
            self._unkept.append(TemporaryDirectory(prefix="variorum-"))
            folder = Path(self._unkept[-1].name)
            maker.write(folder, wanted)
            return folder
