"""The citation oracle: if a rule changed only in a citation, the new target should be the heir.

Citations are also evidence for the alignment. So each pair is aligned twice, each time with the
citations of every second citing provision, and judged by the others.
"""

import csv
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path

from lab.score.editions import Pair, address_of
from lab.score.pair_results import Contradiction, Outcome
from lab.score.report import Report
from variorum_kb.history.aligning.align import Aligner
from variorum_kb.history.aligning.sides import NOWHERE, Item, Side
from variorum_kb.history.canonical import Folder
from variorum_kb.history.kept_citations import citations_kept
from variorum_kb.history.steps import Step, StepKind, Steps
from variorum_kb.rows import State

_FOLDS = 2

COLUMNS = (
    "old_edition",
    "new_edition",
    "old_number",
    "cited_now",
    "lineage",
    "explanation",
    "note",
)

# The possible explanations, and their meanings.
EXPLANATIONS = {
    "retarget": "the rules cite something else on purpose",
    "slip": "the newer edition's citation is out of date",
    "mended": "the older edition's citation was out of date",
    "ours": "the alignment is wrong",
    "both": "either reading can be defended",
}


# The editions, the old citation, the new citation, and the lineage.
Case = tuple[str, str, str, str, str]


def consult(
    old: Sequence[State], new: Sequence[State], folder: Folder
) -> tuple[int, list[Contradiction]]:
    """Return how many citations were compared, and the contradictions."""
    here, there = Side(old, folder), Side(new, folder)
    compared, contradictions = 0, list[Contradiction]()
    for fold in range(_FOLDS):
        aligner = Aligner(here, there, partial(_is_witness, fold))
        steps = {step.old: step for step in Steps(aligner).all() if step.old != NOWHERE}
        for citing, before, after in _kept(here, there, steps, fold):
            compared += 1
            step = steps[before]
            if after not in _heirs(step):
                lineage = "" if _has_no_heir(step) else address_of(new[step.new[0]])
                cited = address_of(old[before]), address_of(new[after])
                contradictions.append(Contradiction(*cited, lineage, address_of(old[citing])))
    return compared, contradictions


def _is_witness(fold: int, item: Item) -> bool:
    return item.place % _FOLDS != fold


def _kept(
    old: Side, new: Side, steps: Mapping[int, Step], fold: int
) -> Iterator[tuple[int, int, int]]:
    """Yield the citing provision, and its citations before and after."""
    for item in old.items[fold::_FOLDS]:
        step = steps[item.place]
        if _has_no_heir(step) or new.items[step.new[0]].words != item.words:
            continue
        for before, after in citations_kept(item, new.items[step.new[0]]):
            yield item.place, before, after


def _has_no_heir(step: Step) -> bool:
    return not step.new or StepKind.GONE in step.kinds or StepKind.MERGED in step.kinds


def _heirs(step: Step) -> tuple[int, ...]:
    return step.new[:1] if StepKind.UNCERTAIN in step.kinds else step.new


def read_explanations(path: Path) -> dict[Case, tuple[str, str]]:
    """Read the explanation and the note of each contradiction."""
    with path.open(encoding="utf-8", newline="") as table:
        rows = list(csv.DictReader(table, delimiter="\t", quoting=csv.QUOTE_NONE))
    return {_case(row): (row["explanation"], row["note"]) for row in rows}


def _case(row: Mapping[str, str]) -> Case:
    old, new, cited, now, lineage = (row[column] for column in COLUMNS[:5])
    return old, new, cited, now, lineage


def say(report: Report, outcomes: Mapping[Pair, Outcome], path: Path) -> None:
    """Report all contradictions with their explanations."""
    explained = read_explanations(path)
    cases: Counter[Case] = Counter(
        (*pair, contradiction.cited, contradiction.cited_now, contradiction.lineage)
        for pair, outcome in outcomes.items()
        for contradiction in outcome.contradictions
    )
    compared = sum(outcome.compared for outcome in outcomes.values())
    report.title("citation oracle, cross-validated in two folds")
    report.say(f"{compared} citations compared, {cases.total()} contradict, in {len(cases)} cases")
    head = "editions", "cited", "cites now", "lineage", "times", "why"
    report.table(head, _lines(cases, explained), has_remarks=True)
    kinds = Counter(explained[case][0] if case in explained else "unexplained" for case in cases)
    for kind, count in sorted(kinds.items()):
        report.say(f"{kind}: {count} ({EXPLANATIONS.get(kind, 'nobody has looked at it')})")
    unused = [case for case in explained if case not in cases]
    report.say(f"explanations that nothing needs any more: {len(unused)}")
    for case in unused:
        report.say(f"  {' '.join(case)}")
    report.at_most("unexplained contradictions", 0, kinds["unexplained"])


def _lines(
    cases: Mapping[Case, int], explained: Mapping[Case, tuple[str, str]]
) -> Iterator[tuple[object, ...]]:
    for case in sorted(cases):
        old, new, *numbers = case
        why, note = explained.get(case, ("UNEXPLAINED", ""))
        shown = [number or "-" for number in numbers]
        yield f"{old} {new}", *shown, cases[case], f"{why}: {note}" if note else why
