"""What changed between two editions, in all provisions or in one with its subrules; wording replaced throughout."""

import contextlib
import re
from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from math import floor
from operator import itemgetter
from typing import NamedTuple

from variorum import rows
from variorum.answers.crosswalk import has_same_words, kinds_between
from variorum.answers.editions import EditionEntry
from variorum.answers.histories import unchanged_since
from variorum.answers.knowledge_base import KnowledgeBase, Subject
from variorum.answers.questions import NUMBER, asked_for, parse_questions
from variorum.errors import NotFoundError
from variorum.history import word_diffs
from variorum.history.lineages import Destination, Lineages
from variorum.history.word_diffs import CAME, GONE, SAME, SWEPT_IN
from variorum.records import lineage
from variorum.records.answer import Piece
from variorum.rows import CHANGE_CLASSES, KEPT, State, kinds_of, name_of, wording_of
from variorum.text import fold

Editions = tuple[EditionEntry, EditionEntry]
# A phrase, its replacement, and the number of provisions.
Swept = tuple[str, str, int]

# The classes of changes of words; see rows.py.
NONE, TYPOGRAPHIC, CITATION, SWEEP, SUBSTANTIVE = CHANGE_CLASSES
_PARTED = rows.SPLIT | rows.MERGED | rows.COPIED
# Each diff is needed twice: to count and to show; and editions that are compared with the same one share most.
_word_diff = lru_cache(6144)(word_diffs.word_diff)


class Change(NamedTuple):
    """The change of a provision between two editions: from a state to its main heir and to others.

    One of the two is None if it is new or gone. A part has words of `old` but is the main heir of no
    provision. The bits are rows.STEP_KINDS, `change` is one of rows.CHANGE_CLASSES.
    """

    old: State | None
    new: State | None
    bits: int
    change: str
    confidence: float
    others: tuple[State, ...] = ()
    is_part: bool = False

    @property
    def sort(self) -> str:
        """Return the field of lineage.DiffSummary that counts it."""
        if self.is_part or not (self.old and self.new):
            return "parts" if self.is_part else "gone" if self.old else "new"
        return self.change.replace("-", "_") or "moved_only"

    @property
    def kinds(self) -> list[str]:
        return kinds_of(self.bits)

    def pieces(self, *, exactly: bool = False) -> Sequence[word_diffs.Piece]:
        """Return the word diff of the provision's words, or of its heading if it has no words."""
        texts = ["" if row is None else wording_of(row) for row in (self.old, self.new)]
        if not all(texts):
            return [piece for piece in zip((GONE, CAME), texts, strict=True) if piece[1]]
        return _word_diff(*texts, exactly=exactly)


@dataclass(frozen=True, eq=False)
class Changes:
    """The changes from one edition to another, earlier or later, as this prints or would print them.

    `olds` are the states that were compared with later ones, and `swept` phrases replaced in many
    provisions, with the number of these. If a question named provisions, `subject` says which, and `sides`
    are these as each of the editions has them.
    """

    editions: Editions
    all: list[Change]
    olds: Collection[int]
    swept: Sequence[Swept] = ()
    subject: lineage.DiffSubject | None = None
    sides: tuple[Sequence[Subject], Sequence[Subject]] = ((), ())

    @cached_property
    def summary(self) -> lineage.DiffSummary:
        """Return the counts of the changes."""
        count, words = Counter([change.sort for change in self.all]), Counter[str]()
        fields = lineage.DiffSummary.__struct_fields__
        changed = {it.old.id for it in self.all if it.old and not it.is_part}
        same = len({*self.olds} - changed)
        for change in self.all:
            for sign, text in change.pieces() if change.change in {SUBSTANTIVE, SWEEP} else ():
                if sign == CAME or (sign == GONE and not change.is_part):
                    words[sign] += len(text.split())
        return lineage.DiffSummary(
            from_edition=self.editions[0].label,
            to_edition=self.editions[1].label,
            provisions=same + len(self.all) - count["new"] - count["parts"],
            same=same,
            **{sort: count[sort] for sort in rows.SUBRULE_SORTS if sort in fields},
            words_gone=words[GONE],
            words_came=words[CAME],
            sweeps=[lineage.Sweep(*swept) for swept in self.swept],
            doubts={it.label: list(it.doubts) for it in self.editions if it.doubts},
        )

    def record(self, is_wanted: Callable[[Change], bool] | None = None) -> lineage.Diff:
        """Return the answer of `cr diff`, with the wanted changes; by default with all."""
        records: list[lineage.Change] = []
        for change in filter(is_wanted, self.all):
            old, new = (None if row is None else name_of(row) for row in change[:2])
            # Exact pieces give both readings, letter for letter; the older one of a part is its source's.
            pieces = change.pieces(exactly=True) if change.change != NONE else []
            words = [Piece(*piece) for piece in pieces]
            records.append(lineage.Change(old, new, change.kinds, change.change, words))
        return lineage.Diff(self.summary, records, self.subject)


