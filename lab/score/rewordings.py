"""Mine the lineages of a base for phrases that were replaced, and check the vocabulary.

For every link of a main heir with changed words, takes the word diff and counts which phrases
replaced which: in how many provisions (once for each pair of editions), and between how many pairs
of editions. Needs a base of the real editions.
"""

import argparse
import sys
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from functools import cached_property
from itertools import product
from pathlib import Path

from variorum_kb.answers.stored.links import StoredLinks
from variorum_kb.facts.vocabulary import Concept, ConceptForm, Evidence, all_concepts
from variorum_kb.history.word_diffs.diff import TokenRun, keys_of, runs
from variorum_kb.rows import full_text
from variorum_kb.store.reader import Reader

# The places of two consecutive editions.
Pair = tuple[int, int]
Words = tuple[str, ...]
# A phrase and its replacement.
Change = tuple[Words, Words]
# The places of the first and last edition.
Spans = list[tuple[int, int]]

_LONGEST = 5
# A phrase is extended by at most so many unchanged words on either side.
_WIDEST = 2
# A replacement of more words than this changes the meaning.
_MOST_CHANGED = 12
# A longer phrase is preferred to a bare one if it makes up this share of its replacements.
_CLEAR = 0.75
# A phrase rarer than this share of its peak is a leftover.
_LEFTOVER = 0.1
# A provision with one of these words is about former words.
_OF_THE_PAST = (
    "obsolete",
    "errata",
    "earlier versions",
    "older versions",
    "older cards",
    "older name",
    "old term",
    " previously , ",
)


@dataclass(frozen=True, slots=True)
class Rewording:
    """A provision whose words changed between two editions.

    Attributes:
        pair: The places of the editions.
        before: The words and signs of the older reading, folded.
        after: The same for the newer reading.
        changes: The runs that were replaced.
        line: The words of the older reading, joined by blanks.
    """

    pair: Pair
    before: Words
    after: Words
    changes: tuple[TokenRun, ...]
    line: str


@dataclass(frozen=True, slots=True)
class Replaced:
    """The counts of a phrase's replacements by another.

    Attributes:
        count: The provisions over all pairs, each counted once for a pair.
        pair: The pair of editions with the most replacements.
        most: The number of replacements in this pair.
        pairs: The number of pairs with replacements.
    """

    count: int
    pair: Pair
    most: int
    pairs: int


def words_of(text: str) -> Words:
    """Split a text into words and signs for comparison.

    >>> words_of("A Player’s Life, “Lost.”")
    ('a', "player's", 'life', ',', '"', 'lost', '.', '"')
    """
    return tuple([word.casefold() for word in keys_of(text) if word])


def _line_of(words: Words) -> str:
    """Return words joined by blanks, with a blank at each end, so that only whole words match."""
    return f" {' '.join(words)} "


