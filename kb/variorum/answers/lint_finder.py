"""Finds the errors of the editions of a base while it is built.

The findings of an edition depend only on it and on earlier editions, so stored findings stay valid.

A citation is stale if its number once led to another provision, and its sentence is unchanged since
then. While a citation is correct, it leads to the bearer of its number. Once that bearer moves away,
its heirs are followed.
"""

import json
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Any, NamedTuple

import msgspec

from variorum.answers.lint import KINDS, SAYS_NOTHING
from variorum.answers.lookup import ledger_in
from variorum.answers.whole import PrintedCitation, citations_of
from variorum.history.lineages import Link
from variorum.history.walks import Walk
from variorum.model import ACTED_ON, SAME_SUBJECT, Irregular, RuleNumber
from variorum.records.edition import LocatedIrregularity
from variorum.records.lint import LintFinding, LintKind
from variorum.rows import NEW, UNCERTAIN, State, full_text, name_of
from variorum.rule_numbers import letters_after
from variorum.stored_rows import StaleRow
from variorum.text import SLOT, bearing, fold_title, keys_of, sentence_around, share, words_of

if TYPE_CHECKING:
    from variorum.answers.knowledge_base import KnowledgeBase

# Irregularities of the numbering, which are not misprints.
_GAP, _DOUBLE = Irregular.NUMBERS_SKIPPED.value, Irregular.PRINTED_TWICE.value
_HUNDRED = 100
_number = cache(RuleNumber.read)


def find_findings(
    base: "KnowledgeBase", first: int = 0, stale: Sequence[StaleRow] = ()
) -> Iterator[tuple[list[str], list[StaleRow]]]:
    """Yield the errors as JSON, and stale citations, of each edition from place `first` on.

    Args:
        base: The base.
        first: The place of the first edition.
        stale: The stale citations of the preceding edition.
    """
    follower = _Follower(base)
    if first:
        follower.start(first - 1, stale)
    else:
        base.links.load()
    order = {kind: place for place, kind in enumerate(KINDS)}
    for place in range(first, len(base.editions)):
        ids = base.reader.states_of(place)
        follower.go_on(ids, base.links.between(place - 1, place).by_edition.get(place, ()))
        odd = ledger_in(base.reader, place).irregularities
        findings = [*_cited(follower, ids), *_numbering(follower.states, ids, odd)]
        findings.sort(key=lambda finding: order[finding.kind])
        yield [_stored(finding) for finding in findings], follower.rows()


def _stored(finding: LintFinding) -> str:
    """Return a finding as JSON, without fields that say nothing; `since` is an edition's place."""
    fields: dict[str, object] = msgspec.to_builtins(finding)
    known = {name: value for name, value in fields.items() if value != SAYS_NOTHING[name]}
    return json.dumps(known, ensure_ascii=False, separators=(",", ":"))


# Following citations -----------------------------------------------------------------------------


class _Slot(NamedTuple):
    """The place of a citation in an unchanging sentence.

    A sentence is its words with a slot for each citation. So it stays the same if only its typography
    or its cited numbers change.

    Attributes:
        part: "text" or "heading".
        words: The words of the sentence.
        nth: The place of the slot, from 1, among all slots in this sentence and in equal sentences.
        of: How many such slots there are. If this number changes, slots cannot be matched.
        number: The cited number, which may be an end of a range.
    """

    part: str
    words: tuple[str, ...]
    nth: int
    of: int
    ends: tuple[str, str]
    number: str


class _Astray:
    """Where the former target of a citation is.

    Attributes:
        target: The id of the state that was cited.
        since: The place of the edition in which it lost the number.
        is_alike: Whether its heir there still has its words.
    """

    def __init__(self, base: "KnowledgeBase", target: int, since: int) -> None:
        walk = Walk(base.lineages, [target], since - 1, doubts_returns=False)
        self.go_on, self._way = walk.go_on, walk.destinations[target]
        self.target, self.since, self.is_alike = target, since, True

    @property
    def states(self) -> list[int]:
        """Return the target's heir, then its parts and copies; none if it was removed."""
        return self._way.states

    @property
    def confidence(self) -> float:
        """Return the chance that the heir is right."""
        return self._way.confidence

    @property
    def is_sure(self) -> bool:
        """Return whether the heir is certain enough for a finding."""
        is_followed = self.confidence >= ACTED_ON and not self._way.bits & UNCERTAIN
        return self.is_alike and is_followed


