"""The known errors of editions: citations, numbering, misprints; how they are found and told.

They are found while a base is built. The findings of an edition depend only on it and on earlier
editions, so stored findings stay valid.

A citation is stale if its number once led to another provision, and its sentence is unchanged since
then. While a citation is correct, it leads to the bearer of its number. Once that bearer moves away,
its heirs are followed.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from typing import TYPE_CHECKING, Any, NamedTuple

import msgspec
from msgspec import structs

from variorum import rows
from variorum.answers.stored import PrintedCitation, citations_of
from variorum.history.lineages import Destination
from variorum.model import Irregular, RuleNumber
from variorum.records.edition import (
    LedgerCounts,
    LintFinding,
    LintKind,
    LintReport,
    LocatedIrregularity,
)
from variorum.rule_numbers import letters_after
from variorum.text import SLOT, bearing, fold_title, keys_of, sentence_around, share, words_of

if TYPE_CHECKING:
    from variorum.answers.editions import EditionEntry
    from variorum.answers.knowledge_base import KnowledgeBase

# The fields of a finding that say nothing are not stored.
_NOTHING = LintFinding("misprint", "", "")
_HUNDRED = 100
_number = cache(RuleNumber.read)
_fold = cache(fold_title)


class FindingKind(NamedTuple):
    """The labels of a kind of findings: above them, in a count, and in a table of editions."""

    heading: str
    singular: str
    column: str

    @property
    def plural(self) -> str:
        return f"{self.singular}s"


# Every kind, in the order in which findings are listed and counted.
KINDS: Mapping[LintKind, FindingKind] = {
    "dangling": FindingKind("Citations that lead nowhere", "dangling citation", "dangling"),
    "title": FindingKind("Citations with the title of another rule", "wrong title", "title"),
    "stale": FindingKind("Citations that were not updated", "stale citation", "stale"),
    "gap": FindingKind("Numbers left out", "gap", "gaps"),
    "double": FindingKind("Numbers printed twice", "duplicate", "duplicates"),
    "misprint": FindingKind("Misprints", "misprint", "misprints"),
}


def lint_editions(
    base: "KnowledgeBase", on: "Iterable[str | EditionEntry]" = ("current",)
) -> list[LintReport]:
    """Return the known errors of editions, oldest first."""
    reports: list[LintReport] = []
    for place in sorted({base.edition(designator).place for designator in on}):
        findings: list[LintFinding] = []
        for body in base.reader.findings(place):
            finding = structs.replace(_NOTHING, **msgspec.json.decode(body))
            if finding.since is not None:  # stored as the place of an edition
                finding = structs.replace(finding, since=base.labels[int(finding.since)])
            findings.append(finding)
        count = Counter(finding.kind for finding in findings)
        doubts = list(base.editions[place].doubts)
        counts = {kind: count[kind] for kind in KINDS}
        reports.append(LintReport(base.labels[place], doubts, counts, findings))
    return reports


def said_of(finding: LintFinding) -> str:
    """Describe a finding in one line."""
    title, means = f" “{finding.title}”" if finding.title else "", finding.means
    cites = f"cites {finding.printed}{title}"
    became = f"means {means}, wrong since {finding.since}"
    if means is None:
        became = f"what had this number before {finding.since} has no number of its own now"
    match finding.kind:
        case "dangling":
            targets = f", except {', '.join(finding.targets)}" if finding.targets else ""
            return f"{cites}, which no rule has{targets}{f'; {became}' if finding.since else ''}"
        case "title":
            elsewhere = f"; “{finding.title}” is {finding.titled}" if finding.titled else ""
            return f"{cites}; the title there is “{finding.heading}”{elsewhere}"
        case "stale":
            return f"{cites}; {became}"
        case "gap":
            missing = finding.missing
            named = f"{missing[0]}-{missing[-1]}" if missing[2:] else " and ".join(missing)
            return f"{finding.evidence}; {named} {'are' if missing[1:] else 'is'} left out"
        case "double":
            one = f"; one means {means}" if means else ""
            return f"printed twice: {' and '.join(finding.targets)}{one}"
        case _:
            printed = f": “{finding.printed}”" if finding.printed else ""
            return f"{finding.misprint}{printed}{f', for “{means}”' if means else ''}"


# Following citations -----------------------------------------------------------------------------


def find_findings(
    base: "KnowledgeBase", first: int = 0, stale: Sequence[rows.StaleRow] = ()
) -> Iterator[tuple[list[str], list[rows.StaleRow]]]:
    """Yield the errors as JSON, and stale citations, of each edition from place `first` on.

    What is stale in the edition before it is given. JSON leaves out fields that say nothing; its `since` is
    an edition's place.
    """
    here = _Edition(base)
    if first:
        here.start(first - 1, stale)
    else:
        base.links.load()
    order, read = [*KINDS], base.reader.editions()
    for place in range(first, len(base.editions)):
        here.go_on(place)
        odd = msgspec.json.decode(read[place].ledger, type=LedgerCounts).irregularities
        findings = [*_cited(here), *_numbering([here.states[id_] for id_ in here.ids], odd)]
        bodies: list[str] = []
        for finding in sorted(findings, key=lambda finding: order.index(finding.kind)):
            told = structs.asdict(finding).items()
            known = {name: value for name, value in told if value != getattr(_NOTHING, name)}
            bodies.append(msgspec.json.encode(known).decode())
        yield bodies, here.stale_rows()


class _Slot(NamedTuple):
    """The place of a cited number, perhaps an end of a range, in an unchanging sentence.

    A sentence is its words with a slot for each citation. So it stays the same if only its typography
    or its cited numbers change. Of the slots in this sentence and in equal ones, `nth` is its place, from 1;
    if their number changes, slots cannot be matched.
    """

    part: str
    words: tuple[str, ...]
    nth: int
    of: int
    ends: tuple[str, str]
    number: str


class _Astray:
    """Where the former target of a citation is, since the edition in which it lost the number.

    `is_alike` says whether its heir there still has its words.
    """

    def __init__(self, base: "KnowledgeBase", target: int, since: int) -> None:
        self.way = Destination(base.lineages, target, since - 1, doubts_returns=False)
        self.target, self.since, self.is_alike = target, since, True

    @property
    def is_sure(self) -> bool:
        """Return whether the heir is certain enough for a finding."""
        is_followed = self.way.confidence >= rows.ACTED_ON and not self.way.bits & rows.UNCERTAIN
        return self.is_alike and is_followed


class _Edition:
    """An edition with its citations, those that lead astray among them; it goes on to the next one."""

    def __init__(self, base: "KnowledgeBase") -> None:
        self._base, self._place, self.states = base, -1, base.states
        self.ids: Sequence[int] = ()
        self.cited: dict[int, tuple[PrintedCitation, ...]] = {}
        # Of each citing state, the slots that lead astray.
        self.stale: dict[int, dict[_Slot, _Astray]] = {}
        self._slots: dict[int, dict[_Slot, PrintedCitation]] = {}
        self._known = set[int]()
        self._keys: dict[str, list[int]] = {}

    def start(self, place: int, stale: Iterable[rows.StaleRow]) -> None:
        """Start in an edition with its stale citations."""
        self._read(place)
        for row in stale:
            astray = _Astray(self._base, row.target, row.since)
            astray.is_alike = bool(row.is_alike)
            astray.way.go_on(place)
            for slot, citation in self.slots(row.provision).items():
                if (citation.place, slot.number) == (row.place, row.number):
                    self.stale.setdefault(row.provision, {})[slot] = astray

    def stale_rows(self) -> list[rows.StaleRow]:
        """Return the stale citations, in order."""
        return sorted(
            rows.StaleRow(state, citation.place, slot.number, it.target, it.since, int(it.is_alike))
            for state, slots in self.stale.items()
            for slot, it in slots.items()
            for citation in [self.slots(state)[slot]]
        )

    def go_on(self, place: int) -> None:
        """Move on to the next edition."""
        before, stale, held = self._keys, self.stale, set(self.ids)
        self._read(place)
        links = self._base.links.between(place - 1, place).by_edition.get(place, ())
        # The state that each new state comes from; the others come from themselves.
        came: dict[int | None, int | None] = {link.new: None for link in links}
        for link in links:
            if link.is_main and came[link.new] is None:
                came[link.new] = link.old
        self.stale = {}
        for state in self.ids:
            past = came.get(state, state) if state in self.cited else None
            if past is None or past not in held:
                continue  # it cites nothing, or nothing that could have been right before
            former, stale_then = self.slots(past), stale.get(past, {})
            for slot in self.slots(state):
                astray = stale_then.get(slot)
                if astray is not None:
                    astray.way.go_on(place)
                old = bearing(lambda key: before.get(key, []), slot.number)
                if slot in former and old != self.bearers(slot.number):
                    astray = self._judged(state, slot, astray, old)
                if astray is not None:
                    self.stale.setdefault(state, {})[slot] = astray

    def _read(self, place: int) -> None:
        self._place, self.ids = place, self._base.reader.states_of(place)
        new = sorted(set(self.ids) - self._known)
        self._known.update(new)
        self.cited |= citations_of(self._base.reader, new)
        states = [row for row in self.states.of(self.ids).values() if row.kind != "glossary"]
        self._keys = {}
        for row in sorted(states, key=lambda row: row.address):
            for key in keys_of(row):
                self._keys.setdefault(key, []).append(row.id)

    def bearers(self, number: str) -> list[int]:
        """Return the provisions that have a number in print; if none, those that should have it."""
        return bearing(lambda key: self._keys.get(key, []), number)

    def part(self, state: int, part: str) -> str:
        """Return the text to which the offsets of a citation refer."""
        row = self.states[state]
        return row.heading if part == "heading" else rows.full_text(row.body)

    def slots(self, state: int) -> dict[_Slot, PrintedCitation]:
        """Return the citations of a state by their slots; a range has one at each end."""
        if state in self._slots:
            return self._slots[state]
        cited, sentences = self.cited.get(state, ()), list[tuple[str, tuple[str, ...]]]()
        for part in ("heading", "text"):
            spans = [(it.start, it.stop) for it in cited if it.part == part]
            text, pieces, copied = self.part(state, part) if spans else "", list[str](), 0
            for start, stop in spans:
                pieces += [text[copied:start], SLOT]
                copied = stop
            slotted, place = "".join([*pieces, text[copied:]]), -1
            for _ in spans:
                place = slotted.index(SLOT, place + 1)
                sentences.append((part, tuple(words_of(sentence_around(slotted, place)))))
        total, seen = Counter(sentences), Counter[tuple[str, tuple[str, ...]]]()
        slots = self._slots[state] = {}
        for sentence, citation in zip(sentences, cited, strict=True):
            seen[sentence] += 1
            ends = citation.numbers[0], citation.numbers[-1]
            for number in ends:
                slots[_Slot(*sentence, seen[sentence], total[sentence], ends, number)] = citation
        return slots

    # Judging -------------------------------------------------------------------------------------

    def _judged(
        self, state: int, slot: _Slot, astray: _Astray | None, old: Sequence[int]
    ) -> _Astray | None:
        """Return where the target of a citation is if its number, which changed hands, leads elsewhere."""
        now = self.bearers(slot.number)
        if astray is not None:
            return None if self._leads_there(slot, astray, now) else astray
        if len(old) != 1 or not self._base.lineages.step(old[0], self._place - 1, self._place):
            return None  # the target keeps its number, or is unknown
        astray = _Astray(self._base, old[0], self._place)
        astray.way.go_on(self._place)
        if astray.way.states and not set(now) & set(astray.way.states):
            both = [self.states[old[0]], self.states[astray.way.states[0]]]
            words = [words_of(f"{row.heading} {rows.full_text(row.body)}") for row in both]
            astray.is_alike = share(*words) >= rows.SAME_SUBJECT
        is_well = self._leads_there(slot, astray, now)
        return None if is_well or self._may_be_meant(state, slot, astray, now) else astray

    def _leads_there(self, slot: _Slot, astray: _Astray, now: Sequence[int]) -> bool:
        """Return whether a number still leads to its target; True if that is uncertain."""
        if not now:
            return False
        if len(now) > 1 or not astray.is_sure:
            return True  # printed twice, or the target cannot be followed with certainty
        if not astray.way.states or now[0] in astray.way.states:
            return bool(astray.way.states)
        heir = self.states[astray.way.states[0]]
        if heir.parent == self.states[now[0]].address:
            return True  # 102.4 still says what is now its subrule 102.4a
        number, (first, last) = _number(heir.number), map(_number, slot.ends)
        return bool(first and last and number and first != last and first <= number <= last)

    def _may_be_meant(self, state: int, slot: _Slot, astray: _Astray, now: Sequence[int]) -> bool:
        """Return whether a citation may mean the provision that has the number now."""
        if not now:
            return False
        citing, cited = _number(self.states[state].number), _number(slot.number)
        if citing and cited and cited.follows(citing):
            return True  # "proceed to rule 100.2"
        title = self.slots(state)[slot].title
        if title and _fold(title) in map(_fold, self.headings(now)):
            return True
        # A new rule with the number of a removed target may be the target, reworded beyond
        # recognition.
        came = self._base.links.leading_to(now[0])
        return not astray.way.states and any(
            link.bits & (rows.NEW | rows.UNCERTAIN) for link in came if link.edition == self._place
        )

    def headings(self, states: Iterable[int], *, is_of_rules: bool = False) -> list[str]:
        """Return the nearest headings at or above provisions; with `is_of_rules`, of no section."""
        headings: list[str] = []
        for row in map(self.states.__getitem__, states):
            heading = row.heading
            if not heading and (not is_of_rules or "." in row.parent):
                above = [self.states[it] for it in self.bearers(row.parent.partition("#")[0])]
                heading = next((it.heading for it in above if it.address == row.parent), "")
            headings += [heading] if heading else []
        return headings


# Wrong citations ---------------------------------------------------------------------------------


def _cited(here: _Edition) -> Iterator[LintFinding]:
    states = [here.states[id_] for id_ in here.ids]
    titled: dict[str, list[str]] = defaultdict(list)
    for row in states:
        if row.heading and row.kind != "glossary":
            titled[_fold(row.heading)].append(row.address)
    for row in states:
        stale = {slot: it for slot, it in here.stale.get(row.id, {}).items() if it.is_sure}
        for citation in here.cited.get(row.id, ()):
            first, last = citation.numbers[0], citation.numbers[-1]
            is_whole = bool(here.bearers(first) and here.bearers(last))
            if is_whole and not citation.title and not stale:
                continue
            slots = here.slots(row.id)
            moved = {slot.number: it for slot, it in stale.items() if slots[slot] == citation}
            named = [here.bearers(word) for word in citation.numbers]
            targets = list(dict.fromkeys(target for some in named for target in some))
            numbers = titled.get(_fold(citation.title), []) if citation.title else []
            # Nothing heads a rule without a heading (609.7 is "Sources of Damage" to those that cite it),
            # unless the title heads another rule (2004-10-01 cites 214.4 for 212.4).
            titles = here.headings(targets, is_of_rules=True)
            if not titles and numbers:
                titles = here.headings(targets)
            is_misnamed = titles and _fold(citation.title) not in map(_fold, titles)
            kind: LintKind = "title"
            if not is_whole or moved:
                kind = "stale" if is_whole else "dangling"
            elif not (citation.title and is_misnamed):
                continue
            yield LintFinding(
                kind,
                row.address,
                here.part(row.id, citation.part)[citation.start : citation.stop],
                part=citation.part,
                start=citation.start,
                end=citation.stop,
                title=citation.title,
                targets=[here.states[target].address for target in targets],
                heading=next(iter(here.headings(targets[:1])), ""),
                titled=numbers[0] if len(numbers) == 1 else None,
                **(_became(here, (first, last), moved) if moved else {}),
            )


def _became(here: _Edition, ends: tuple[str, str], moved: Mapping[str, _Astray]) -> dict[str, Any]:
    """Return what became of the former targets of one or both ends of a citation."""
    ways = {number: astray.way for number, astray in moved.items()}
    heirs = {end: rows.name_of(here.states[it.states[0]]) for end, it in ways.items() if it.states}
    is_gone = len(heirs) < len(moved)
    return {
        "means": None if is_gone else "-".join(dict.fromkeys(heirs.get(end, end) for end in ends)),
        "gone": is_gone,
        "since": str(min(astray.since for astray in moved.values())),
        "confidence": round(min(way.confidence for way in ways.values()), 4),
    }


# Numbering and misprints -------------------------------------------------------------------------


def _numbering(
    states: Sequence[rows.State], odd: Sequence[LocatedIrregularity]
) -> Iterator[LintFinding]:
    """Yield the recorded irregularities of numbers and characters, and gaps: recorded ones, and sections.

    A section without rules ("intentionally left blank") is not missing. No edition lacks a chapter.
    """
    of_kind: dict[str, list[LocatedIrregularity]] = defaultdict(list)
    for it in odd:
        of_kind[it.kind].append(it)
    skipped = {it.address for it in of_kind.pop(Irregular.NUMBERS_SKIPPED.value, [])}
    before = RuleNumber(_HUNDRED - 1)
    for row in states:
        number = _number(row.meant or row.number)
        if number is None:
            continue  # a chapter, or an entry of the glossary
        is_gap = not number.rule or row.address in skipped
        if missing := list(_between(before, number)) if is_gap else []:
            evidence = f"it follows {before}"
            yield LintFinding("gap", row.address, row.address, missing=missing, evidence=evidence)
        before = number
    meant = {it.address: it.meant for it in of_kind[Irregular.MISNUMBERED.value]}
    double: dict[str, list[str]] = defaultdict(list)
    for it in of_kind.pop(Irregular.PRINTED_TWICE.value, []):
        double[it.printed].append(it.address)
    for printed, addresses in double.items():
        means = next((meant[address] for address in addresses if address in meant), None)
        yield LintFinding("double", printed, printed, targets=addresses, means=means)
    for it in [it for it in odd if it.kind in of_kind]:
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
