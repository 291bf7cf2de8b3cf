"""Builds the indexes of a base from existing parts and a new part for other texts."""

from array import array
from collections.abc import Iterator, Mapping, Sequence
from hashlib import blake2b
from itertools import chain
from pathlib import Path
from types import MappingProxyType

from variorum.answers.knowledge_base import KnowledgeBase
from variorum.answers.texts import NO_TEXTS, KnownTexts, Outline
from variorum.files import locked, writable
from variorum.search.indexes.cache import begin, open_manifest, put_in_place, tidy
from variorum.search.indexes.current_indexes import PLACES, BaseIndexes, WantedIndex
from variorum.search.indexes.index import GONE, MARKS, Index, count_documents
from variorum.search.indexes.known_texts import load_texts, save_texts
from variorum.search.indexes.lexicon import Lexicon
from variorum.search.indexes.number_files import load_array, save_array
from variorum.search.indexes.whoosh_index import Entry, write
from variorum.search.queries.vocabulary import copy_vocabulary, save_vocabulary, table_checksum
from variorum.terminal import timed

# If there are more parts than this, all except the largest are joined.
_MOST_PARTS = 8


class Maker:
    """Builds the indexes of an open base."""

    def __init__(self, base: KnowledgeBase, folder: Path) -> None:
        """Prepare to make indexes in a folder."""
        self._base = base
        self._folder = folder

    def make(self, wanted: WantedIndex) -> list[str]:
        """Build an index, unless another process has, and return the names of its parts.

        Raises:
            BaseBusyError: Another process is writing the indexes of this base.
            NotWritableError: The folder cannot be written.
        """
        folder = self._folder / wanted.name
        with locked(self._folder), writable(self._folder):
            manifest = open_manifest(folder)
            if manifest is not None and manifest["rests_on"] == wanted.rests_on:
                return manifest["parts"]
            with timed(f"indexing {wanted.about}"):
                parts = self._make(wanted)
            other_scope = "on" if wanted.scope == "ever" else "ever"
            others = [
                *self._folder.glob(f"{other_scope}-*"),
                *self._folder.glob(f"part-{other_scope}-*"),
            ]
            tidy(self._folder, [wanted.name, *[path.name for path in others]])
            return parts

    def make_parts(self) -> None:
        """Write the parts of both indexes of an unfinished base.

        Raises:
            BaseBusyError: Another process is writing the indexes of this base.
            NotWritableError: The folder cannot be written.
        """
        with locked(self._folder), writable(self._folder):
            texts = self._base.texts
            for wanted in BaseIndexes(self._base).wanted():
                place = None if wanted.edition is None else wanted.edition.place
                self._parts(
                    wanted, texts.distinct()[0] if place is None else texts.outlines_in(place)
                )

    def _make(self, wanted: WantedIndex) -> list[str]:
        before: dict[str, array[int]] = {}
        texts: KnownTexts | None = None
        if wanted.edition is None:
            before, known = self._before(wanted)
            outlines, text_keys, digests = self._base.texts.distinct(known)
            lines = self._base.texts.lines_after(known)
            texts = KnownTexts(len(self._base.editions), text_keys, digests, lines)
        else:
            outlines = self._base.texts.outlines_in(wanted.edition.place)
        parts = self._parts(wanted, outlines, before)
        keys = array("I", chain.from_iterable(parts.values()))
        index = Index([self._folder / name for name in parts], keys)
        new = begin(self._folder)
        Lexicon.of(*index.all_words()).save(new)
        self._keep_vocabulary(new, wanted)
        save_array(new / PLACES, keys)
        if texts is not None:
            save_texts(new, self._base, texts)
        put_in_place(new, wanted.name, wanted.rests_on, list(parts))
        return list(parts)

    def _keep_vocabulary(self, new: Path, wanted: WantedIndex) -> None:
        """Put the vocabulary into a new folder, copied from another index if possible."""
        made_by = f"{wanted.made_by}, vocabulary {table_checksum()}, "
        for folder in sorted([*self._folder.glob("ever-*"), *self._folder.glob("on-*")]):
            manifest = open_manifest(folder, with_parts=False)
            if manifest is not None and manifest["rests_on"].startswith(made_by):
                copy_vocabulary(folder, new)
                return
        from variorum.facts import all_concepts  # noqa: PLC0415 - takes long to import

        save_vocabulary(new, all_concepts())

    def _before(self, wanted: WantedIndex) -> "tuple[dict[str, array[int]], KnownTexts]":
        """Return the parts and texts of an older index, if this base still has its editions.

        The result is empty without such an index, or if the index has too many parts.
        """
        for folder in sorted(self._folder.glob(f"{wanted.scope}-*")):
            manifest = open_manifest(folder)
            if manifest is None or not manifest["rests_on"].startswith(f"{wanted.made_by}, "):
                continue
            known = load_texts(folder, self._base)
            if known is not None and len(manifest["parts"]) < _MOST_PARTS:
                keys, start = load_array(folder / PLACES), 0
                parts: dict[str, array[int]] = {}
                for name in manifest["parts"]:
                    stop = start + count_documents(self._folder / name)
                    parts[name], start = keys[start:stop], stop
                by_size = sorted(parts, key=lambda name: (-len(parts[name]), name))
                return {name: parts[name] for name in by_size}, known
        return {}, NO_TEXTS

    def _parts(
        self,
        wanted: WantedIndex,
        outlines: Sequence[Outline],
        before: "Mapping[str, array[int]]" = MappingProxyType({}),
    ) -> "dict[str, array[int]]":
        """Return the keys of the texts of each part, by its name; each text is in one part.

        Args:
            wanted: The index.
            outlines: The texts of the index, without the texts in `before`.
            before: The parts to keep. If empty, existing parts with enough of the texts are kept.
        """
        readings = self._base.texts.readings([outline.reading for outline in outlines])
        marks = [_mark(outline, readings[outline.reading]) for outline in outlines]
        left: dict[int, list[Outline]] = {}
        for mark, outline in zip(reversed(marks), reversed(outlines), strict=True):
            left.setdefault(mark, []).append(outline)
        known = [] if before else self._known(wanted)
        parts = dict(before)
        for name, held in known[: _MOST_PARTS if len(known) < _MOST_PARTS else 1]:
            # A part is dropped if most of its texts are obsolete.
            if 2 * sum(bool(left.get(mark)) for mark in held) >= len(held):
                keys = [left[mark].pop().key if left.get(mark) else GONE for mark in held]
                parts[name] = array("I", keys)
        rest = {mark: some for mark, some in left.items() if some}
        if rest or not parts:
            new = [outline for some in rest.values() for outline in some]
            parts[self._written(wanted, rest)] = array("I", [outline.key for outline in new])
        return parts

    def _known(self, wanted: WantedIndex) -> list[tuple[str, "array[int]"]]:
        """Return the existing parts of an index, largest first, with the marks of their texts."""
        known: list[tuple[str, array[int]]] = []
        for folder in self._folder.glob(f"part-{wanted.scope}-*"):
            manifest = open_manifest(folder)
            if manifest is not None and manifest["rests_on"] == wanted.made_by:
                known.append((folder.name, load_array(folder / MARKS, "Q")))
        return sorted(known, key=lambda part: (-len(part[1]), part[0]))

    def _written(self, wanted: WantedIndex, texts: Mapping[int, Sequence[Outline]]) -> str:
        """Write a part with these texts and their marks, and return its name."""
        new = begin(self._folder)
        write(new, self._entries([outline for some in texts.values() for outline in some]))
        marks = array("Q", [mark for mark, some in texts.items() for _ in some])
        save_array(new / MARKS, marks)
        digest = blake2b(marks.tobytes() + wanted.made_by.encode(), digest_size=8).hexdigest()
        name = f"part-{wanted.scope}-{digest}"
        put_in_place(new, name, wanted.made_by)
        return name

    def _entries(self, outlines: Sequence[Outline]) -> Iterator[Entry]:
        bodies = self._base.texts.bodies([outline.key for outline in outlines])
        for outline in outlines:
            heading, term = (
                ("", outline.heading) if outline.kind == "glossary" else (outline.heading, "")
            )
            body = bodies[outline.key]
            yield Entry(
                outline.kind,
                outline.number,
                heading,
                term,
                outline.above,
                body.text,
                body.examples,
                outline.cited,
            )


def _mark(outline: Outline, words: str) -> int:
    """Return a digest of a text, the headings above it and its citing provisions."""
    of = f"{outline.kind}\0{outline.number}\0{outline.heading}\0{outline.above}\0{outline.cited}"
    data = f"{of}\0{words}".encode()
    return int.from_bytes(blake2b(data, digest_size=8).digest(), "little")