class Rulebooks:
    """All editions of a base: their texts and rewordings."""

    def __init__(self, folder: Path) -> None:
        """Read a base."""
        reader = Reader(folder / "kb.sqlite")
        self.days = [
            date.fromisoformat(day)
            for (day,) in reader.query("SELECT effective FROM edition ORDER BY id")
        ]
        self._words = {
            number: words_of(
                f"{state.heading}\n{full_text(state.body)}"
            )  # the heading, then the words
            for number, state in reader.all_states().items()
        }
        self._spans = reader.query("SELECT provision, first, last FROM span")
        self._printed: dict[tuple[str, bool], list[int]] = {}
        self._links = StoredLinks(reader.query).load().by_edition
        reader.close()

    @cached_property
    def rewordings(self) -> tuple[Rewording, ...]:
        """All rewordings, by the newer edition."""
        return tuple(self._rewordings())

    def _rewordings(self) -> Iterator[Rewording]:
        known: dict[tuple[int, int], tuple[TokenRun, ...]] = {}
        for links in self._links.values():
            for link in links:
                if link.old is None or link.new is None or not link.is_main:
                    continue
                before, after = self._words[link.old], self._words[link.new]
                if before == after:
                    continue
                key = link.old, link.new
                if key not in known:
                    known[key] = tuple([run for run in runs(before, after) if not run.is_same])
                pair = link.source, link.edition
                yield Rewording(pair, before, after, known[key], _line_of(before))

    # Printed -------------------------------------------------------------------------------------

    @cached_property
    def _lines(self) -> dict[str, Spans]:
        """The spans of editions that print each text, by its words joined by blanks."""
        spans_of: dict[str, Spans] = defaultdict(list)
        for number, first, last in self._spans:
            spans_of[_line_of(self._words[number])].append((first, last))
        return spans_of

    @cached_property
    def _whole(self) -> tuple[str, list[tuple[int, Spans, bool]]]:
        """All texts as one; for each its start, its editions, and whether it is living."""
        starts: list[tuple[int, Spans, bool]] = []
        length = 0
        for line, spans in self._lines.items():
            starts.append((length, spans, not any(sign in line for sign in _OF_THE_PAST)))
            length += len(line) + 1
        return "\n".join(self._lines), starts

    def printed(self, phrase: str, *, is_living: bool = False) -> list[int]:
        """Return how many provisions of each edition have a phrase.

        Args:
            phrase: Its words.
            is_living: Whether to leave out provisions about former words.
        """
        key = phrase, is_living
        if key not in self._printed:
            self._printed[key] = self._count(phrase, is_living=is_living)
        return self._printed[key]

    def _count(self, phrase: str, *, is_living: bool) -> list[int]:
        changes = [0] * (len(self.days) + 1)
        for spans, lives in self._holders(_line_of(words_of(phrase))):
            if lives or not is_living:
                for first, last in spans:
                    changes[first] += 1
                    changes[last + 1] -= 1
        total, counts = 0, list[int]()
        for change in changes[:-1]:
            total += change
            counts.append(total)
        return counts

    def _holders(self, sought: str) -> Iterator[tuple[Spans, bool]]:
        whole, starts = self._whole
        place, index = whole.find(sought), 0
        while place >= 0:
            while index + 1 < len(starts) and starts[index + 1][0] <= place:
                index += 1
            yield starts[index][1:]
            if index + 1 == len(starts):
                return
            place = whole.find(sought, starts[index + 1][0])

    def life(self, phrase: str) -> tuple[date, date | None] | None:
        """Return the first edition that prints a phrase, and the last in which it is in use.

        The last is None for a phrase still in use; the result is None for a phrase that no edition
        prints. A phrase is in use until the last edition that prints it neither as a leftover nor
        about former words. If it never was in use, the last is its first edition.
        """
        printed = self.printed(phrase)
        first = next((place for place, count in enumerate(printed) if count), None)
        if first is None:
            return None
        living = self.printed(phrase, is_living=True)
        least = _LEFTOVER * max(living)
        last = max((place for place, count in enumerate(living) if count > least), default=first)
        return self.days[first], None if last == len(self.days) - 1 else self.days[last]

    # Replaced ------------------------------------------------------------------------------------

    def replaced(self, old: str, new: str) -> Replaced | None:
        """Return the counts of a phrase's replacements by another; None if there are none."""
        before, after = words_of(old), words_of(new)
        pairs: Counter[Pair] = Counter()
        sought = _line_of(before)
        for rewording in self.rewordings:
            if sought in rewording.line and any(
                _replaces(rewording, change, before, after) for change in rewording.changes
            ):
                pairs[rewording.pair] += 1
        return _summary(pairs) if pairs else None

    def candidates(self, least: int) -> list[tuple[Change, Replaced]]:
        """Return which phrases replaced which in at least this many provisions, most frequent first."""
        counts: dict[Change, Counter[Pair]] = defaultdict(Counter)
        wider: dict[Change, set[Change]] = defaultdict(set)
        for rewording in self.rewordings:
            pairs_of_phrases = {
                phrases for change in rewording.changes for phrases in _phrases(rewording, change)
            }
            for phrase in {phrase for _, phrase in pairs_of_phrases}:
                counts[phrase][rewording.pair] += 1
            for bare, phrase in pairs_of_phrases:
                wider[bare].add(phrase)
        chosen = {
            _clearest(bare, phrases, counts)
            for bare, phrases in wider.items()
            if counts[bare].total() >= least and _is_telling(*bare)
        }
        counted = [(change, _summary(counts[change])) for change in chosen]
        return sorted(counted, key=lambda candidate: (-candidate[1].count, candidate[0]))