@dataclass(slots=True)
class _Pointer:
    """A cited number of a state: the citation, its slot, and what it led to or where that is now."""

    state: int
    citation: PrintedCitation
    slot: _Slot
    target: tuple[int, ...] = ()
    astray: _Astray | None = None

    @property
    def number(self) -> str:
        return self.slot.number


class _Follower:
    """Follows the citations of a base through its editions.

    Attributes:
        states: All states of editions so far, by their ids.
        cited: The citations of those that have any.
        stale: The pointers that lead astray in the edition at hand, by the ids of the citing states.
    """

    def __init__(self, base: "KnowledgeBase") -> None:
        self._base, self._lineages = base, base.lineages
        self._place = -1
        self._held = set[int]()
        self.states: dict[int, State] = {}
        self.cited: dict[int, tuple[PrintedCitation, ...]] = {}
        self.stale: dict[int, list[_Pointer]] = {}
        self._citing: dict[str, set[int]] = defaultdict(set)
        self._bearers: dict[str, tuple[int, ...]] = {}
        self._before = self._bearers
        self._slots: dict[int, list[tuple[PrintedCitation, _Slot]]] = {}
        self._titles: dict[str, str] = {}

    def start(self, place: int, stale: Iterable[StaleRow]) -> None:
        """Start in an edition with its stale citations."""
        self._place, self._held = place, set(self._base.reader.states_of(place))
        self._take((), self._held)
        for row in stale:
            pointer = next(
                pointer
                for pointer in self._pointers(row.provision)
                if (pointer.citation.place, pointer.number) == (row.place, row.number)
            )
            pointer.astray = _Astray(self._base, row.target, row.since)
            pointer.astray.is_alike = bool(row.is_alike)
            pointer.astray.go_on(place)
            self.stale.setdefault(row.provision, []).append(pointer)

    def rows(self) -> list[StaleRow]:
        """Return the stale citations of the edition at hand, in order."""
        return sorted(
            StaleRow(
                pointer.state,
                pointer.citation.place,
                pointer.number,
                pointer.astray.target,
                pointer.astray.since,
                int(pointer.astray.is_alike),
            )
            for pointers in self.stale.values()
            for pointer in pointers
            if pointer.astray is not None
        )

    def go_on(self, ids: Iterable[int], links: Sequence[Link]) -> None:
        """Move on to the next edition, given its states and the links that lead into it."""
        self._place += 1
        held = set(ids)
        gone, new = self._held - held, held - self._held
        self._take(gone, new)
        for pointers in self.stale.values():
            for pointer in pointers:
                if pointer.astray is not None:
                    pointer.astray.go_on(self._place)
        moved = {link.new for link in links} | {link.old for link in links if not link.is_return}
        handed = (new | (held & moved)) & self.cited.keys()
        kept = held - new - handed
        rows = [self.states[state] for state in gone | new]
        touched = {number for row in rows for number in (row.number, row.meant) if number}
        citing = {state for number in touched for state in self._citing.get(number, ())}
        begun = {state: self._handed_on(state) for state in sorted(handed)}
        begun |= {state: self._known(state) for state in sorted(citing & kept)}
        self.stale = {state: some for state, some in self.stale.items() if state in kept}
        self._held = held
        for state, some in begun.items():
            for pointer in some:
                if pointer.number in touched:
                    self._judge(pointer)
            self.stale[state] = [pointer for pointer in some if pointer.astray is not None]

    def _take(self, gone: AbstractSet[int] | tuple[()], new: AbstractSet[int]) -> None:
        """Read new states, and keep the bearers of numbers before and after."""
        missing = sorted(new - self.states.keys())
        self.states |= self._base.reader.states_by_id(missing)
        cited = citations_of(self._base.reader, missing)
        self.cited |= cited
        for state, citations in cited.items():
            for citation in citations:
                self._citing[citation.numbers[0]].add(state)
                self._citing[citation.numbers[-1]].add(state)
        self._before, bearers = self._bearers, dict(self._bearers)
        for state in gone:
            for key in self._keys(state):
                bearers[key] = tuple([bearer for bearer in bearers[key] if bearer != state])
        for state in new:
            for key in self._keys(state):
                both = (*bearers.get(key, ()), state)
                bearers[key] = tuple(sorted(both, key=lambda bearer: self.states[bearer].address))
        self._bearers = bearers

    def _keys(self, state: int) -> list[str]:
        row = self.states[state]
        return [] if row.kind == "glossary" else keys_of(row)

    def bearers(self, number: str) -> tuple[int, ...]:
        """Return the provisions that have a number in print; if none, those that should have it."""
        return bearing(lambda key: self._bearers.get(key, ()), number)

    # Pointers ------------------------------------------------------------------------------------

    def _pointers(self, state: int) -> Iterator[_Pointer]:
        if state in self.cited and state not in self._slots:
            self._slots[state] = list(self._find_slots(state))
        for citation, slot in self._slots.get(state, ()):
            for number in dict.fromkeys(slot.ends):
                yield _Pointer(state, citation, slot._replace(number=number))

    def _find_slots(self, state: int) -> Iterator[tuple[PrintedCitation, _Slot]]:
        sentences: list[tuple[str, tuple[str, ...]]] = []
        for part in ("heading", "text"):
            cited = [citation for citation in self.cited[state] if citation.part == part]
            slotted, less = self.part(state, part) if cited else "", 0
            for citation in cited:  # `less`: how much shorter it is than printed
                start, stop = citation.start - less, citation.stop - less
                slotted = slotted[:start] + SLOT + slotted[stop:]
                less += stop - start - len(SLOT)
            place = -1
            for _ in cited:
                place = slotted.index(SLOT, place + 1)
                around = sentence_around(slotted, place)
                sentences.append((part, tuple(words_of(around))))
        total, seen = Counter(sentences), Counter[tuple[str, tuple[str, ...]]]()
        for sentence, citation in zip(sentences, self.cited[state], strict=True):
            seen[sentence] += 1
            ends = citation.numbers[0], citation.numbers[-1]
            yield citation, _Slot(*sentence, seen[sentence], total[sentence], ends, "")

    def part(self, state: int, part: str) -> str:
        """Return the text to which the offsets of a citation refer."""
        row = self.states[state]
        return row.heading if part == "heading" else full_text(row.body)

    def _known(self, state: int) -> list[_Pointer]:
        """Return the pointers that a state had in the preceding edition."""
        if state not in self._held:
            return []
        stale = {
            (pointer.citation.place, pointer.number): pointer
            for pointer in self.stale.get(state, ())
        }
        pointers: list[_Pointer] = []
        for pointer in self._pointers(state):
            pointer.target = bearing(lambda key: self._before.get(key, ()), pointer.number)
            pointers.append(stale.get((pointer.citation.place, pointer.number), pointer))
        return pointers

    def _handed_on(self, state: int) -> list[_Pointer]:
        """Return the pointers of a state that is new or has new predecessors."""
        links = self._lineages.arriving(state, self._place)
        own = [link.old for link in links if link.is_main and link.old is not None]
        past = next(iter(own), -1) if links else state
        known = {pointer.slot: pointer for pointer in self._known(past)}
        pointers = list(self._pointers(state))
        for pointer in pointers:
            before = known.get(pointer.slot)
            if before is None:
                pointer.target = self.bearers(pointer.number)
            else:
                pointer.target, pointer.astray = before.target, before.astray
        return pointers

    # Judging -------------------------------------------------------------------------------------

    def _judge(self, pointer: _Pointer) -> None:
        """Record in a pointer whether its number still leads to its target."""
        now = self.bearers(pointer.number)
        if pointer.astray is not None:
            if self._leads_there(pointer, pointer.astray, now):
                pointer.astray = None
            return
        old, pointer.target = pointer.target, now
        if len(old) != 1 or not self._lineages.leaving(old[0], self._place):
            return  # the target keeps its number, or is unknown
        astray = _Astray(self._base, old[0], self._place)
        astray.go_on(self._place)
        if astray.states and not set(now) & set(astray.states):
            before, after = (
                words_of(f"{row.heading} {full_text(row.body)}")
                for row in (self.states[old[0]], self.states[astray.states[0]])
            )
            astray.is_alike = share(before, after) >= SAME_SUBJECT
        is_well = self._leads_there(pointer, astray, now)
        if not is_well and not self._may_be_meant(pointer, astray, now):
            pointer.astray = astray

    def _leads_there(self, pointer: _Pointer, astray: _Astray, now: Sequence[int]) -> bool:
        """Return whether a number still leads to its target; True if that is uncertain."""
        if not now:
            return False
        if len(now) > 1 or not astray.is_sure:
            return True  # printed twice, or the target cannot be followed with certainty
        if not astray.states or now[0] in astray.states:
            return bool(astray.states)
        heir = self.states[astray.states[0]]
        if heir.parent == self.states[now[0]].address:
            return True  # 102.4 still says what is now its subrule 102.4a
        ends = [RuleNumber.read(end) for end in pointer.slot.ends]
        number, (first, last) = RuleNumber.read(heir.number), ends
        if first is None or last is None or number is None or first == last:
            return False
        return first <= number <= last

    def _may_be_meant(self, pointer: _Pointer, astray: _Astray, now: Sequence[int]) -> bool:
        """Return whether a citation may mean the provision that has the number now."""
        if not now:
            return False
        citing = RuleNumber.read(self.states[pointer.state].number)
        cited = RuleNumber.read(pointer.number)
        if citing is not None and cited is not None and cited.follows(citing):
            return True  # "proceed to rule 100.2"
        title = pointer.citation.title
        if title and self.fold(title) in map(self.fold, self.headings(now)):
            return True
        # A new rule with the number of a removed target may be the target, reworded beyond
        # recognition.
        came = self._lineages.arriving(now[0], self._place)
        return not astray.states and any(link.bits & (NEW | UNCERTAIN) for link in came)

    # Titles --------------------------------------------------------------------------------------

    def headings(self, states: Iterable[int], *, is_of_rules: bool = False) -> list[str]:
        """Return the nearest headings at or above provisions; with `is_of_rules`, of no section."""
        headings: list[str] = []
        for state in states:
            row = self.states[state]
            heading = row.heading
            if not heading and (not is_of_rules or "." in row.parent):
                above = self.bearers(row.parent.partition("#")[0])
                rows = [self.states[bearer] for bearer in above]
                heading = next((it.heading for it in rows if it.address == row.parent), "")
            headings += [heading] if heading else []
        return headings

    def fold(self, title: str) -> str:
        """Return a title without the marks that may differ between a citation and a heading."""
        if title not in self._titles:
            self._titles[title] = fold_title(title)
        return self._titles[title]


