"""The index of an edition's texts, or of all texts that ever stood: which of them have a word, and how weightily.

Whoosh keeps it. Words are indexed as stems, so that any form of a word finds any other.
"""

import json
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cache, cached_property, partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple
from zlib import crc32

import whoosh
from whoosh import fields, index

from variorum.answers.editions import EditionEntry
from variorum.answers.knowledge_base import KnowledgeBase
from variorum.errors import NoEditionError, NotWritableError
from variorum.facts import VOCABULARY
from variorum.search.cache import make_folder, name_of, whole_folder
from variorum.search.vocabulary import Vocabulary, save_vocabulary
from variorum.search.weights import TABLE, fitted_weights, numbers_now
from variorum.text import plain_words, sentence_spans
from variorum.versions import version_of
from variorum.words import family_of, stem_of

# The weight of a word by the field in which it occurs; a headword of the glossary is its heading.
FIELDS = {"heading": 4.0, "above": 1.2, "text": 1.0, "examples": 0.3}
# BM25F: how soon repeated words stop counting, how much less a long text counts, and the usual
# length of a text in words. That is fixed, since the mean changes with every edition.
_K, _B, _USUAL_LENGTH = 1.2, 0.45, 45
# A stem is common if it has this share of the occurrences of the most frequent one.
_COMMON = 0.33
_COLUMNS = "columns.json"


def stems_in(text: str) -> list[str]:
    """Return the stems of a text's words in their order."""
    return list(map(stem_of, plain_words(text)))


class StemmedText(NamedTuple):
    """A text as it is ranked: stems instead of words.

    Attributes:
        heading: Its own heading or headword.
        above: The nearest heading above it.
        stems: Its paragraphs, then its examples.
        own: How many stems are of the paragraphs.
        ends: The place after the last stem of each sentence.
        at: The places of each stem.
    """

    heading: tuple[str, ...]
    above: tuple[str, ...]
    stems: tuple[str, ...]
    own: int
    ends: tuple[int, ...]
    at: Mapping[str, Sequence[int]]


def stemmed(heading: str, above: str, text: str, examples: str) -> StemmedText:
    """Return a text from the stems of its fields; each sentence and each heading above has its line."""
    stems: list[str] = []
    ends: list[int] = []
    own = 0
    for part in (text, examples):
        for line in part.split("\n") if part else ():
            stems += line.split(" ")
            ends.append(len(stems))
        own = own or len(stems)
    at: defaultdict[str, list[int]] = defaultdict(list)
    for place, stem in enumerate(stems):
        at[stem].append(place)
    headings = tuple(heading.split()), tuple(above.split("\n", maxsplit=1)[0].split())
    return StemmedText(*headings, tuple(stems), own if text else 0, tuple(ends), at)


class Columns(NamedTuple):
    """What ranking needs to know of all texts, by their places in the index.

    Attributes:
        keys: The id of the state with each text; in the index of all texts, of the first such state.
        kinds: A value of model.Kind for each.
        numbers: As printed; "" for a glossary entry.
        lengths: How many words each has.
        cited: How many provisions cite each.
        families: The stems that one stem is the root of: regenerate, regeneration.
        most: How many texts have the most frequent stem.
        headings: The stems of each heading or headword.
        moved: The numbers in this edition of rules that had others when weights.tsv was fitted.
        key_of: The key of the text of each state; empty in the index of an edition.
        lines: The lineage of each state; empty in the index of an edition.
    """

    keys: list[int]
    kinds: list[str]
    numbers: list[str]
    lengths: list[int]
    cited: list[int]
    families: dict[str, list[str]]
    most: int
    headings: list[str]
    moved: dict[str, str]
    key_of: list[int]
    lines: list[int]