def _summary(pairs: Counter[Pair]) -> Replaced:
    pair = min(pairs, key=lambda editions_pair: (-pairs[editions_pair], editions_pair))
    return Replaced(pairs.total(), pair, pairs[pair], len(pairs))


def _phrases(rewording: Rewording, change: TokenRun) -> Iterator[tuple[Change, Change]]:
    """Yield a replacement, first bare, then with each extension by unchanged words."""
    (start, stop), (begin, end) = change.older, change.newer
    if max(stop - start, end - begin) > _LONGEST:
        return
    bare = rewording.before[start:stop], rewording.after[begin:end]
    yield bare, bare
    for left, right in product(range(_WIDEST + 1), repeat=2):
        if min(start, begin) < left:
            continue
        old = rewording.before[start - left : stop + right]
        new = rewording.after[begin - left : end + right]
        is_wider = old[:left] == new[:left] and old[len(old) - right :] == new[len(new) - right :]
        is_phrase = all(word[0].isalnum() for word in (*old, *new))
        if is_wider and is_phrase and max(len(old), len(new)) <= _LONGEST:
            yield bare, (old, new)


def _is_telling(old: Words, new: Words) -> bool:
    """Return whether both sides are words, or several words were removed: no number, sign or blank."""
    counts = [sum(word[0].isalpha() for word in phrase) for phrase in (old, new)]
    letters = ["".join(phrase).replace("-", "") for phrase in (old, new)]
    is_much = min(counts) > 0 or (min(len(old), len(new)) == 0 and max(counts) > 1)
    return is_much and letters[0] != letters[1] and not any(map(str.isdigit, "".join(letters)))


def _clearest(
    bare: Change, phrases: Iterable[Change], counts: Mapping[Change, Counter[Pair]]
) -> Change:
    """Return the longest phrase that makes up most of a bare one."""
    enough = _CLEAR * counts[bare].total()
    good = [phrase for phrase in phrases if counts[phrase].total() >= enough]
    return max(
        good, key=lambda phrase: (len(phrase[0]), counts[phrase].total(), phrase), default=bare
    )


def _replaces(rewording: Rewording, change: TokenRun, old: Words, new: Words) -> bool:
    """Return whether a change replaced a phrase by another or, with an empty one, removed it.

    A phrase that only touches the change does not count.
    """
    (start, stop), (begin, end) = change.older, change.newer
    if max(stop - start, end - begin) > _MOST_CHANGED or (not new and begin < end):
        return False
    went, came = (
        _places(rewording.before, start, stop, old),
        _places(rewording.after, begin, end, new),
    )
    is_beside = not any(place < stop and place + len(old) > start for place in went) and not any(
        place < end and place + len(new) > begin for place in came
    )
    if not went or not came or is_beside:
        return False
    stayed = _places(rewording.after, begin, end, old)
    was_there = _places(rewording.before, start, stop, new) if new else []
    return _lie_in(stayed, len(old), came, len(new)) and _lie_in(
        was_there, len(new), went, len(old)
    )


def _lie_in(inner: Sequence[int], size: int, outer: Sequence[int], width: int) -> bool:
    """Return whether all phrases that begin at some places are parts of longer ones."""
    return all(any(at <= place and place + size <= at + width for at in outer) for place in inner)


def _places(words: Words, start: int, stop: int, phrase: Words) -> list[int]:
    """Return where a phrase occurs in a change, or directly beside it."""
    size = len(phrase)
    first, last = max(start - size, 0), min(stop, len(words) - size)
    return [place for place in range(first, last + 1) if words[place : place + size] == phrase]


# Facts -------------------------------------------------------------------------------------------


def wrong_evidence(books: Rulebooks, name: str, stated: Evidence) -> list[str]:
    """Return the errors in the evidence of facts, a line each."""
    mined = books.replaced(stated.old, stated.new)
    subject = f"{name}: {stated.old} → {stated.new}"
    if mined is None:
        return [f"{subject}: never replaced"]
    older, newer = (books.days[place] for place in mined.pair)
    if (mined.count, (older, newer)) == (stated.count, stated.between):
        return []
    return [f"{subject}: mined {mined.count}, most between {older} and {newer}"]


