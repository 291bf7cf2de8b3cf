"""Make the indexes beside a base: anew, or by adding what later editions brought."""

import json
import shutil
import sys
import zlib
from array import array
from collections.abc import Collection, Iterator, Sequence
from contextlib import closing
from pathlib import Path

from variorum_kb.answers.knowledge_base import KnowledgeBase
from variorum_kb.answers.texts import Outline
from variorum_kb.facts.vocabulary import all_concepts
from variorum_kb.search.index import Entry, Index, amend, count_words, write
from variorum_kb.search.indexes import KEYS, LINES, WantedIndex
from variorum_kb.search.lexicon import Lexicon
from variorum_kb.search.sealed import open_seal, seal
from variorum_kb.search.vocabulary import save_vocabulary
from variorum_kb.system.durable import writable
from variorum_kb.system.lock import locked

_MARKS = "marks.json"
_NEW = "new"
# An index that was amended so often is written anew, since each time leaves a part of its own.
_MOST_AMENDED = 8


class Maker:
    """Makes the indexes of an open base."""

    def __init__(self, base: KnowledgeBase, folder: Path) -> None:
        """Prepare to make indexes in a folder."""
        self._base = base
        self._folder = folder

    def make(self, wanted: WantedIndex) -> Path:
        """Make an index and return its folder; another process may have been faster.

        Raises:
            BaseBusyError: Another process is writing the indexes.
            NotWritableError: The folder cannot be written.
        """
        folder, new = self._folder / wanted.name, self._folder / _NEW
        with locked(self._folder), writable(new):
            manifest = open_seal(folder)
            if manifest is not None and manifest["rests_on"] == wanted.rests_on:
                return folder
            shutil.rmtree(new, ignore_errors=True)
            old = self._to_amend(wanted)
            if old is None:
                new.mkdir()
                self.write(new, wanted)
            else:
                shutil.copytree(old, new)
                self._amend(new, wanted)
            shutil.rmtree(folder, ignore_errors=True)
            new.rename(folder)
        return folder

    def write(self, folder: Path, wanted: WantedIndex) -> None:
        """Write an index into an empty folder."""
        outlines = self._outlines(wanted)
        write(folder, self._entries(outlines))
        self._finish(folder, wanted, outlines, amended=0)

    def _to_amend(self, wanted: WantedIndex) -> Path | None:
        """Return an index that lacks only the editions which came behind its last one.

        The ids of a base's states stay the same where editions are added behind the last.
        """
        for folder in sorted(self._folder.glob(f"{wanted.scope}-*")):
            manifest = open_seal(folder)
            if manifest is None or manifest["amended"] == _MOST_AMENDED:
                continue
            known, editions = manifest["rests_on"], wanted.rests_on["editions"]
            is_alike = known["versions"] == wanted.rests_on["versions"]
            if is_alike and known["editions"] == editions[: len(known["editions"])]:
                return folder
        return None

    def _amend(self, folder: Path, wanted: WantedIndex) -> None:
        manifest = open_seal(folder)
        amended = 0 if manifest is None else manifest["amended"]
        outlines = self._outlines(wanted)
        marks: dict[str, int] = json.loads((folder / _MARKS).read_text("utf-8"))
        stays = {one.key for one in outlines if marks.get(str(one.key)) == _mark(one)}
        with closing(Index(folder)) as index:
            gone = [place for place, key in index.keys.items() if key not in stays]
        fresh = [one for one in outlines if one.key not in stays]
        amend(folder, self._entries(fresh), gone)
        self._finish(folder, wanted, outlines, amended=amended + 1)

    def _outlines(self, wanted: WantedIndex) -> list[Outline]:
        if wanted.edition is None:
            return self._base.texts.distinct[0]
        return self._base.texts.outlines_in(wanted.edition.place)

    def _entries(self, outlines: Sequence[Outline]) -> Iterator[Entry]:
        bodies = self._base.texts.bodies([one.key for one in outlines])
        for one in outlines:
            heading, term = ("", one.heading) if one.kind == "glossary" else (one.heading, "")
            body = bodies[one.key]
            yield Entry(
                one.key,
                one.number,
                heading,
                term,
                one.above,
                body.text,
                body.examples,
                one.cited,
            )

    def _finish(
        self, folder: Path, wanted: WantedIndex, outlines: Sequence[Outline], amended: int
    ) -> None:
        if amended and wanted.edition is not None:
            # What was taken out of this index still counts in it.
            words = count_words(self._entries(outlines))
        else:
            with closing(Index(folder)) as index:
                words = index.all_words()
        Lexicon.of(*words).save(folder)
        save_vocabulary(folder, all_concepts())
        marks = {one.key: _mark(one) for one in outlines}
        (folder / _MARKS).write_text(json.dumps(marks), "utf-8")
        if wanted.edition is None:
            _save_array(folder / KEYS, self._base.texts.distinct[1])
            _save_array(folder / LINES, self._base.texts.lines)
        seal(folder, wanted.rests_on, amended)


def tidy(folder: Path, names: Collection[str]) -> None:
    """Remove the indexes that have none of some names.

    Whoever still reads one keeps its files open; where that keeps them from going, they stay.
    """
    for one in folder.iterdir():
        if one.is_dir() and one.name not in names:
            shutil.rmtree(one, ignore_errors=True)


def _mark(outline: Outline) -> int:
    """Return a checksum of what a text's id does not tell: what it stands under, who cites it."""
    return zlib.crc32(f"{outline.above}\n{outline.cited}".encode())


def _save_array(file: Path, numbers: "array[int]") -> None:
    copied = array("I", numbers)
    if sys.byteorder == "big":
        copied.byteswap()
    file.write_bytes(copied.tobytes())
