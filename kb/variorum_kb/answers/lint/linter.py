"""What is wrong in an edition by the rules' own measure: citations, numbering, misprints."""

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Sequence
from collections.abc import Set as AbstractSet
from typing import TYPE_CHECKING, Unpack

from variorum_kb.answers.lint.kinds import KINDS
from variorum_kb.answers.lint.slots import Citations
from variorum_kb.answers.lint.stale import Follower, Here, Pointer
from variorum_kb.answers.lookup import unpacked
from variorum_kb.answers.stored.whole import PrintedCitation
from variorum_kb.answers.unapplied import Unapplied, unapplied_verdicts
from variorum_kb.facts.verdicts import Verdict
from variorum_kb.forms.edition import OddityJson
from variorum_kb.forms.lint import (
    DetailsJson,
    LintFindingJson,
    LintJson,
    LintKind,
    OutcomeJson,
    PlaceJson,
)
from variorum_kb.model import Irregular, RuleNumber
from variorum_kb.rows import State, name_of
from variorum_kb.rule_numbers import letters_after
from variorum_kb.text.keys import fold_title

if TYPE_CHECKING:
    from variorum_kb.answers.edition_entry import EditionEntry
    from variorum_kb.answers.knowledge_base import KnowledgeBase

# What reading has noted that is more than a misprint.
_GAP, _DOUBLE = Irregular.NUMBERS_SKIPPED.value, Irregular.PRINTED_TWICE.value
_HUNDRED = 100


def lint_editions(
    base: "KnowledgeBase", on: Iterable["str | EditionEntry"] = ("current",)
) -> list[LintJson]:
    """Return what is wrong in editions, oldest first.

    Raises:
        NoEditionError: A designator names no edition.
    """
    return list(_Linter(base).lint({base.edition(one).place for one in on}))


class _Linter:
    """Looks for what is wrong in the editions of an open base."""

    def __init__(self, base: "KnowledgeBase") -> None:
        self._base = base
        self._reader = base.reader
        self._labels = base.labels
        self._citations = Citations(base.whole)

    def lint(self, wanted: Collection[int]) -> Iterator[LintJson]:
        """Yield what is wrong in some editions, in their order.

        Args:
            wanted: Their places.
        """
        editions = (self._reader.states_of(place) for place in range(max(wanted, default=-1) + 1))
        links = self._base.links.load().by_edition
        follower = Follower(self._citations, self._base.lineages, links)
        unapplied: dict[int, list[Unapplied]] = defaultdict(list)
        for one in unapplied_verdicts(self._base, wanted):
            unapplied[one.edition].append(one)
        for place in follower.follow(editions):
            if place in wanted:
                yield self._lint(place, follower, unapplied[place])

    def _lint(self, place: int, follower: Follower, unapplied: Sequence[Unapplied]) -> LintJson:
        ids = list(self._reader.states_of(place))
        found = [
            *self._cited(ids, follower),
            *self._numbering(ids, place),
            *(_unapplied(one.verdict) for one in unapplied),
        ]
        order = {kind: place for place, kind in enumerate(KINDS)}
        found.sort(key=lambda one: order[one["kind"]])
        count = Counter(one["kind"] for one in found)
        return {
            "edition": self._labels[place],
            "doubts": list(self._base.editions[place].doubts),
            "counts": {kind: count[kind] for kind in KINDS},
            "findings": found,
        }

    # Citations -----------------------------------------------------------------------------------

    def _cited(self, ids: Sequence[int], follower: Follower) -> Iterator[LintFindingJson]:
        """Yield the citations that are wrong, each once, in printed order."""
        titles = _Titles([self._citations.states[one] for one in ids])
        for state in ids:
            if state not in self._citations.of:
                continue
            moved: dict[int, list[Pointer]] = defaultdict(list)
            for pointer in follower.live[state]:
                if pointer.destination is not None and pointer.destination.is_sure:
                    moved[pointer.place].append(pointer)
            for one in self._citations.of[state]:
                targets = [follower.here.bearers(number) for number in one.numbers]
                kind = _kind(one, targets, follower.here, is_stale=bool(moved[one.place]))
                if kind:
                    yield _finding(
                        kind,
                        self._citations.states[state].address,
                        self._citations.part(state, one.part)[one.start : one.stop],
                        titled=titles.number(one.title),
                        **self._place(one, targets, follower.here),
                        **self._outcome(one, moved[one.place]),
                    )

    def _place(
        self, one: PrintedCitation, targets: Sequence[tuple[int, ...]], here: Here
    ) -> PlaceJson:
        """Say where a citation stands and what it leads to."""
        states = list(dict.fromkeys(target for bearers in targets for target in bearers))
        return {
            "part": one.part,
            "start": one.start,
            "end": one.stop,
            "title": one.title,
            "targets": [self._citations.states[target].address for target in states],
            "heading": next(iter(here.headings(states[:1])), ""),
        }

    def _outcome(self, one: PrintedCitation, moved: Sequence[Pointer]) -> OutcomeJson:
        """Say what became of what a citation led to."""
        heirs: dict[str, str] = {}
        for pointer in moved:
            if pointer.destination is not None and pointer.destination.states:
                heirs[pointer.number] = name_of(
                    self._citations.states[pointer.destination.states[0]]
                )
        lost = [pointer for pointer in moved if pointer.number not in heirs]
        ends = dict.fromkeys(heirs.get(end, end) for end in (one.numbers[0], one.numbers[-1]))
        since = [pointer.since for pointer in moved if pointer.since is not None]
        sure = [
            pointer.destination.confidence for pointer in moved if pointer.destination is not None
        ]
        return {
            "means": "-".join(ends) if moved and not lost else None,
            "gone": bool(lost),
            "since": self._labels[min(since)] if since else None,
            "confidence": round(min(sure), 4) if sure else None,
        }

    # Numbering and misprints ---------------------------------------------------------------------

    def _numbering(self, ids: Sequence[int], place: int) -> Iterator[LintFindingJson]:
        """Yield what is odd about numbers and characters, as reading has noted it, and gaps."""
        ledger = unpacked(self._reader.long_columns(place)["ledger"])
        odd: list[OddityJson] = ledger["irregularities"]
        skipped = {one["address"] for one in odd if one["kind"] == _GAP}
        yield from _gaps([self._citations.states[one] for one in ids], skipped)
        yield from _doubles(odd)
        for one in odd:
            if one["kind"] not in {_GAP, _DOUBLE}:
                start = one["start"]
                yield _finding(
                    "misprint",
                    one["address"],
                    one["printed"],
                    part=None if start is None else "text",
                    start=start,
                    end=None if start is None else start + len(one["printed"]),
                    means=one["meant"] or None,
                    misprint=one["kind"],
                    evidence=one["evidence"],
                )