def wrong_form(books: Rulebooks, concept: Concept, form: ConceptForm) -> list[str]:
    """Return the errors in the dates of a form, and its words that are never printed.

    Players' words need not be printed; dates, if given, must be right.
    """
    if concept.kind != "era" and form.first is None:
        return []
    subject = f"{concept.name}: {form.words[0]}"
    life = books.life(form.words[0])
    if life is None:
        return [f"{subject}: never printed"]
    if life != (form.first, form.last):
        return [f"{subject}: mined first = {life[0]}, last = {life[1]}"]
    if concept.kind != "era":
        return []
    return [
        f"{subject}: never printed: {words}"
        for words in form.words
        if not any(books.printed(words))
    ]


def without_words(books: Rulebooks, concept: Concept) -> list[str]:
    """Return a line for each concept with no form of the rules in the current edition.

    Players' words and dead words do not count.
    """
    forms = concept.form if concept.kind == "era" else concept.form[1:]
    alive = [form for form in forms if form.last is None]
    missing = [form for form in alive if not books.printed(form.words[0])[-1]]
    lines = [f"{concept.name}: the current edition lacks {form.words[0]}" for form in missing]
    return lines if alive else [f"{concept.name}: all words have died"]


def wrong(books: Rulebooks, concepts: Iterable[Concept]) -> list[str]:
    """Return all errors of the facts according to the editions, a line each."""
    lines: list[str] = []
    for concept in concepts:
        for form in concept.form:
            lines += wrong_form(books, concept, form)
        for evidence in concept.evidence:
            lines += wrong_evidence(books, concept.name, evidence)
        lines += without_words(books, concept)
    return lines


# Output ------------------------------------------------------------------------------------------


def table(books: Rulebooks, least: int, *, with_editions: bool) -> Iterator[str]:
    """Yield a line for each replaced phrase, and below it the counts of both phrases.

    Args:
        books: The editions.
        least: The minimum number of provisions.
        with_editions: Also print how many provisions of each edition have each phrase.
    """
    yield "count\tpairs\tmost\tbetween\told → new\told printed\tnew printed"
    for (before, after), candidate in books.candidates(least):
        old, new = " ".join(before), " ".join(after)
        older, newer = candidate.pair
        between = f"{books.days[older]} {books.days[newer]}"
        printed = [books.printed(phrase) for phrase in (old, new)]
        shown = [f"{counts[older]} → {counts[newer]}" for counts in printed]
        row = (candidate.count, candidate.pairs, candidate.most, between, f"{old} → {new}", *shown)
        yield "\t".join([str(cell) for cell in row])
        if with_editions:
            yield from (by_edition(books, phrase) for phrase in (old, new))


def by_edition(books: Rulebooks, phrase: str) -> str:
    """Return how many provisions have a phrase, for each edition in which the number changes."""
    shown: list[str] = []
    last = 0
    for day, count in zip(books.days, books.printed(phrase), strict=True):
        if count != last:
            shown.append(f"{day}: {count}")
        last = count
    return f"  {phrase or '(nothing)'}: {', '.join(shown)}"


def main(arguments: Sequence[str] | None = None) -> int:
    """Print the phrases, or the errors in the facts; return the exit code."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("base", type=Path, help="the folder of a base of the real editions")
    parser.add_argument("--least", type=int, default=3, help="how many replacements are shown")
    parser.add_argument("--editions", action="store_true", help="count each phrase by edition")
    parser.add_argument("--phrase", action="append", help="count these words by edition instead")
    parser.add_argument(
        "--check", action="store_true", help="check the facts of vocabulary instead"
    )
    options = parser.parse_args(arguments)
    books = Rulebooks(options.base)
    if options.check:
        lines = wrong(books, all_concepts())
    elif options.phrase:
        lines = [by_edition(books, phrase) for phrase in options.phrase]
    else:
        lines = list(table(books, options.least, with_editions=options.editions))
    sys.stdout.writelines(f"{line}\n" for line in lines)
    return int(options.check and bool(lines))


if __name__ == "__main__":
    raise SystemExit(main())
