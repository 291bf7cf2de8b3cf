"""What changed between two editions, in all provisions or in one with its subrules."""

import contextlib
import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field, replace
from functools import lru_cache

from variorum import rows
from variorum.answers.crosswalk import kinds_between
from variorum.answers.editions import EditionEntry
from variorum.answers.knowledge_base import KnowledgeBase
from variorum.answers.questions import NUMBER, parse_questions
from variorum.answers.subject import Subject
from variorum.errors import NotFoundError
from variorum.history import word_diffs
from variorum.history.lineages import Destination, Lineages, walk
from variorum.history.word_diffs import SWEPT_IN, closest_runs
from variorum.records import lineage
from variorum.records.answer import Piece
from variorum.rows import CHANGE_CLASSES, KEPT, State, kinds_of, name_of, wording_of
from variorum.text import SLOT

Editions = tuple[EditionEntry, EditionEntry]

# The classes of changes of words; see rows.py.
NONE, TYPOGRAPHIC, CITATION, SWEEP, SUBSTANTIVE = CHANGE_CLASSES

# Of wording replaced throughout: the longest phrase; which share of the places of a phrase must have lost it
# for the same words, by hand; how many words before and after a phrase are added to it, in the order of trial.
_LONGEST, _SWEPT = 6, 0.6
_AROUND = ((0, 0), (1, 0), (2, 0), (0, 1))

_Span = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Change:
    """The change of a provision between two editions: from a state to its main heir and to others.

    One of the two is None if it is new or gone. A part has words of `old` but is the main heir of no
    provision. The bits are rows.STEP_KINDS, `change` is one of rows.CHANGE_CLASSES.
    """

    old: State | None
    new: State | None
    others: tuple[State, ...]
    bits: int
    change: str
    confidence: float
    is_part: bool = False

    @property
    def is_moved_only(self) -> bool:
        """Return whether nothing but the number changed."""
        return self.change == NONE and not self.is_new and not self.is_gone

    @property
    def kinds(self) -> list[str]:
        return kinds_of(self.bits)

    @property
    def is_new(self) -> bool:
        return self.old is None

    @property
    def is_gone(self) -> bool:
        return self.new is None

    @property
    def size(self) -> int:
        """Return how many words were removed or added."""
        return sum(len(text.split()) for sign, text in self.pieces() if sign != word_diffs.SAME)

    def pieces(self, *, exactly: bool = False) -> list[word_diffs.Piece]:
        """Return the word diff of the provision's words, or of its heading if it has no words."""
        texts = ["" if row is None else wording_of(row) for row in (self.old, self.new)]
        return [*_pieces(texts[0], texts[1], exactly)]


# Each diff is needed twice: to count and to show; and editions that are compared with the same one share most.
@lru_cache(maxsize=32768)
def _pieces(before: str, after: str, exactly: bool) -> tuple[word_diffs.Piece, ...]:  # noqa: FBT001 - a key of the cache
    return tuple(word_diffs.word_diff(before, after, exactly=exactly))


@dataclass(frozen=True, slots=True)
class Changes:
    """The changes from one edition to another, earlier or later, as this prints or would print them.

    `same` counts the provisions that kept their number and words; `swept` are phrases replaced in many
    provisions, with the number of these; `doubts` are the warnings about each edition.
    """

    from_edition: str
    to_edition: str
    all: tuple[Change, ...]
    same: int
    swept: tuple[tuple[str, str, int], ...]
    doubts: Mapping[str, tuple[str, ...]] = field(default_factory=dict[str, tuple[str, ...]])

    def within(self, old: AbstractSet[int], new: AbstractSet[int]) -> "Changes":
        """Return only the changes of provisions that have some states in the two editions."""
        kept = [
            change
            for change in self.all
            if (change.old is not None and change.old.id in old)
            or (change.new is not None and change.new.id in new)
        ]
        changed = {change.old.id for change in kept if change.old and not change.is_part}
        return replace(self, all=tuple(kept), same=len(old - changed), swept=())