def _kind(
    one: PrintedCitation, targets: Sequence[tuple[int, ...]], here: Here, *, is_stale: bool
) -> LintKind | None:
    """Say what is wrong with a citation, None if nothing is."""
    if not (targets[0] and targets[-1]):
        return "dangling"
    if is_stale:
        return "stale"
    states = [target for bearers in targets for target in bearers]
    return "title" if one.title and not here.fits(one.title, states) else None


class _Titles:
    """The headings of an edition, as titles of citations name them."""

    def __init__(self, states: Sequence[State]) -> None:
        self._states = states
        self._known: dict[str, list[str]] = {}

    def number(self, title: str) -> str | None:
        """Return the number of what alone has a heading."""
        if title and not self._known:
            for state in self._states:
                if state.heading and state.kind != "glossary":
                    self._known.setdefault(fold_title(state.heading), []).append(state.address)
        found = self._known.get(fold_title(title), []) if title else []
        return found[0] if len(found) == 1 else None


def _gaps(states: Sequence[State], skipped: AbstractSet[str]) -> Iterator[LintFindingJson]:
    """Yield where numbers are left out: what reading has noted, and sections.

    A document that leaves out a chapter is no edition. A section without rules ("intentionally
    left blank") is there.
    """
    before = RuleNumber(_HUNDRED - 1)
    for state in states:
        number = RuleNumber.read(state.meant or state.number)
        if number is None:
            continue  # a chapter, or an entry of the glossary
        if not number.rule or state.address in skipped:
            missing = list(_between(before, number))
            if missing:
                evidence = f"it follows {before}"
                yield _finding(
                    "gap", state.address, state.address, missing=missing, evidence=evidence
                )
        before = number


def _between(one: RuleNumber, other: RuleNumber) -> Iterator[str]:
    """Yield the numbers left out between two, of the depth of the second.

    >>> [*_between(RuleNumber(100, 1, "h"), RuleNumber(100, 1, "m"))]
    ['100.1i', '100.1j', '100.1k']
    """
    if not other.rule:
        first = other.section // _HUNDRED * _HUNDRED
        yield from map(str, range(max(one.section + 1, first), other.section))
    elif not other.letters:
        yield from (f"{other.section}.{rule}" for rule in range(one.rule + 1, other.rule))
    else:
        letters = letters_after(one.letters)
        while (len(letters), letters) < (len(other.letters), other.letters):
            yield f"{other.section}.{other.rule}{letters}"
            letters = letters_after(letters)


def _unapplied(one: Verdict) -> LintFindingJson:
    days = f"between {one.old_edition} and {one.new_edition}"
    evidence = f"read as {one.verdict} {days}"
    return _finding("verdict", one.asked.name, one.asked.name, evidence=evidence)


def _doubles(odd: Sequence[OddityJson]) -> Iterator[LintFindingJson]:
    """Yield each number that is printed twice, once, with what one of its bearers should have."""
    bearers: dict[str, list[str]] = defaultdict(list)
    meant: dict[str, str] = {}
    for one in odd:
        if one["kind"] == _DOUBLE:
            bearers[one["printed"]].append(one["address"])
        elif one["kind"] == Irregular.MISNUMBERED.value:
            meant[one["address"]] = one["meant"]
    for number, addresses in bearers.items():
        means = next((meant[one] for one in addresses if one in meant), None)
        yield _finding("double", number, number, targets=addresses, means=means)


# What a finding is that nothing more is known of.
_NOTHING: LintFindingJson = {
    "kind": "misprint",
    "address": "",
    "printed": "",
    "part": None,
    "start": None,
    "end": None,
    "title": "",
    "targets": [],
    "heading": "",
    "titled": None,
    "missing": [],
    "misprint": "",
    "evidence": "",
    "means": None,
    "gone": False,
    "since": None,
    "confidence": None,
}


def _finding(
    kind: LintKind, address: str, printed: str, **more: Unpack[DetailsJson]
) -> LintFindingJson:
    return {**_NOTHING, **more, "kind": kind, "address": address, "printed": printed}