# Wrong citations ---------------------------------------------------------------------------------


def _cited(here: _Follower, ids: Sequence[int]) -> Iterator[LintFinding]:
    """Yield the wrong citations of an edition, each once, in printed order."""
    titled: dict[str, list[str]] = defaultdict(list)
    for state in ids:
        row = here.states[state]
        if row.heading and row.kind != "glossary":
            titled[here.fold(row.heading)].append(row.address)
    for state in ids:
        moved: dict[int, list[_Pointer]] = defaultdict(list)
        for pointer in here.stale.get(state, ()):
            if pointer.astray is not None and pointer.astray.is_sure:
                moved[pointer.citation.place].append(pointer)
        for citation in here.cited.get(state, ()):
            ends = here.bearers(citation.numbers[0]), here.bearers(citation.numbers[-1])
            if all(ends) and not citation.title and not moved:
                continue
            targets = [here.bearers(number) for number in citation.numbers]
            numbers = titled.get(here.fold(citation.title), []) if citation.title else []
            kind = _kind(here, citation, targets, bool(moved[citation.place]), bool(numbers))
            if kind:
                states = list(dict.fromkeys(target for bearers in targets for target in bearers))
                yield LintFinding(
                    kind,
                    here.states[state].address,
                    here.part(state, citation.part)[citation.start : citation.stop],
                    part=citation.part,
                    start=citation.start,
                    end=citation.stop,
                    title=citation.title,
                    targets=[here.states[target].address for target in states],
                    heading=next(iter(here.headings(states[:1])), ""),
                    titled=numbers[0] if len(numbers) == 1 else None,
                    **_outcome(here.states, citation, moved[citation.place]),
                )