# Comparisons -------------------------------------------------------------------------------------


def find_changes(
    base: KnowledgeBase, start: str | EditionEntry, stop: str | EditionEntry = "current"
) -> Changes:
    """Return what changed from one edition to another, earlier or later."""
    editions = base.edition(start), base.edition(stop)
    first, last = sorted(edition.place for edition in editions)
    links = base.links.between(first, last)
    lineages = base.lineages if links is base.links else Lineages(links, last)
    comparison = _Comparison(base, editions, lineages)
    olds, news = comparison.printed
    changes = comparison.between(olds, news)
    diffs = [it.pieces() for it in changes if it.sort in {SWEEP, SUBSTANTIVE}]
    swept = replaced_throughout(
        diffs, lambda: "\n".join([it.body for it in base.states.of(news).values()])
    )
    return Changes(editions, changes, olds, swept)


def subject_changes(
    base: KnowledgeBase,
    question: str,
    editions: Editions,
    on: str | EditionEntry | None = None,
    *,
    is_alone: bool = False,
) -> Changes:
    """Return the changes of the provisions that a question names, from one edition to another.

    The number is of the edition `on`; by default of the newer of the two editions, or of the older if only
    this prints it. `is_alone` leaves the subrules out.
    """
    asked = parse_questions(question)[0]
    subjects = _named(base, question, editions, on or asked.edition)
    old, new = sides = tuple(
        [heir for subject in subjects if (heir := subject.heir(edition))] for edition in editions
    )
    if not (old or new):
        neither = f"{editions[0].label} nor {editions[1].label}"
        raise NotFoundError(f"{asked_for(asked.question)}: neither in the edition of {neither}")
    others: list[lineage.BearerThere] = []
    for side, edition, elsewhere in zip(sides, editions, editions[::-1], strict=True):
        is_number = asked.question[0] == NUMBER
        for state in base.named(asked.question[1], edition.place) if is_number else ():
            if state not in [subject.state for subject in side]:
                bearer = base.at(state.id, edition.place)
                heir = bearer.heir(elsewhere)
                about = edition.label, state.address, bearer.gist
                others.append(lineage.BearerThere(*about, heir and heir.name))
    olds, news = (
        {low.state.id for it in side for low in (it, *(() if is_alone else it.tree()))}
        for side in sides
    )
    changes = _Comparison(base, editions, base.lineages).within(olds, news)
    older = min((*old, *new), key=lambda subject: subject.edition.place)
    subject = lineage.DiffSubject(
        asked=question,
        edition=subjects[0].edition.label,
        from_=[*dict.fromkeys(it.name for it in old)],
        to=[*dict.fromkeys(it.name for it in new)],
        others=others,
        unchanged_since=None if changes else unchanged_since(older),
    )
    return Changes(editions, changes, olds, (), subject, (old, new))


def _named(
    base: KnowledgeBase, question: str, editions: Editions, on: str | EditionEntry
) -> list[Subject]:
    if on:
        return base.find(question, base.edition(on))
    older, newer = sorted(editions, key=lambda edition: edition.place)
    for edition in (newer, older):
        with contextlib.suppress(NotFoundError):
            return base.find(question, edition)
    return base.show(question, newer)


