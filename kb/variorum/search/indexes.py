"""The search indexes of a base: made when they are needed, and kept in the user's cache.

The name of a file there is a digest of everything that its content rests on. It begins with its checksum.
"""

import os
from collections import defaultdict
from collections.abc import Callable
from contextlib import suppress
from functools import cache
from hashlib import blake2b
from pathlib import Path
from zlib import crc32

import msgspec

from variorum.answers.knowledge_base import KnowledgeBase
from variorum.answers.stored import lines_of, outlines_of
from variorum.errors import FileError
from variorum.facts import VOCABULARY
from variorum.files import cache_folder, digest_of_sources, writable
from variorum.rows import EditionRow, examples_of, text_of
from variorum.search.index import FIELDS, Index, Points, Rules, stems_in
from variorum.search.vocabulary import read_vocabulary
from variorum.text import sentence_spans

_pack = msgspec.msgpack.encode
# Indexes that were not used for longest are removed if there are more.
_MOST = 48


class SearchIndexes:
    """The indexes of a base: of its editions, and of the texts of all editions."""

    def __init__(self, base: KnowledgeBase, notify: Callable[[str], None] = lambda _: None) -> None:
        """Prepare the indexes of an open base; `notify` is called with a line before one is made."""
        self._base, self._notify = base, notify
        self._index_of = cache(self._find)
        self._rules_of = cache(lambda label: Rules(self._index_of(label), label))

    def of(self, edition: EditionRow | None) -> Index:
        """Return the index of an edition, or of the texts of all editions; made if needed."""
        return self._index_of(edition.label if edition else "")

    def rules(self, edition: EditionRow) -> Rules:
        """Return the rules of an edition by their words."""
        return self._rules_of(edition.label)

    def _find(self, label: str) -> Index:
        here = Path(__file__).parent
        sources = [here.parent / it for it in ("answers/stored.py", "text.py", "words.py")]
        rests_on = digest_of_sources(here, VOCABULARY, *sources), self._base.digest, label
        name = blake2b(" ".join(rests_on).encode(), digest_size=16).hexdigest()
        file = cache_folder() / "search" / f"{name}.index"
        with suppress(OSError, msgspec.MsgspecError):  # there is none yet, or it is damaged
            data = file.read_bytes()
            if data[:4] == crc32(data[4:]).to_bytes(4):
                os.utime(file)  # was used
                return msgspec.msgpack.decode(data[4:], type=Index)
        if not label:  # the others take less than a second
            self._notify("making the search index of all editions")
        index = self._made(label)
        try:
            _keep(file, _pack(index))
        except FileError as error:
            self._notify(f"the search index cannot be kept: {error}")
        return index

    def _made(self, label: str) -> Index:
        """Return the index of an edition, or of the distinct texts of each lineage."""
        outlines = outlines_of(self._base, self._base.edition(label).place if label else None)
        stemmed, texts = cache(_stemmed_lines), list[tuple[str, ...]]()
        having: defaultdict[str, Points] = defaultdict(dict)
        for place, (state, headings_above, _) in enumerate(outlines):
            above = "\n".join([" ".join(stems_in(part)) for part in headings_above.split("\n")])
            examples = "\n".join(examples_of(state.body))
            heading = stemmed(state.heading).replace("\n", " ")
            texts.append((heading, above, stemmed(text_of(state.body)), stemmed(examples)))
            for weight, part in zip(FIELDS.values(), texts[-1], strict=True):
                for stem in part.split():
                    having[stem][place] = having[stem].get(place, 0.0) + weight
        about = [(state.id, state.kind, state.number, count) for state, _, count in outlines]
        keys, kinds, numbers, cited = zip(*about, strict=True)
        return Index(
            *(keys, kinds, numbers, cited),
            keys if label else [*map(lines_of(self._base).__getitem__, keys)],
            [len(text.split()) for _, _, text, _ in texts],
            texts,
            {stem: msgspec.Raw(_pack(points)) for stem, points in having.items()},
            read_vocabulary(),
        )


def _keep(file: Path, data: bytes) -> None:
    """Write a file of the cache, whole or not at all, and remove those that were not used for long."""
    with writable(file):
        file.parent.mkdir(parents=True, exist_ok=True)
        # Of two processes that write it at once, the later one replaces the equal file of the other.
        new = file.with_suffix(f".{os.getpid()}")
        new.write_bytes(crc32(data).to_bytes(4) + data)
        new.replace(file)
        used = sorted(file.parent.glob("*.*"), key=lambda it: it.stat().st_mtime)
        for other in used[:-_MOST]:
            other.unlink(missing_ok=True)


def _stemmed_lines(text: str) -> str:
    """Return the stems of a text, with a line for each sentence."""
    lines = [" ".join(stems_in(text[start:stop])) for start, stop in sentence_spans(text)]
    return "\n".join(filter(None, lines))