def _kind(
    here: _Follower,
    citation: PrintedCitation,
    targets: Sequence[tuple[int, ...]],
    is_stale: bool,  # noqa: FBT001
    is_elsewhere: bool,  # noqa: FBT001
) -> LintKind | None:
    """Return the kind of error of a citation, whose title may head another rule; None if correct."""
    if not (targets[0] and targets[-1]):
        return "dangling"
    if is_stale:
        return "stale"
    states = [target for bearers in targets for target in bearers]
    if not citation.title:
        return None
    # Nothing heads a rule without a heading (609.7 is "Sources of Damage" to those that cite it),
    # unless the title heads another rule (2004-10-01 cites 214.4 for 212.4).
    titles = here.headings(states, is_of_rules=True)
    if not titles and is_elsewhere:
        titles = here.headings(states)
    folded = [*map(here.fold, titles)]
    return "title" if folded and here.fold(citation.title) not in folded else None


def _outcome(
    states: Mapping[int, State], citation: PrintedCitation, moved: Sequence[_Pointer]
) -> dict[str, Any]:
    """Return the fields for the outcome of a citation's former target."""
    lost = {pointer.number: pointer.astray for pointer in moved if pointer.astray is not None}
    if not lost:
        return {}
    heirs = {number: name_of(states[it.states[0]]) for number, it in lost.items() if it.states}
    ends = dict.fromkeys(heirs.get(end, end) for end in (citation.numbers[0], citation.numbers[-1]))
    is_gone = len(heirs) < len(lost)
    return {
        "means": None if is_gone else "-".join(ends),
        "gone": is_gone,
        "since": str(min(astray.since for astray in lost.values())),
        "confidence": round(min(astray.confidence for astray in lost.values()), 4),
    }