@dataclass(frozen=True, slots=True)
class SubjectChanges:
    """The changes of the provisions, with their subrules, that a question names in the edition `read_in`.

    They are given as each of the two editions has them; `others` have the number in one of these.
    """

    asked: str
    read_in: EditionEntry
    old: tuple[Subject, ...]
    new: tuple[Subject, ...]
    others: tuple[lineage.BearerThere, ...]
    changes: Changes

    @property
    def unchanged_since(self) -> str | None:
        """Return the last edition that changed the provisions; None if the two editions differ."""
        if self.changes.all:
            return None
        older = min((*self.old, *self.new), key=lambda subject: subject.edition.place)
        return older.unchanged_since


def find_changes(
    base: KnowledgeBase, start: str | EditionEntry, stop: str | EditionEntry = "current"
) -> Changes:
    """Return what changed from one edition to another, earlier or later."""
    editions = base.edition(start), base.edition(stop)
    first, last = sorted(edition.place for edition in editions)
    whole = base.lineages if base.links.table else None
    lineages = whole or Lineages(base.links.between(first, last), last)
    return _Comparison(base, editions, lineages).changes()


def subject_changes(
    base: KnowledgeBase,
    question: str,
    editions: Editions,
    on: str | EditionEntry | None = None,
    *,
    is_alone: bool = False,
) -> SubjectChanges:
    """Return the changes of the provisions that a question names, from one edition to another.

    The number is of the edition `on`; by default of the newer of the two editions, or of the older if only
    this prints it. `is_alone` leaves the subrules out.
    """
    asked = parse_questions(question)[0]
    subjects = _named(base, question, editions, on or asked.edition)
    sides: list[tuple[Subject, ...]] = []
    for edition in editions:
        heirs = dict.fromkeys(subject.destination(edition).heir for subject in subjects)
        sides.append(tuple([base.at(heir, edition.place) for heir in heirs if heir is not None]))
    held = [
        {below.state.id for subject in side if not is_alone for _, below in subject.tree()}
        | {subject.state.id for subject in side}
        for side in sides
    ]
    others: list[lineage.BearerThere] = []
    for place, edition in enumerate(editions if asked.question[0] == NUMBER else ()):
        own = {subject.state.id for subject in sides[place]}
        for state in base.matches(asked.question[1], edition):
            if state.id not in own:
                bearer = base.at(state.id, edition.place)
                heir = bearer.destination(editions[1 - place]).heir
                elsewhere = None if heir is None else name_of(base.states[heir])
                others.append(
                    lineage.BearerThere(edition.label, state.address, bearer.gist, elsewhere)
                )
    changes = _Comparison(base, editions, base.lineages, (held[0], held[1])).changes()
    read_in = subjects[0].edition
    return SubjectChanges(question, read_in, sides[0], sides[1], tuple(others), changes)


def _named(
    base: KnowledgeBase, question: str, editions: Editions, on: str | EditionEntry
) -> tuple[Subject, ...]:
    if on:
        return base.find(question, base.edition(on))
    older, newer = sorted(editions, key=lambda edition: edition.place)
    for edition in (newer, older):
        with contextlib.suppress(NotFoundError):
            return base.find(question, edition)
    return base.show(question, newer)


