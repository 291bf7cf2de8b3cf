"""The gold set: the heirs of rules, as decided by people who read both editions."""

import csv
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from lab.score.editions import Editions, Pair, address_of, places_of
from lab.score.pair_results import Outcome
from lab.score.report import Report
from lab.score.uncertain import REWRITES
from variorum_kb.history.aligning.sides import NOWHERE
from variorum_kb.history.steps import Step, StepKind

_MOST_WRONG = 3
_MOST_WRONG_ELSEWHERE = 1
_LEAST_RECOGNISED = 11

VERDICTS = ("same", "split", "merged", "gone")


@dataclass(frozen=True, slots=True)
class Row:
    """A rule and its heirs.

    Attributes:
        number: Its address in the older edition.
        verdict: One of `VERDICTS`.
        heirs: Addresses in the newer edition, the main one first.
    """

    pair: Pair
    number: str
    verdict: str
    heirs: tuple[str, ...]

    @property
    def is_rewrite(self) -> bool:
        """Return whether the newer edition was rewritten as a whole."""
        return self.pair in REWRITES


@dataclass(frozen=True, slots=True)
class Judged:
    """A row and the alignment's answer.

    Attributes:
        heir: The address of the main heir, or of the provision that took over the words; "" if
            gone.
        verdict: One of `VERDICTS`, or "not found".
        is_uncertain: Whether the alignment itself is uncertain.
        confidence: The confidence of the alignment.
    """

    row: Row
    heir: str
    verdict: str
    is_uncertain: bool
    confidence: float

    @property
    def is_wrong(self) -> bool:
        """Return whether the main heir is wrong."""
        return self.heir != (self.row.heirs[0] if self.row.heirs else "")


def read_gold(path: Path) -> list[Row]:
    """Return the rows of a gold file."""
    with path.open(encoding="utf-8", newline="") as table:
        rows = list(csv.DictReader(table, delimiter="\t", quoting=csv.QUOTE_NONE))
    return [
        Row(
            (row["old_edition"], row["new_edition"]),
            row["old_number"],
            row["verdict"],
            tuple(number.strip() for number in row["new_numbers"].split(",") if number.strip()),
        )
        for row in rows
    ]


def pairs_of(rows: Sequence[Row]) -> list[Pair]:
    """Return the pairs of editions in the rows."""
    return sorted({row.pair for row in rows})


def judge(
    editions: Editions, outcomes: Mapping[Pair, Outcome], rows: Sequence[Row]
) -> Iterator[Judged]:
    """Yield each row with the alignment's answer."""
    for row in rows:
        old, new = (editions.held[label] for label in row.pair)
        place = places_of(old).get(row.number, NOWHERE)
        if place == NOWHERE:
            yield Judged(row, "", "not found", is_uncertain=True, confidence=0.0)
            continue
        step = outcomes[row.pair].steps[place]
        is_gone = not step.new or StepKind.GONE in step.kinds
        yield Judged(
            row,
            "" if is_gone else address_of(new[step.new[0]]),
            verdict_of(step),
            is_uncertain=StepKind.UNCERTAIN in step.kinds,
            confidence=step.confidence,
        )


def verdict_of(step: Step) -> str:
    """Return the likeliest verdict on a step, in the words of the gold set."""
    for kind in (StepKind.GONE, StepKind.MERGED, StepKind.SPLIT):
        if kind in step.kinds:
            return str(kind.value)
    return "same"


def say(
    report: Report, editions: Editions, outcomes: Mapping[Pair, Outcome], rows: Sequence[Row]
) -> None:
    """Report wrong heirs, and the verdicts that the alignment found."""
    judged = list(judge(editions, outcomes, rows))
    wrong = [judgement for judgement in judged if judgement.is_wrong]
    elsewhere = [judgement for judgement in wrong if not judgement.row.is_rewrite]
    report.title("gold set")
    unsure = sum(judgement.is_uncertain for judgement in judged)
    report.say(
        f"main heirs wrong: {len(wrong)} of {len(judged)}, {len(elsewhere)} outside the rewrites; "
        f"{unsure} steps are uncertain, and counted as what is likeliest"
    )
    for judgement in judged:
        if judgement.is_wrong or judgement.verdict != judgement.row.verdict:
            _say_row(report, judgement)
    _say_recall(report, judged)
    changed = [judgement for judgement in judged if judgement.row.verdict != "same"]
    recognised = sum(judgement.verdict == judgement.row.verdict for judgement in changed)
    report.at_most(f"main heirs wrong, of {len(judged)}", _MOST_WRONG, len(wrong))
    report.at_most("main heirs wrong outside the rewrites", _MOST_WRONG_ELSEWHERE, len(elsewhere))
    name = "split, merged and gone recognised"
    report.at_least(name, _LEAST_RECOGNISED, recognised, of=len(changed))


def _say_row(report: Report, judgement: Judged) -> None:
    old, new = judgement.row.pair
    want = f"{judgement.row.verdict} {','.join(judgement.row.heirs)}".strip()
    got = f"{judgement.verdict} {judgement.heir}".strip()
    sign = "WRONG HEIR" if judgement.is_wrong else "other verdict"
    report.say(
        f"  {sign:13}  {old} {new}  {judgement.row.number}: is {want}; found {got} ({judgement.confidence:.2f})"
    )


def _say_recall(report: Report, judged: Sequence[Judged]) -> None:
    hits: Counter[tuple[str, bool]] = Counter()
    rows: Counter[tuple[str, bool]] = Counter()
    for judgement in judged:
        stratum = judgement.row.verdict, judgement.row.is_rewrite
        rows[stratum] += 1
        hits[stratum] += judgement.verdict == judgement.row.verdict

    def shown(verdict: str, *strata: bool) -> str:
        done = sum(hits[verdict, stratum] for stratum in strata)
        return f"{done} of {sum(rows[verdict, stratum] for stratum in strata)}"

    report.table(
        ("verdict recognised", "rewrites", "others", "all"),
        [
            (verdict, shown(verdict, True), shown(verdict, False), shown(verdict, True, False))
            for verdict in VERDICTS
        ],
    )