# Numbering and misprints -------------------------------------------------------------------------


def _numbering(
    states: Mapping[int, State], ids: Sequence[int], odd: Sequence[LocatedIrregularity]
) -> Iterator[LintFinding]:
    """Yield the recorded irregularities of numbers and characters, and gaps."""
    yield from _gaps(states, ids, {it.address for it in odd if it.kind == _GAP})
    double: dict[str, list[str]] = defaultdict(list)
    for it in odd:
        if it.kind == _DOUBLE:
            double[it.printed].append(it.address)
    meant = {it.address: it.meant for it in odd if it.kind == Irregular.MISNUMBERED.value}
    for number, addresses in double.items():
        means = next((meant[address] for address in addresses if address in meant), None)
        yield LintFinding("double", number, number, targets=addresses, means=means)
    for it in odd:
        if it.kind not in {_GAP, _DOUBLE}:
            yield LintFinding(
                "misprint",
                it.address,
                it.printed,
                part=None if it.start is None else "text",
                start=it.start,
                end=None if it.start is None else it.start + len(it.printed),
                means=it.meant or None,
                misprint=it.kind,
                evidence=it.evidence,
            )


def _gaps(
    states: Mapping[int, State], ids: Sequence[int], skipped: AbstractSet[str]
) -> Iterator[LintFinding]:
    """Yield the gaps in the numbering: recorded gaps, and missing sections.

    A section without rules ("intentionally left blank") is not missing. No edition lacks a chapter.
    """
    before = RuleNumber(_HUNDRED - 1)
    for row in (states[state] for state in ids):
        number = _number(row.meant or row.number)
        if number is None:
            continue  # a chapter, or an entry of the glossary
        missing = (
            list(_between(before, number)) if not number.rule or row.address in skipped else []
        )
        if missing:
            evidence = f"it follows {before}"
            yield LintFinding("gap", row.address, row.address, missing=missing, evidence=evidence)
        before = number


def _between(before: RuleNumber, after: RuleNumber) -> Iterator[str]:
    """Yield the numbers missing between two numbers, of the second number's kind.

    >>> [*_between(RuleNumber(100, 1, "h"), RuleNumber(100, 1, "m"))]
    ['100.1i', '100.1j', '100.1k']
    """
    if not after.rule:
        first = after.section // _HUNDRED * _HUNDRED
        yield from map(str, range(max(before.section + 1, first), after.section))
    elif not after.letters:
        yield from (f"{after.section}.{rule}" for rule in range(before.rule + 1, after.rule))
    else:
        letters = letters_after(before.letters)
        while (len(letters), letters) < (len(after.letters), after.letters):
            yield f"{after.section}.{after.rule}{letters}"
            letters = letters_after(letters)