class _Comparison:
    def __init__(
        self,
        base: KnowledgeBase,
        editions: Editions,
        lineages: Lineages,
        held: tuple[AbstractSet[int], AbstractSet[int]] | None = None,
    ) -> None:
        """Follow the provisions with these states in each edition; None for all."""
        self._base, self._states, self._editions, self._held = base, base.states, editions, held
        self._lineages, self._canon = lineages, base.folded.canon
        self._places = sorted(edition.place for edition in editions)
        self._is_forward = self._places[0] == editions[0].place
        self._sides = [base.reader.states_of(place) for place in self._places]
        self._orders = [{state: place for place, state in enumerate(side)} for side in self._sides]
        olds, news = map(list[int], self._sides)
        if held is not None:
            mine, theirs = map(set, held if self._is_forward else held[::-1])
            base.links.read_onward(mine)
            theirs |= {heir for way in self._walk(mine).values() for heir in way.states}
            mine |= {old for way in self._walk(theirs, 1).values() for old in way.states}
            olds = [state for state in olds if state in mine]
            news = [state for state in news if state in theirs]
        self._ways: dict[int, Destination] = dict(self._walk(olds))
        reached = {state for way in self._ways.values() for state in way.states}
        self._arrived = [state for state in news if state not in reached]
        # Only changed provisions are read.
        changed = {id_: way for id_, way in self._ways.items() if way.bits or way.states != [id_]}
        heirs = [heir for way in changed.values() for heir in way.states]
        self._states.of([*changed, *heirs, *self._arrived])
        self._moved = [(self._states[state], way) for state, way in changed.items()]

    def _walk(self, states: Iterable[int], side: int = 0) -> Mapping[int, Destination]:
        """Follow states of the older edition (0) to the newer, or of the newer (1) back."""
        return walk(self._lineages, states, self._places[side], self._places[1 - side])

    def changes(self) -> Changes:
        """Return the changes, in the order asked."""
        swept = self._throughout() if self._held is None else []
        changes = [self._change(row, way) for row, way in self._moved]
        kept = [change for change in changes if change.bits != KEPT or change.change != NONE]
        same = len(self._ways) - len(kept)
        kept += self._parts()
        arrived = map(self._states.__getitem__, self._arrived)
        kept += [Change(None, state, (), rows.NEW, SUBSTANTIVE, 1.0) for state in arrived]
        ordered = self._ordered(kept, 0, self._heir)
        if not self._is_forward:
            ordered = self._ordered(_turned(ordered), 1, self._origin)
            swept = [(after, before, count) for before, after, count in swept]
        start, stop = self._editions
        doubts = {edition.label: edition.doubts for edition in self._editions if edition.doubts}
        compared = Changes(start.label, stop.label, tuple(ordered), same, tuple(swept), doubts)
        return compared if self._held is None else compared.within(*self._held)

    def _ordered(
        self, changes: Iterable[Change], side: int, heir_of: Callable[[int], int | None]
    ) -> list[Change]:
        """Order changes as the target edition is printed; a removed provision follows its predecessor."""
        order, places, known = self._orders[1 - side], self._orders[side], dict[int, int | None]()

        def place(change: Change) -> float:
            if change.new is not None:
                return order[change.new.id]
            start = places[change.old.id] if change.old is not None else -1
            for before in range(start, -1, -1):
                state = self._sides[side][before]
                if state not in known:
                    known[state] = heir_of(state)
                if (heir := known[state]) is not None:
                    return order[heir] + 0.5
            return -0.5

        return sorted(changes, key=place)

    def _heir(self, state: int) -> int | None:
        if state not in self._ways:
            self._ways |= self._walk([state])
        return next(iter(self._ways[state].states), None)

    def _origin(self, state: int) -> int | None:
        """Return the first older state of which a newer state is the main heir."""
        sources = self._walk([state], 1)[state].states
        olds = [source for source in sources if self._heir(source) == state]
        return min(olds, key=self._orders[0].__getitem__, default=None)

    def _change(self, row: State, way: Destination) -> Change:
        if not way.states:
            return Change(row, None, (), rows.GONE, SUBSTANTIVE, way.confidence)
        new, *others = [self._states[state] for state in way.states]
        change = self._class(row, new, way)
        bits = kinds_between(
            way,
            is_same_place=name_of(row) == name_of(new),
            is_same_text=change not in {SWEEP, SUBSTANTIVE},
        )
        return Change(row, new, tuple(others), bits, change, way.confidence)

    def _class(self, row: State, new: State, way: Destination) -> str:
        """Return the class of a change: by the texts or, if their words differ, by the steps between."""
        if (row.heading, row.body) == (new.heading, new.body):
            return NONE
        before, after = self._canon(row), self._canon(new)
        if before.whole != after.whole:
            classes = {link.change for link in way.taken}
            return SWEEP if SWEEP in classes and SUBSTANTIVE not in classes else SUBSTANTIVE
        pairs = [
            pair
            for old, now in zip(before.citations, after.citations, strict=True)
            for pair in ((old.first, now.first), (old.last, now.last))
            if pair[0] != pair[1]
        ]
        if not pairs:
            return TYPOGRAPHIC
        return CITATION if all(self._is_now(old, now) for old, now in pairs) else SUBSTANTIVE

    def _is_now(self, old: str, now: str) -> bool:
        heirs = [self._heir(bearer.id) for bearer in self._base.named(old, self._places[0])[-1:]]
        return all(heir is None or self._states[heir].number == now for heir in heirs)

    def _parts(self) -> Iterator[Change]:
        """Yield provisions that have another's words but are not a main heir."""
        yielded = {state for way in self._ways.values() for state in way.states[:1]}
        for row, way in self._moved:
            bits = (
                way.bits & (rows.SPLIT | rows.COPIED | rows.MERGED | rows.UNCERTAIN) or rows.SPLIT
            )
            for state in [state for state in way.states[1:] if state not in yielded]:
                yielded.add(state)
                part = self._states[state]
                yield Change(row, part, (), bits, SUBSTANTIVE, way.confidence, is_part=True)

    def _throughout(self) -> list[tuple[str, str, int]]:
        heirs = [(row, self._states[way.states[0]]) for row, way in self._moved if way.states]
        pairs = [
            (self._canon(row).whole, self._canon(heir).whole)
            for row, heir in heirs
            if row.body != heir.body
        ]
        others = {*self._sides[1]} - {heir.id for _, heir in heirs}

        def unchanged() -> str:
            return "\n".join([row.body for row in self._states.of(others).values()])

        return _replaced_throughout(pairs, unchanged, self._base.folded.vocabulary.decode)


