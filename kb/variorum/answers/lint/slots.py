"""The citations of a base, and their sentences.

A sentence is its words with a slot for each citation. So it stays the same if only its typography
or its cited numbers change.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from variorum.answers.whole import PrintedCitation, citations_of
from variorum.rows import State, full_text
from variorum.store.reader import Reader
from variorum.text import SLOT, fold_title, sentence_around, share, words_of

# The parts of a provision that have citations, in the order of the base.
_PARTS = ("heading", "text")


class Slot(NamedTuple):
    """The place of a citation in an unchanging sentence.

    Attributes:
        part: "text" or "heading".
        words: The words of the sentence, with a slot for each citation.
        nth: The place of the slot, from 1, among all slots in this sentence and in equal sentences.
        of: How many such slots there are. If this number changes, slots cannot be matched.
        ends: The numbers that the citation prints.
    """

    part: str
    words: tuple[str, ...]
    nth: int
    of: int
    ends: tuple[str, str]


class Citations:
    """The states of a base and their citations, read on demand.

    Attributes:
        states: The states read so far, by ids.
        of: The citations of states that have any, by ids.
        citing: The ids of the states that cite each number, alone or as an end of a range.
    """

    def __init__(self, reader: Reader) -> None:
        self.states: dict[int, State] = {}
        self.of: dict[int, tuple[PrintedCitation, ...]] = {}
        self.citing: dict[str, set[int]] = defaultdict(set)
        self._reader = reader
        self._slots: dict[int, list[Slot]] = {}
        self._titles: dict[str, str] = {}

    def read(self, states: Iterable[int]) -> None:
        """Read states by their ids."""
        missing = sorted(set(states) - self.states.keys())
        self.states |= self._reader.states_by_id(missing)
        cited = citations_of(self._reader, missing)
        self.of |= cited
        for state, citations in cited.items():
            for citation in citations:
                self.citing[citation.numbers[0]].add(state)
                self.citing[citation.numbers[-1]].add(state)

    def part(self, state: int, part: str) -> str:
        """Return the text to which the offsets of a citation refer."""
        row = self.states[state]
        return row.heading if part == "heading" else full_text(row.body)

    def fold_title(self, title: str) -> str:
        """Return a title without the marks that may differ between a citation and a heading."""
        if title not in self._titles:
            self._titles[title] = fold_title(title)
        return self._titles[title]

    def slots(self, state: int) -> list[Slot]:
        """Return the slots of all citations of a state, in their order."""
        if state not in self._slots:
            self._slots[state] = list(self._find_slots(state))
        return self._slots[state]

    def _find_slots(self, state: int) -> Iterator[Slot]:
        citations = self.of.get(state, ())
        sentences = [sentence for part in _PARTS for sentence in self._sentences(state, part)]
        total, seen = Counter(sentences), Counter[tuple[str, tuple[str, ...]]]()
        for sentence, cited in zip(sentences, citations, strict=True):
            seen[sentence] += 1
            ends = cited.numbers[0], cited.numbers[-1]
            yield Slot(*sentence, seen[sentence], total[sentence], ends)

    def _sentences(self, state: int, part: str) -> Iterator[tuple[str, tuple[str, ...]]]:
        """Yield a part and the words of the sentence around each citation in it, with slots."""
        spans = [
            (citation.start, citation.stop) for citation in self.of[state] if citation.part == part
        ]
        printed = self.part(state, part) if spans else ""
        slotted, less = printed, 0  # `less`: how much shorter it is than printed
        for start, stop in spans:
            slotted = slotted[: start - less] + SLOT + slotted[stop - less :]
            less += stop - start - len(SLOT)
        place = -1
        for _ in spans:
            place = slotted.index(SLOT, place + 1)
            yield part, tuple(words_of(sentence_around(slotted, place)))

    def share(self, state: int, heir: int) -> float:
        """Return the share of a state's words that its heir has, from 0 to 1."""
        return share(_words(self.states[state]), _words(self.states[heir]))


def _words(state: State) -> list[str]:
    return words_of(f"{state.heading} {full_text(state.body)}")
