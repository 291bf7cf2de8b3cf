"""All texts that ever stood in the editions, by their words.

A set of editions is a number whose bit n is the edition at place n.
"""

import json
from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Iterable, Sequence
from datetime import date
from functools import cached_property, reduce
from itertools import combinations_with_replacement
from operator import or_
from sys import intern
from typing import NamedTuple

from variorum.answers.knowledge_base import KnowledgeBase
from variorum.answers.stored import lines_of
from variorum.quoting.page import words_of
from variorum.rows import split_body

# So many words in a row are a seed.
SEED = 4
# Before what the contents of an edition print in place of a heading, as evidence of a misprint.
_CONTENTS = "contents: "
_PROVISIONS = "SELECT id, number, heading, reading, irregularities FROM provision ORDER BY id"
# A page may state the day on which an edition was published, or one soon after it took effect.
NEAR = 31
Words = tuple[str, ...]


class Printing(NamedTuple):
    """A provision in one of its states, and the editions that print it so, a bit for each.

    The number is "" in the glossary. Its paragraphs and examples are in printed order, without the
    label of examples; without any, its heading stands for them. `line` is what its states in all
    editions have in common, whatever their number.
    """

    number: str
    heading: str
    paragraphs: tuple[str, ...]
    editions: int
    line: int


class TextPlace(NamedTuple):
    """Where a text stands: paragraphs of a printing, of which another edition may make one."""

    printing: int
    first: int
    last: int


class PrintedTexts:
    """All distinct texts of the printings of some editions; a text is named by its index.

    Of each text, `places`, `numbers` and `heads` tell where it ever stood, under which numbers, and
    below which headings. A text with as many words as a seed, or fewer, may be found by its `beginning`.
    """

    def __init__(self, printings: Sequence[Printing], labels: Sequence[str]) -> None:
        self.printings, self.labels = printings, labels
        self.days = [date.fromisoformat(label[:10]) for label in labels]
        texts = {
            text for printing in printings for text in (printing.heading, *printing.paragraphs)
        }
        split = {text: tuple(map(intern, words_of(text))) for text in texts}
        self.headings = [split[printing.heading] for printing in printings]
        self.all_headings = {*self.headings} - {()}
        self.headwords = {split[printing.heading] for printing in printings if not printing.number}
        self.words = [*dict.fromkeys(split[text] for each in printings for text in each.paragraphs)]
        self.texts = {words: text for text, words in enumerate(self.words)}
        self.places: list[list[TextPlace]] = [[] for _ in self.words]
        self.numbers: list[set[str]] = [set() for _ in self.words]
        self.heads: list[set[Words]] = [set() for _ in self.words]
        self.bodies: list[list[int]] = []
        for index, printing in enumerate(printings):
            body = [split[paragraph] for paragraph in printing.paragraphs]
            self.bodies.append([self.texts[words] for words in body])
            for last, first in combinations_with_replacement(range(len(body) - 1, -1, -1), 2):
                text = self.texts.get(sum(body[first : last + 1], ()))
                if text is not None:
                    self.places[text].append(TextPlace(index, first, last))
                    self.numbers[text].add(printing.number)
                    if printing.heading not in {"", printing.paragraphs[0]}:
                        self.heads[text].add(self.headings[index])
        self.beginning: dict[Words, list[int]] = defaultdict(list)
        for text in sorted(range(len(self.words)), key=lambda text: -len(self.words[text])):
            self.beginning[self.words[text][:SEED]].append(text)

    def containing(self, words: str) -> list[int]:
        """Return the texts that have some words in a row; a blank before and behind each is theirs."""
        return [text for text, joined in enumerate(self._joined) if words in joined]

    @cached_property
    def _joined(self) -> list[str]:
        return [f" {' '.join(words)} " for words in self.words]

    def in_force(self, day: date) -> int:
        """Return the place of the edition in force on a day; -1 before the first."""
        return bisect_right(self.days, day) - 1

    def meant(self, day: date) -> list[int]:
        """Return the places of the editions that a day may mean, the likeliest first."""
        after = bisect_left(self.days, day)
        exact = [*range(after, bisect_right(self.days, day))]
        around = [place for place in (after, after - 1) if 0 <= place < len(self.days)]
        return exact or [place for place in around if abs(self.days[place] - day).days <= NEAR]

    def editions_of(self, printings: Iterable[int]) -> int:
        """Return the editions that have any of some printings."""
        return reduce(or_, [self.printings[index].editions for index in printings], 0)


def places_of(editions: int) -> list[int]:
    """Return the place of each edition."""
    return [place for place, bit in enumerate(reversed(f"{editions:b}")) if bit == "1"]


def runs_of(editions: int) -> list[tuple[int, int]]:
    """Return the first and the last place of each run of editions: of 0b1101110, (1, 3) and (5, 6)."""
    edges = places_of(editions ^ editions << 1)
    return [(first, end - 1) for first, end in zip(edges[::2], edges[1::2], strict=True)]


# Of the base that was asked last, by its checksum: a server may open it for each question.
_KNOWN: dict[int, PrintedTexts] = {}


def known_texts(base: KnowledgeBase) -> PrintedTexts:
    """Return all texts that ever stood in the editions of a base; a printing has its state's id."""
    checksum, query = base.reader.checksum, base.reader.query
    if checksum not in _KNOWN:
        bodies = {
            reading: tuple([text for _, text in split_body(body)])
            for reading, body in query("SELECT id, body FROM reading")
        }
        editions: dict[int, int] = defaultdict(int)
        for provision, first, last in query("SELECT provision, first, last FROM span"):
            editions[provision] |= (2 << last) - (1 << first)
        printings, lines = list[Printing](), lines_of(base)
        for id_, number, heading, reading, odd in query(_PROVISIONS):
            found = [it["evidence"].partition(_CONTENTS) for it in json.loads(odd or "[]")]
            texts = bodies[reading] or (heading, *(it for _, is_found, it in found if is_found))
            printings.append(Printing(number, heading, texts, editions[id_], lines[id_]))
        _KNOWN.clear()
        _KNOWN[checksum] = PrintedTexts(printings, base.labels)
    return _KNOWN[checksum]