def _turned(changes: Iterable[Change]) -> Iterator[Change]:
    """Yield the changes in reverse: new provisions become gone, split provisions merged."""
    yielded: set[int] = set()
    for change in sorted(changes, key=lambda change: (change.is_part, change.bits & rows.MERGED)):
        doubt, is_part, of_words = change.bits & rows.UNCERTAIN, False, change.change
        if change.new is None or change.old is None:
            bits = (rows.GONE if change.old is None else rows.NEW) | doubt
        elif change.is_part:
            bits = doubt or rows.MERGED
        elif change.new.id in yielded:
            bits, is_part, of_words = doubt or rows.SPLIT, True, SUBSTANTIVE
        else:
            bits = change.bits & ~(rows.SPLIT | rows.MERGED | rows.COPIED) or KEPT
        if change.new is not None and change.old is not None:
            yielded.add(change.new.id)
        yield Change(change.new, change.old, (), bits, of_words, change.confidence, is_part)


# Wording replaced throughout ---------------------------------------------------------------------


def _replaced_throughout(
    pairs: Sequence[tuple[str, str]],
    unchanged: Callable[[], str],
    decode: Callable[[str], list[str]],
) -> list[tuple[str, str, int]]:
    """Return phrases, their replacements and the number of provisions, the most frequent first.

    Pairs are the words of reworded provisions before and after, a character each, which `decode` turns
    into words; `unchanged` returns all other texts of the newer edition, as printed. A word diff has as few
    words as possible: of "state-based effects", only "effects", which the rules still use. So a phrase counts
    only if most places lost it; if they did not, it is tried with the words around it.
    """
    changed, printed = "\n".join([after for _, after in pairs]), list[str]()

    def is_rare(phrase: str, most: float) -> bool:
        """Return whether the newer edition has a phrase at most so many times."""
        count = changed.count(phrase)
        if count > most:
            return False
        printed.extend([] if printed else [unchanged().lower()])
        first, *others = map(re.escape, decode(phrase))
        # A pattern is found far faster if it begins with plain words, not with a condition.
        words = r"[\W_]+".join((rf"{first}(?<!\w{first})", *others))
        matches = re.finditer(rf"{words}(?!\w)", printed[0])
        return all(count + number <= most for number, _ in enumerate(matches, start=1))

    left = [(number, *spans) for number, pair in enumerate(pairs) for spans in _replacements(*pair)]
    provisions: dict[tuple[str, str], set[int]] = defaultdict(set)
    for around in _AROUND:
        phrases = [_phrase(pairs[number], spans, *around) for number, *spans in left]
        times, lost = Counter(filter(None, phrases)), Counter[str]()
        for (old, _), count in times.items():
            lost[old] += count
        often = {phrase for phrase, count in times.items() if count >= SWEPT_IN}
        rare = {
            old: is_rare(old, lost[old] * (1 / _SWEPT - 1)) for old in {old for old, _ in often}
        }
        places, left = left, []
        for place, phrase in zip(places, phrases, strict=True):
            if phrase in often and rare[phrase[0]]:
                provisions[phrase].add(place[0])
            else:
                left.append(place)
    counts = [(-len(some), phrase) for phrase, some in provisions.items() if len(some) >= SWEPT_IN]
    return [
        (" ".join(decode(old)), " ".join(decode(new)), -count)
        for count, (old, new) in sorted(counts)
    ]


