"""The index of an edition's texts, or of all texts that ever stood: which of them have a word, and how weightily.

Whoosh keeps it. Words are indexed as stems, so that any form of a word finds any other.
"""

import json
import os
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from functools import cache, cached_property, partial
from hashlib import blake2b
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple
from zlib import crc32

import whoosh
from whoosh import fields, index

from variorum.answers.editions import EditionEntry
from variorum.answers.knowledge_base import KnowledgeBase
from variorum.errors import NotWritableError
from variorum.facts import VOCABULARY
from variorum.search.cache import cached_folder, is_whole, make_folder
from variorum.search.vocabulary import Vocabulary, save_vocabulary
from variorum.search.weights import TABLE, fitted_weights, numbers_now
from variorum.text import plain_words, sentence_spans
from variorum.versions import version_of
from variorum.words import NOUN_ENDINGS, family_of, stem_of

# The weight of a word by the field in which it occurs; a headword of the glossary is its heading.
FIELDS = {"heading": 4.0, "above": 1.2, "text": 1.0, "examples": 0.3}
# BM25F: how soon repeated words stop counting, how much less a long text counts, and the usual
# length of a text in words. That is fixed, since the mean changes with every edition.
_K, _B, _USUAL_LENGTH = 1.2, 0.45, 45
_COLUMNS = "columns.json"


def stems_in(text: str) -> list[str]:
    """Return the stems of a text's words in their order."""
    return list(map(stem_of, plain_words(text)))


class StemmedText(NamedTuple):
    """A text as it is ranked: the stems of its heading, of the nearest heading above it, and of its words.

    Its examples follow its own words. `ends` are the places after each sentence, `at` has those of each stem.
    """

    heading: tuple[str, ...]
    above: tuple[str, ...]
    stems: tuple[str, ...]
    ends: tuple[int, ...]
    at: Mapping[str, Sequence[int]]


class Columns(NamedTuple):
    """What ranking needs to know of all texts, by their places in the index.

    `keys` are the ids of the first states with these texts, `cited` counts the provisions that cite them,
    `headings` are stems. Of an edition, `moved` has the
    numbers of rules that had others when weights.tsv was fitted; of all texts, `key_of` and `lines` have the
    key and the lineage of each state.
    """

    keys: list[int]
    kinds: list[str]
    numbers: list[str]
    lengths: list[int]
    cited: list[int]
    headings: list[str]
    moved: dict[str, str]
    key_of: list[int]
    lines: list[int]


class Index:
    """An open index."""

    def __init__(self, folder: Path) -> None:
        self.vocabulary = Vocabulary(folder)
        self.columns = Columns(*json.loads((folder / _COLUMNS).read_bytes()))
        # A reader is enough, and takes half the time of a searcher to import.
        opened: Any = index.open_dir(str(folder), readonly=True)
        self._reader: Any = opened.reader()
        os.utime(folder)  # was used
        self.counts = cache(self._counts)
        self.weights = cache(self._weights)
        self.text = cache(self._text)

    def close(self) -> None:
        """Close the files."""
        self._reader.close()

    def __len__(self) -> int:
        """Return the number of texts."""
        return len(self.columns.keys)

    def _counts(self, stem: str) -> dict[int, float]:
        """Return how often each text that has a stem has it; in a heading, it counts several times."""
        found: dict[int, float] = {}
        for field, weight in FIELDS.items():
            if (field, stem) in self._reader:
                matcher = self._reader.postings(field, stem)
                while matcher.is_active():
                    place = matcher.id()
                    found[place] = found.get(place, 0.0) + weight * matcher.weight()
                    matcher.next()
        return found

    def _weights(self, stem: str) -> dict[int, float]:
        """Return the weight of a stem in each text that has it: from 0 to 1."""
        lengths = self.columns.lengths
        return {
            place: count / (count + _K * (1 - _B + _B * lengths[place] / _USUAL_LENGTH))
            for place, count in self.counts(stem).items()
        }

    def _text(self, place: int) -> StemmedText:
        # Each sentence, and each heading above, has a line.
        stored = self._reader.stored_fields(place)
        heading, above, text, examples = [stored.get(field, "") for field in FIELDS]
        stems, ends, at = list[str](), list[int](), defaultdict[str, list[int]](list)
        for line in (text + "\n" + examples).split("\n"):
            stems += line.split()
            ends.append(len(stems))
        for where, stem in enumerate(stems):
            at[stem].append(where)
        nearest = tuple(above.partition("\n")[0].split())
        return StemmedText(tuple(heading.split()), nearest, tuple(stems), tuple(ends), at)

    def frequency(self, stem: str) -> int:
        """Return in how many texts a stem occurs; a text counts for each of its fields."""
        return sum([int(self._reader.doc_frequency(field, stem)) for field in FIELDS])

    def knows(self, stem: str) -> bool:
        """Return whether a text has a stem, or players say it."""
        return self.frequency(stem) > 0 or self.vocabulary.knows(stem)

    def is_term(self, stem: str) -> bool:
        """Return whether a stem is in a heading or headword."""
        return ("heading", stem) in self._reader

    def relatives(self, stem: str) -> list[str]:
        """Return the stems derived from the same stem: regenerate, regeneration."""
        root = family_of(stem) or stem
        derived = [root, *[root + ending for ending in NOUN_ENDINGS]]
        return [each for each in derived if each != stem and self.frequency(each)]

    def beginning(self, letters: str) -> set[str]:
        """Return the stems that begin with some letters, and the stem of these letters."""
        found = [term for field in FIELDS for term in self._reader.expand_prefix(field, letters)]
        words = [term.decode() if isinstance(term, bytes) else str(term) for term in found]
        return {stem_of(letters), *words}

    @cached_property
    def places(self) -> dict[int, int]:
        """Return the places of the texts by their keys."""
        return {key: place for place, key in enumerate(self.columns.keys)}