class _Comparison:
    def __init__(self, base: KnowledgeBase, editions: Editions, lineages: Lineages) -> None:
        self._base, self._states, self._lineages = base, base.states, lineages
        self._places = [edition.place for edition in editions]
        self._is_forward = self._places[0] <= self._places[1]
        self.printed = [base.reader.states_of(place) for place in self._places]

    def _walk(self, states: Iterable[int], side: int = 0) -> Mapping[int, Destination]:
        """Follow states of the first edition (0) to the second, or of the second (1) to the first."""
        ends = self._places[side], self._places[1 - side]
        return {state: self._lineages.way(state, *ends) for state in states}

    def within(self, olds: set[int], news: set[int]) -> list[Change]:
        """Return the changes of some states of the first edition and some of the second, as `between` does."""
        self._base.links.read(olds if self._is_forward else news, with_later=True)
        there = [it for it in self.printed[1] if it in news]
        sources = olds | {old for way in self._walk(there, 1).values() for old in way.states}
        return [
            it
            for it in self.between([it for it in self.printed[0] if it in sources], there)
            if (it.old and it.old.id in olds) or (it.new and it.new.id in news)
        ]

    def between(self, olds: Sequence[int], news: Sequence[int]) -> list[Change]:
        """Return the changes as the second edition is printed; what is gone follows its predecessor's heir."""
        order = {state: place for place, state in enumerate(self.printed[1])}
        ways = self._walk(olds)
        mains = Counter(way.states[0] for way in ways.values() if way.states)
        heirs = {heir for way in ways.values() for heir in way.states}
        arrived = [state for state in news if state not in heirs]
        # Only changed provisions are read.
        moved = {id_: way for id_, way in ways.items() if way.bits or way.states != [id_]}
        self._states.of([*moved, *[it for way in moved.values() for it in way.states], *arrived])
        # Seen from a newer edition, those whose words were a part of another's are merged.
        joined = [state for state, count in mains.items() if count > 1 and not self._is_forward]
        own = {state: way.states[:1] for state, way in self._walk(joined, 1).items()}
        came = [(it, Change(None, self._states[it], rows.NEW, SUBSTANTIVE, 1.0)) for it in arrived]
        placed: list[tuple[float, Change]] = [(order[state], change) for state, change in came]
        after = -0.5
        for id_, way in ways.items():
            after = order[way.states[0]] if way.states else floor(after) + 0.5
            if id_ in moved:
                is_merged = bool(way.states) and own.get(way.states[0], [id_]) != [id_]
                change = self._change(self._states[id_], way, is_merged=is_merged)
                if change.bits != KEPT or change.change != NONE:
                    placed.append((after, change))
            for state in [it for it in way.states[1:] if it not in mains]:
                mains[state] += 1  # it is one part
                kinds = way.bits & (rows.UNCERTAIN | (_PARTED if self._is_forward else 0))
                ends = self._states[id_], self._states[state]
                part = Change(*ends, kinds or rows.SPLIT, SUBSTANTIVE, way.confidence, is_part=True)
                placed.append((order[state], part))
        return [change for _, change in sorted(placed, key=itemgetter(0))]

    def _change(self, old: State, way: Destination, *, is_merged: bool) -> Change:
        if not way.states:
            sure = way.confidence if self._is_forward else 1.0
            return Change(old, None, rows.GONE, SUBSTANTIVE, sure)
        new, *others = [self._states[state] for state in way.states]
        change, is_same_place = self._class(old, new, way), name_of(old) == name_of(new)
        is_same_text = change not in {SWEEP, SUBSTANTIVE}
        bits = kinds_between(way, is_same_place=is_same_place, is_same_text=is_same_text)
        if not self._is_forward:
            bits = rows.MERGED if is_merged else bits & ~_PARTED or KEPT
        return Change(old, new, bits, change, way.confidence, tuple(others))

    def _class(self, old: State, new: State, way: Destination) -> str:
        """Return the class of a change: by the texts or, if they differ, by the steps between."""
        if (old.heading, old.body) == (new.heading, new.body):
            return NONE
        alike = (old, new) if has_same_words(old, new) else ()
        canons = [self._base.folded.canon(state) for state in alike]
        if len({canon.whole for canon in canons}) != 1:
            classes = {link.change for link in way.taken}
            return SWEEP if SWEEP in classes and SUBSTANTIVE not in classes else SUBSTANTIVE
        cited, now = [
            [end for it in canon.citations for end in (it.first, it.last)] for canon in canons
        ]
        if cited == now:
            return TYPOGRAPHIC
        return CITATION if all(map(self._is_now, cited, now)) else SUBSTANTIVE

    def _is_now(self, old: str, now: str) -> bool:
        for bearer in self._base.named(old, self._places[0])[-1:] if old != now else ():
            heirs = self._walk([bearer.id])[bearer.id].states
            return not heirs or self._states[heirs[0]].number == now
        return True