def _phrase(
    pair: tuple[str, str], spans: Sequence[_Span], before: int, behind: int
) -> tuple[str, str] | None:
    """Return replaced words and their replacement, each with some words around it.

    Return None if a text has too few words there, or if a phrase is too long or has a slot.
    """
    phrases: list[str] = []
    for text, (start, stop) in zip(pair, spans, strict=True):
        phrase = text[start - before : stop + behind]
        if start < before or stop + behind > len(text) or len(phrase) > _LONGEST or SLOT in phrase:
            return None
        phrases.append(phrase)
    return phrases[0], phrases[1]


def _replacements(old: str, new: str) -> Iterator[tuple[_Span, _Span]]:
    """Yield the words lost and got; two replacements with one kept word between them are one."""
    older, newer = (0, 0), (0, 0)
    for run in (*closest_runs(old, new), None):
        is_open = older[1] > older[0] or newer[1] > newer[0]
        if run is not None and not run.is_same:
            older = (older[0] if is_open else run.older[0]), run.older[1]
            newer = (newer[0] if is_open else run.newer[0]), run.newer[1]
        elif run is None or run.older[1] - run.older[0] > 1:
            if older[1] > older[0]:
                yield older, newer
            older, newer = (0, 0), (0, 0)


# Records -----------------------------------------------------------------------------------------


def diff_of(
    compared: Changes | SubjectChanges, is_wanted: Callable[[Change], bool] | None = None
) -> lineage.Diff:
    """Return the answer of `cr diff`, with the wanted changes; by default with all."""
    changes = compared if isinstance(compared, Changes) else compared.changes
    subject: lineage.DiffSubject | None = None
    if isinstance(compared, SubjectChanges):
        subject = lineage.DiffSubject(
            asked=compared.asked,
            edition=compared.read_in.label,
            from_=[provision.name for provision in compared.old],
            to=[provision.name for provision in compared.new],
            others=list(compared.others),
            unchanged_since=compared.unchanged_since,
        )
    records: list[lineage.Change] = []
    for change in filter(is_wanted, changes.all):
        old, new = (None if row is None else name_of(row) for row in (change.old, change.new))
        # Exact pieces give both readings, letter for letter; the older one of a part is its source's.
        pieces = change.pieces(exactly=True) if change.change != NONE else []
        words = [Piece(*piece) for piece in pieces]
        records.append(lineage.Change(old, new, change.kinds, change.change, words))
    return lineage.Diff(summary(changes), records, subject)


def summary(changes: Changes) -> lineage.DiffSummary:
    """Return the counts of the changes."""
    whole = [change for change in changes.all if change.old and change.new and not change.is_part]
    count = Counter([change.change for change in whole])
    words = Counter[str]()
    for change in changes.all:
        for sign, text in change.pieces() if change.change in {SUBSTANTIVE, SWEEP} else ():
            words[sign] += 0 if sign == word_diffs.GONE and change.is_part else len(text.split())
    new = sum(change.is_new for change in changes.all)
    parts = sum(change.is_part for change in changes.all)
    return lineage.DiffSummary(
        from_edition=changes.from_edition,
        to_edition=changes.to_edition,
        provisions=changes.same + len(changes.all) - new - parts,
        same=changes.same,
        moved_only=count[NONE],
        new=new,
        gone=sum(change.is_gone for change in changes.all),
        parts=parts,
        typographic=count[TYPOGRAPHIC],
        citation_only=count[CITATION],
        sweep=count[SWEEP],
        substantive=count[SUBSTANTIVE],
        words_gone=words[word_diffs.GONE],
        words_came=words[word_diffs.CAME],
        sweeps=[lineage.Sweep(*swept) for swept in changes.swept],
        doubts={label: list(doubts) for label, doubts in changes.doubts.items()},
    )