class SearchIndexes:
    """The indexes of a base: of its editions, and of the texts of all editions."""

    def __init__(self, base: KnowledgeBase, notify: Callable[[str], None] = lambda _: None) -> None:
        """Prepare the indexes of an open base; `notify` is called with a line before one is made."""
        self._base, self._notify = base, notify
        self._open: dict[str, Index] = {}
        self._unkept: list[TemporaryDirectory[str]] = []

    def close(self) -> None:
        """Close the indexes, and remove those that could not be kept."""
        for opened in self._open.values():
            opened.close()
        for folder in self._unkept:
            folder.cleanup()

    def of(self, edition: EditionEntry | None) -> Index:
        """Return the index of an edition, or of the texts of all editions; made if needed."""
        label = edition.label if edition else ""
        if label not in self._open:
            folder = self._folder(edition)
            if is_whole(folder):
                with suppress(Exception):  # one that is damaged in any way is made again
                    self._open[label] = Index(folder)
            if label not in self._open:
                self._open[label] = self._made(edition, folder)
        return self._open[label]

    def _made(self, edition: EditionEntry | None, folder: Path) -> Index:
        if edition is None:  # the others take a second
            self._notify("making the search index of all editions")
        try:
            make_folder(folder, partial(self._make, edition))
        except NotWritableError as error:
            self._notify(f"the search index cannot be kept: {error}")
            self._unkept.append(TemporaryDirectory(prefix="variorum-"))
            folder = Path(self._unkept[-1].name)
            self._make(edition, folder)
        return Index(folder)

    def _folder(self, edition: EditionEntry | None) -> Path:
        tables = [crc32(table.read_bytes()) for table in (VOCABULARY, TABLE)]
        program = f"{version_of('index')} {tables} whoosh {whoosh.__version__}"
        rests_on = f"{program} {self._base.digest} {edition.label if edition else 'ever'}"
        return cached_folder(blake2b(rests_on.encode(), digest_size=16).hexdigest())

    def _make(self, edition: EditionEntry | None, folder: Path) -> None:
        texts = self._base.texts
        if edition is None:
            outlines, key_of = texts.with_keys
        else:
            outlines, key_of = texts.outlines_in(edition.place), ()
        bodies = texts.bodies([outline.key for outline in outlines])
        words = fields.KEYWORD(stored=True, scorable=True)
        opened: Any = index.create_in(str(folder), fields.Schema(**dict.fromkeys(FIELDS, words)))
        writer = opened.writer(limitmb=256)
        lengths, headings = list[int](), list[str]()
        for outline in outlines:
            body = bodies[outline.key]
            above = "\n".join([" ".join(stems_in(part)) for part in outline.above.split("\n")])
            heading, text = _stemmed_lines(outline.heading), _stemmed_lines(body.text)
            row = heading, above, text, _stemmed_lines(body.examples)
            writer.add_document(**dict(zip(FIELDS, row, strict=True)))
            lengths.append(len(text.split()))
            headings.append(heading.replace("\n", " "))
        writer.commit()
        opened.close()
        keys, kinds, numbers, _, _, cited = [list(column) for column in zip(*outlines, strict=True)]
        columns = Columns(
            *(keys, kinds, numbers, lengths, cited, headings),
            numbers_now(self._base, fitted_weights().edition, edition) if edition else {},
            list(key_of),
            [] if edition else list(texts.lines),
        )
        (folder / _COLUMNS).write_text(json.dumps(columns), "utf-8")
        save_vocabulary(folder)


def _stemmed_lines(text: str) -> str:
    """Return the stems of a text, with a line for each sentence."""
    lines = [" ".join(stems_in(text[start:stop])) for start, stop in sentence_spans(text)]
    return "\n".join(filter(None, lines))
