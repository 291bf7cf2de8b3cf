"""The search indexes of a base: made when they are needed, and kept in the user's cache.

An index is never read from a base, because Whoosh reads pickles and a base may come from anybody. The
name of its folder is a digest of everything that its content rests on. A folder is private, and whole or absent.
"""

import os
import re
import shutil
import stat
from collections.abc import Callable
from contextlib import ExitStack, suppress
from functools import cache
from hashlib import blake2b
from pathlib import Path
from tempfile import TemporaryDirectory, mkdtemp
from typing import Any
from zlib import crc32

import msgspec
import whoosh
from whoosh import fields, index

from variorum.answers.knowledge_base import KnowledgeBase
from variorum.answers.stored import lines_of, outlines_of
from variorum.errors import FileError
from variorum.facts import VOCABULARY
from variorum.files import Closing, cache_folder, digest_of_sources, writable
from variorum.rows import EditionRow, examples_of, text_of
from variorum.search.index import COLUMNS, FIELDS, Columns, Index, Rules, stems_in
from variorum.search.vocabulary import read_vocabulary
from variorum.text import sentence_spans

_NAME, _UNFINISHED, _SUM = re.compile(r"[0-9a-f]{32}").fullmatch, "new-", "sum"
# Indexes that were not used for longest are removed if there are more.
_MOST = 48


class SearchIndexes(Closing):
    """The indexes of a base: of its editions, and of the texts of all editions."""

    def __init__(self, base: KnowledgeBase, notify: Callable[[str], None] = lambda _: None) -> None:
        """Prepare the indexes of an open base; `notify` is called with a line before one is made."""
        self._base, self._notify, self._open = base, notify, ExitStack()
        self._index_of = cache(self._find)
        self._rules_of = cache(lambda label: Rules(self._index_of(label), label))

    def close(self) -> None:
        """Close the indexes, and remove those that could not be kept."""
        self._open.close()

    def of(self, edition: EditionRow | None) -> Index:
        """Return the index of an edition, or of the texts of all editions; made if needed."""
        return self._index_of(edition.label if edition else "")

    def rules(self, edition: EditionRow) -> Rules:
        """Return the rules of an edition by their words."""
        return self._rules_of(edition.label)

    def _find(self, label: str) -> Index:
        here = Path(__file__).parent
        sources = [here.parent / it for it in ("answers/stored.py", "text.py", "words.py")]
        rests_on = f"{digest_of_sources(here, VOCABULARY, *sources)} whoosh {whoosh.__version__}"
        name = blake2b(f"{rests_on} {self._base.digest} {label}".encode(), digest_size=16)
        folder = cache_folder().absolute() / "search" / name.hexdigest()
        opened = None
        if _is_private(folder.parent) and _is_private(folder):
            with suppress(Exception):  # one that is damaged in any way is made again
                is_whole = (folder / _SUM).read_bytes() == _sum_of(folder)
                opened = Index(folder) if is_whole else None
        opened = opened or self._made(label, folder)
        self._open.callback(opened.close)
        return opened

    def _made(self, label: str, folder: Path) -> Index:
        if not label:  # the others take a second
            self._notify("making the search index of all editions")
        try:
            with writable(folder):
                self._keep(label, folder)
        except FileError as error:
            self._notify(f"the search index cannot be kept: {error}")
            folder = Path(self._open.enter_context(TemporaryDirectory(prefix="variorum-")))
            self._fill(label, folder)
        return Index(folder)

    def _keep(self, label: str, folder: Path) -> None:
        """Make a folder of the cache, and remove those that were not used for long."""
        folder.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        if not _is_private(folder.parent):
            raise FileError(f"{folder.parent}: other users may write there")
        # Of two processes that make it at once, the later one replaces the equal work of the other.
        new = Path(mkdtemp(prefix=_UNFINISHED, dir=folder.parent))
        try:
            self._fill(label, new)
            shutil.rmtree(folder, ignore_errors=True)
            new.rename(folder)
        except BaseException:
            shutil.rmtree(new, ignore_errors=True)
            if not _is_private(folder):
                raise
        paths = [path for path in folder.parent.iterdir() if not path.name.startswith(_UNFINISHED)]
        finished = [path for path in paths if _NAME(path.name)]
        latest = sorted(finished, key=lambda path: path.stat().st_mtime)[-_MOST:]
        for path in {*paths} - {*latest}:
            shutil.rmtree(path, ignore_errors=True)

    def _fill(self, label: str, folder: Path) -> None:
        """Write the index of an edition, or of the distinct texts of each lineage."""
        edition = self._base.edition(label).place if label else None
        outlines = outlines_of(self._base, edition)
        words = fields.KEYWORD(stored=True, scorable=True)
        opened: Any = index.create_in(str(folder), fields.Schema(**dict.fromkeys(FIELDS, words)))
        writer = opened.writer(limitmb=256)
        stemmed = cache(_stemmed_lines)
        lengths, headings = list[int](), list[str]()
        for state, headings_above, _ in outlines:
            above = "\n".join([" ".join(stems_in(part)) for part in headings_above.split("\n")])
            examples = "\n".join(examples_of(state.body))
            row = stemmed(state.heading), above, stemmed(text_of(state.body)), stemmed(examples)
            writer.add_document(**dict(zip(FIELDS, row, strict=True)))
            lengths.append(len(row[2].split()))
            headings.append(row[0].replace("\n", " "))
        writer.commit()
        opened.close()
        about = [(state.id, state.kind, state.number, count) for state, _, count in outlines]
        keys, kinds, numbers, cited = zip(*about, strict=True)
        lines = keys if label else [*map(lines_of(self._base).__getitem__, keys)]
        columns = Columns(
            *(keys, kinds, numbers, cited, lines, lengths, headings), read_vocabulary()
        )
        (folder / COLUMNS).write_bytes(msgspec.json.encode(columns))
        (folder / _SUM).write_bytes(_sum_of(folder))


def _sum_of(folder: Path) -> bytes:
    files = [folder / COLUMNS, *folder.glob("*.seg")]
    return b"%d" % crc32(b"".join([file.read_bytes() for file in files]))


def _stemmed_lines(text: str) -> str:
    """Return the stems of a text, with a line for each sentence."""
    lines = [" ".join(stems_in(text[start:stop])) for start, stop in sentence_spans(text)]
    return "\n".join(filter(None, lines))


def _is_private(folder: Path) -> bool:
    """Return whether a folder is there, and no other user may write in it."""
    try:
        status = folder.lstat()
    except OSError:
        return False
    if not hasattr(os, "geteuid"):
        return stat.S_ISDIR(status.st_mode)
    is_own = status.st_uid == os.geteuid() and stat.S_ISDIR(status.st_mode)
    return is_own and not status.st_mode & (stat.S_IWGRP | stat.S_IWOTH)