class Index:
    """An open index; `columns` has what it knows of each text."""

    def __init__(self, folder: Path) -> None:
        self.vocabulary = Vocabulary(folder)
        self.columns = Columns(*json.loads((folder / _COLUMNS).read_bytes()))
        # A reader is enough, and takes half the time of a searcher to import.
        opened: Any = index.open_dir(str(folder), readonly=True)
        self._reader: Any = opened.reader()
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

    @cached_property
    def _damping(self) -> list[float]:
        """Return for each text how soon further occurrences of a word add nothing."""
        return [_K * (1 - _B + _B * length / _USUAL_LENGTH) for length in self.columns.lengths]

    def _weights(self, stem: str) -> dict[int, float]:
        """Return the weight of a stem in each text that has it: from 0 to 1."""
        damping = self._damping
        counts = self.counts(stem)
        return {place: count / (count + damping[place]) for place, count in counts.items()}

    def _text(self, place: int) -> StemmedText:
        return stemmed(*[self._reader.stored_fields(place).get(field, "") for field in FIELDS])

    def frequency(self, stem: str) -> int:
        """Return in how many texts a stem occurs; a text counts for each of its fields."""
        return sum([int(self._reader.doc_frequency(field, stem)) for field in FIELDS])

    def knows(self, stem: str) -> bool:
        """Return whether a text has a stem, or players say it."""
        return self.frequency(stem) > 0 or self.vocabulary.knows(stem)

    def is_common(self, stem: str) -> bool:
        """Return whether a stem is so common that it hardly distinguishes texts."""
        return self.frequency(stem) > _COMMON * self.columns.most

    def is_term(self, stem: str) -> bool:
        """Return whether a stem is in a heading or headword."""
        return ("heading", stem) in self._reader

    def relatives(self, stem: str) -> list[str]:
        """Return the stems derived from the same stem: regenerate, regeneration."""
        root = family_of(stem) or stem
        return sorted({root, *self.columns.families.get(root, ())} - {stem})

    def beginning(self, letters: str) -> set[str]:
        """Return the stems that begin with some letters, and the stem of these letters."""
        stems = {stem_of(letters)}
        for field in FIELDS:
            for stem in self._reader.expand_prefix(field, letters):
                stems.add(stem.decode() if isinstance(stem, bytes) else stem)
        return stems

    def numbered(self, prefix: str) -> list[tuple[int, str]]:
        """Return the places of the texts whose numbers have a prefix, with their numbers."""
        numbers = enumerate(self.columns.numbers)
        return [(place, number) for place, number in numbers if number.startswith(prefix)]

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
        label = _label(edition)
        if label not in self._open:
            self._open[label] = self._opened(edition)
        return self._open[label]

    def _opened(self, edition: EditionEntry | None) -> Index:
        name = self._name(edition)
        folder = whole_folder(name)
        if folder is not None:
            try:
                return Index(folder)
            except (OSError, ValueError, TypeError):
                pass  # another process has just replaced it
        if edition is None:  # the others take a second
            self._notify("making the search index of all editions")
        try:
            return Index(make_folder(name, partial(self._make, edition)))
        except NotWritableError as error:
            self._notify(f"the search index cannot be kept: {error}")
            self._unkept.append(TemporaryDirectory(prefix="variorum-"))
            self._make(edition, Path(self._unkept[-1].name))
            return Index(Path(self._unkept[-1].name))

    def _name(self, edition: EditionEntry | None) -> str:
        program = f"{version_of('index')} {self._tables} whoosh {whoosh.__version__}"
        return name_of(f"{program} {self._base.digest} {_label(edition)}")

    @cached_property
    def _tables(self) -> list[int]:
        return [crc32(table.read_bytes()) for table in (VOCABULARY, TABLE)]

    def missing(self) -> list[str]:
        """Return which of the two usual indexes are not made yet, in words."""
        return [
            _about(edition) for edition in self._usual() if not whole_folder(self._name(edition))
        ]

    def make_missing(self, announce: Callable[[str], None] = lambda _: None) -> None:
        """Make the usual indexes, those of the edition in force and of all texts, if they are missing.

        Raises:
            NotWritableError: They cannot be kept.
        """
        for edition in self._usual():
            name = self._name(edition)
            if not whole_folder(name):
                announce(_about(edition))
                make_folder(name, partial(self._make, edition))

    def _usual(self) -> Iterator[EditionEntry | None]:
        yield None
        try:
            yield self._base.edition("current")
        except NoEditionError:
            return  # none is in force yet

    def _make(self, edition: EditionEntry | None, folder: Path) -> None:
        texts = self._base.texts
        key_of: Sequence[int] = ()
        lines: Sequence[int] = ()
        if edition is None:
            (outlines, key_of), lines = texts.with_keys, texts.lines
        else:
            outlines = texts.outlines_in(edition.place)
        bodies = texts.bodies([outline.key for outline in outlines])
        words = fields.KEYWORD(stored=True, scorable=True)
        opened: Any = index.create_in(str(folder), fields.Schema(**dict.fromkeys(FIELDS, words)))
        writer = opened.writer(limitmb=256)
        lengths: list[int] = []
        having: defaultdict[str, int] = defaultdict(int)
        for outline in outlines:
            body = bodies[outline.key]
            above = "\n".join([" ".join(stems_in(part)) for part in outline.above.split("\n")])
            spelt = [_spelt(outline.heading), above, _spelt(body.text), _spelt(body.examples)]
            writer.add_document(**dict(zip(FIELDS, spelt, strict=True)))
            lengths.append(len(spelt[2].split()))
            for part in spelt:
                for stem in set(part.split()):
                    having[stem] += 1
        writer.commit()
        opened.close()
        columns = Columns(
            [outline.key for outline in outlines],
            [outline.kind for outline in outlines],
            [outline.number for outline in outlines],
            lengths,
            [outline.cited for outline in outlines],
            _families(having),
            max(having.values(), default=0),
            [" ".join(stems_in(outline.heading)) for outline in outlines],
            numbers_now(self._base, fitted_weights().edition, edition) if edition else {},
            list(key_of),
            list(lines),
        )
        (folder / _COLUMNS).write_text(json.dumps(columns), "utf-8")
        save_vocabulary(folder)


def _label(edition: EditionEntry | None) -> str:
    return "ever" if edition is None else edition.label


def _about(edition: EditionEntry | None) -> str:
    return "all editions" if edition is None else f"the edition of {edition.label}"


def _spelt(text: str) -> str:
    """Return the stems of a text, with a line for each sentence."""
    lines = [" ".join(stems_in(text[start:stop])) for start, stop in sentence_spans(text)]
    return "\n".join(filter(None, lines))


def _families(stems: Iterable[str]) -> dict[str, list[str]]:
    families: dict[str, list[str]] = {}
    for stem in sorted(stems):
        if root := family_of(stem):
            families.setdefault(root, []).append(stem)
    return families