# Wording replaced throughout ---------------------------------------------------------------------

# The most words of a phrase; which share of its places must have lost it; how many words before and after a
# replacement are added to it, in the order of trial. By hand.
_LONGEST, _SWEPT = 6, 0.6
_AROUND = ((0, 0), (1, 0), (2, 0), (0, 1))
_WORD = re.compile(r"[{\w][\w'/{}-]*")
_FAR = 60  # characters; only words beside a replacement are of interest


def replaced_throughout(
    diffs: Sequence[Sequence[word_diffs.Piece]], newer: Callable[[], str]
) -> list[Swept]:
    """Return phrases, their replacements and the number of provisions, the most frequent first.

    `diffs` are the word diffs of provisions, `newer` returns the text of the newer edition. A word diff has
    as few words as possible: of "state-based effects", only "effects", which the rules still use. So a
    phrase counts only if most places lost it; if they did not, it is tried with the words around it.
    """
    places = [(nth, tried) for nth, diff in enumerate(diffs) for tried in _replaced(tuple(diff))]
    times = Counter([phrase for _, tried in places for phrase in tried])
    lost = Counter[tuple[int, str]]()
    for phrase, count in times.items():
        lost[phrase[:2]] += count
    often = [phrase for phrase, count in times.items() if count >= SWEPT_IN]
    text = _folded(newer()) if often else ""
    swept = {it for it in often if _count(text, f" {it[1]} ") <= lost[it[:2]] * (1 / _SWEPT - 1)}
    provisions: dict[tuple[str, str], set[int]] = defaultdict(set)
    for nth, tried in places:
        for _, old, new in [phrase for phrase in tried if phrase in swept][:1]:
            provisions[old, new].add(nth)
    counts = [(-len(some), phrase) for phrase, some in provisions.items() if len(some) >= SWEPT_IN]
    return [(old, new, -count) for count, (old, new) in sorted(counts)]


def _replacements(pieces: Sequence[word_diffs.Piece]) -> list[list[tuple[int, str, str]]]:
    """Return each phrase and its replacement in a word diff, with words around them by the trial; no numbers.

    Two replacements with one kept word between them are one.
    """
    places: list[tuple[list[str], list[str], list[str], list[str]]] = []
    kept: list[str] = []
    short = [
        f"{text[:_FAR]} {text[-_FAR:]}" if sign == SAME and len(text) > 2 * _FAR else text
        for sign, text in pieces
    ]
    for (sign, _), text in zip(pieces, fold("\0".join(short)).split("\0"), strict=True):
        words = _WORD.findall(text)
        if sign == SAME:
            kept = words
            for *_, after in places[-1:]:
                after[:] = kept[:1]
            continue
        if not places or len(kept) > 1:
            places.append((kept[-2:], [], [], []))
        else:
            _, old, new, after = places[-1]
            old += kept
            new += kept
            after.clear()
        places[-1][1 if sign == GONE else 2].extend(words)
        kept = []
    return [
        [
            (trial, " ".join([*begin, *old, *end]), " ".join([*begin, *new, *end]))
            for trial, (least, most) in enumerate(_AROUND)
            for begin, end in [(before[len(before) - least :], after[:most])]
            if (len(begin), len(end)) == (least, most)
            if max(len(old), len(new)) + least + most <= _LONGEST
        ]
        for before, old, new, after in places
        if old and not any(word[0].isdigit() for word in old)
    ]


# Comparisons with the same edition share most diffs.
_replaced, _count = lru_cache(4096)(_replacements), lru_cache(4096)(str.count)
_folded = lru_cache(1)(lambda text: f" {' '.join(_WORD.findall(fold(text)))} ")
