"""The known errors of editions: citations, numbering, misprints; how they are found and told.

They are found while a base is built. The findings of an edition depend only on it and on earlier
editions, so stored findings stay valid.

A citation is stale if its number once led to another provision, and it has stayed in its place since.
While a citation is correct, it leads to the bearer of its number. Once that bearer moves away, its heirs
are followed.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from typing import TYPE_CHECKING, Any

import msgspec
from msgspec import structs

from variorum import rows
from variorum.answers.refs import fits, part_of
from variorum.citations import numbers_between
from variorum.history.lineages import Destination
from variorum.records.edition import LedgerCounts, LintFinding, LintKind, LintReport
from variorum.rule_numbers import RuleNumber, letters_of, order_of, stem_of
from variorum.text import fold_title, key_of_meant, keys_of, share, words_of

if TYPE_CHECKING:
    from variorum.answers.knowledge_base import KnowledgeBase
    from variorum.rows import EditionRow

# The headings of every kind, in the order in which findings are listed and counted.
KINDS: Mapping[LintKind, str] = {
    "dangling": "Citations that lead nowhere",
    "title": "Citations with the title of another rule",
    "stale": "Citations that were not updated",
    "gap": "Numbers left out",
    "double": "Numbers printed twice",
    "misprint": "Misprints",
}
_fold = cache(fold_title)


class _Stored(LintFinding, omit_defaults=True):
    """A finding as the base keeps it: without what says nothing; `since` is the place of an edition."""

    kind: LintKind = "misprint"
    address: str = ""
    printed: str = ""
    since: str | None = None


def lint_editions(
    base: "KnowledgeBase", on: "Iterable[str | EditionRow]" = ("current",)
) -> list[LintReport]:
    """Return the known errors of editions, oldest first."""
    reports: list[LintReport] = []
    for edition in sorted({base.edition(designator) for designator in on}):
        findings = list[LintFinding]()
        for body in base.reader.findings(edition.place):
            stored = msgspec.json.decode(body, type=_Stored)
            since = stored.since and base.labels[int(stored.since)]
            findings.append(LintFinding(**structs.asdict(stored) | {"since": since}))
        count = Counter(finding.kind for finding in findings)
        about = edition.doubts.splitlines(), {kind: count[kind] for kind in KINDS}
        reports.append(LintReport(edition.label, *about, findings))
    return reports


def said_of(finding: LintFinding) -> str:
    """Describe a finding in one line."""
    title, means, since = finding.title and f" “{finding.title}”", finding.means, finding.since
    cites, others = f"cites {finding.printed}{title}", " and ".join(finding.targets)
    became = since and f"means {means}, wrong since {since}"
    if finding.gone:
        became = f"what had this number before {since} has no number of its own now"
    printed = finding.printed and f": “{finding.printed}”"
    said: Mapping[LintKind, tuple[str | None, ...]] = {
        "dangling": (f"{cites}, which no rule has{others and f', except {others}'}", became),
        "title": (
            f"{cites}; the title there is “{finding.heading}”",
            finding.titled and f"“{finding.title}” is {finding.titled}",
        ),
        "stale": (cites, became),
        "gap": (finding.evidence, f"left out: {', '.join(finding.missing)}"),
        "double": (f"printed twice: {others}", means and f"one means {means}"),
        "misprint": (f"{finding.misprint}{printed}{f', for “{means}”' if means else ''}",),
    }
    return "; ".join(filter(None, said[finding.kind]))


# Finding them ------------------------------------------------------------------------------------


def find_findings(
    base: "KnowledgeBase", first: int = 0, stale: Sequence[rows.StaleRow] = ()
) -> Iterator[tuple[list[str], list[rows.StaleRow]]]:
    """Yield the errors as JSON, and stale citations, of each edition from `first` on, given those before."""
    base.links.load()
    before = _Edition(base, first - 1) if first else None
    for place, row in enumerate(base.reader.editions()[first:], first):
        here = _Edition(base, place)
        stale = sorted(_stale(here, before, stale)) if before else []
        findings = [*_citations(here, stale), *_recorded(row.ledger)]
        findings.sort(key=lambda finding: [*KINDS].index(finding.kind))
        yield [msgspec.json.encode(finding).decode() for finding in findings], stale
        before = here


class _Edition:
    def __init__(self, base: "KnowledgeBase", place: int) -> None:
        self.base, self.place, self.cited = base, place, base.citations
        self.rows = {state.id: state for state in base.held(place)}
        self.by_address = {it.address: it for it in self.rows.values() if it.kind != "glossary"}
        self._by_key = defaultdict[str, list[rows.State]](list)
        for _, row in sorted(self.by_address.items()):
            for key in keys_of(row):
                self._by_key[key].append(row)

    def bearers(self, number: str) -> list[rows.State]:
        """Return the provisions that have a number in print; if none, those that should have it."""
        return self._by_key.get(number) or self._by_key.get(key_of_meant(number), [])

    def way(self, row: rows.StaleRow) -> Destination:
        """Return where the former target of a stale citation is."""
        return self.base.lineages.way(row.target, row.since - 1, self.place)

    def is_sure(self, row: rows.StaleRow) -> bool:
        """Return whether the heir of a former target is certain enough for a finding."""
        return bool(row.is_alike) and self.way(row).confidence >= rows.ACTED_ON


# Stale citations ---------------------------------------------------------------------------------


def _stale(
    here: _Edition, before: _Edition, stale: Iterable[rows.StaleRow]
) -> Iterator[rows.StaleRow]:
    """Yield the stale citations of an edition, given those of the edition before it."""
    # The state that each new state comes from, None of nothing; the others come from themselves.
    came: dict[int | None, int | None] = {}
    for link in here.base.links.where("edition = ?", here.place).every:
        if came.get(link.new) is None:
            came[link.new] = link.old if link.is_main else None
    known = {(row.provision, row.place, row.number): row for row in stale}
    for state, citing in here.rows.items():
        if not (cited := here.cited.get(state, ())):
            continue
        past = came.get(state, state)
        former = here.cited.get(past, ()) if past in before.rows else ()
        # A citation is the same as before if it has the same numbers, and as many others follow it.
        same = {(len(former) - nth, it.numbers): it.place for nth, it in enumerate(former)}
        for nth, citation in enumerate(cited):
            numbers, at = citation.numbers, same.get((len(cited) - nth, citation.numbers), -1)
            moved = list[rows.StaleRow]()
            for end in dict.fromkeys((numbers[0], numbers[-1])) if at >= 0 else ():
                if row := known.get((past or 0, at, end)) or _moved(here, before, citing, end):
                    moved.append(row._replace(provision=state, place=citation.place))
            if not all(_leads_there(here, it, numbers) for it in moved):
                yield from moved  # a range leads astray as a whole


def _moved(
    here: _Edition, before: _Edition, citing: rows.State, number: str
) -> rows.StaleRow | None:
    """Return the target of a citation whose number changed hands; None if it may mean the new bearer."""
    was, now = before.bearers(number), here.bearers(number)
    if was == now or len(was) != 1:
        return None  # the target keeps its number, or is unknown
    row = rows.StaleRow(citing.id, 0, number, was[0].id, here.place, is_alike=1)
    heirs = here.way(row).states
    if heirs and {*heirs}.isdisjoint([it.id for it in now]):
        both = [words_of(rows.words_or_mark(it)) for it in (was[0], here.base.states[heirs[0]])]
        row = row._replace(is_alike=int(share(*both) >= rows.SAME_SUBJECT))
    own, cited = RuleNumber.read(citing.number), RuleNumber.read(number)
    is_next = own and cited and cited.follows(own)  # "proceed to rule 100.2"
    return None if now and is_next else row


def _leads_there(here: _Edition, row: rows.StaleRow, numbers: Sequence[str]) -> bool:
    now, heirs = here.bearers(row.number), here.way(row).states
    if len(now) != 1 or not here.is_sure(row):
        return bool(now)  # printed twice, or the target cannot be followed with certainty
    if not heirs or now[0].id in heirs:
        return bool(heirs)
    heir = here.base.states[heirs[0]]
    first, number, last = map(order_of, (numbers[0], heir.number, numbers[-1]))
    # 102.4 still says what is now its subrule 102.4a; and a range may still hold its target.
    return heir.parent == now[0].address or (first < last and first <= number <= last)


# Findings ----------------------------------------------------------------------------------------


def _citations(here: _Edition, stale: Iterable[rows.StaleRow]) -> Iterator[_Stored]:
    """Yield the citations that lead nowhere, to a rule with another title, or to the wrong rule."""
    each: dict[tuple[int, int], list[rows.StaleRow]] = defaultdict(list)
    for row in stale:
        each[row.provision, row.place].append(row)
    moved = {at: some for at, some in each.items() if all(map(here.is_sure, some))}
    titled: dict[str, list[str]] = defaultdict(list)
    for headed in here.by_address.values():
        titled[_fold(headed.heading)].append(headed.address)
    for state, citing in here.rows.items():
        for citation in here.cited.get(state, ()):
            named = [here.bearers(number) for number in citation.numbers]
            is_whole, became = bool(named[0] and named[-1]), moved.get((state, citation.place))
            if is_whole and not became and not citation.title:
                continue
            targets = list(dict.fromkeys(target for some in named for target in some))
            numbers = titled[_fold(citation.title)] if citation.title else []
            is_fit = fits(citation.title, targets, here.by_address.get)
            if is_fit is None:  # 2004-10-01 cites 214.4 with the title of 212.4
                is_fit = not numbers or any(target.parent in numbers for target in targets)
            kind: LintKind = ("stale" if became else "title") if is_whole else "dangling"
            if kind == "title" and is_fit:
                continue
            above = [here.by_address.get(target.parent) for target in targets[:1]]
            headings = [it.heading for it in (*targets[:1], *above) if it and it.heading]
            printed = part_of(citing, citation.part)[citation.start : citation.stop]
            where = citing.address, printed, citation.part, citation.start, citation.stop
            names, heading = [target.address for target in targets], next(iter(headings), "")
            yield _Stored(
                *(kind, *where, citation.title, names, heading),
                titled=numbers[0] if len(numbers) == 1 else None,
                **(_became(here, citation.numbers, became) if became else {}),
            )


def _became(
    here: _Edition, numbers: Sequence[str], moved: Sequence[rows.StaleRow]
) -> dict[str, Any]:
    """Return what became of the former targets of one or both ends of a citation."""
    ways, states = {row.number: here.way(row) for row in moved}, here.base.states
    heirs = {end: rows.name_of(states[it.states[0]]) for end, it in ways.items() if it.states}
    is_gone = len(heirs) < len(moved)
    ends = dict.fromkeys(heirs.get(end, end) for end in (numbers[0], numbers[-1]))
    return {
        "means": None if is_gone else "-".join(ends),
        "gone": is_gone,
        "since": str(min(row.since for row in moved)),
        "confidence": round(min(way.confidence for way in ways.values()), 4),
    }


def _recorded(ledger: str) -> Iterator[_Stored]:
    """Yield the recorded gaps in the numbers, misprints, and numbers that were printed twice."""
    odd = msgspec.json.decode(ledger, type=LedgerCounts).irregularities
    double: dict[str, list[str]] = defaultdict(list)
    meant = {it.address: it.meant for it in odd if it.kind == "misnumbered"}
    for it in odd:
        if it.kind == "printed twice":
            double[it.printed].append(it.address)
        elif it.kind == "numbers skipped":  # "it follows 214.8i"
            before = it.evidence.rpartition(" ")[2]
            start = before if letters_of(it.printed) else stem_of(before)
            missing = [*numbers_between(start, it.printed)[1:-1]]
            yield _Stored("gap", it.address, it.address, missing=missing, evidence=it.evidence)
        else:
            part, end = (None, None) if it.start is None else ("text", it.start + len(it.printed))
            yield _Stored(
                *("misprint", it.address, it.printed, part, it.start, end),
                means=it.meant or None,
                misprint=it.kind,
                evidence=it.evidence,
            )
    for printed, addresses in double.items():
        means = next((meant[address] for address in addresses if address in meant), None)
        yield _Stored("double", printed, printed, targets=addresses, means=means)
