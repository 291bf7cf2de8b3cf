"""How often the alignment, without verdicts, finds where provisions went, as readers decided."""

from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from pathlib import Path

from lab.gates import CERTAIN, read_table
from lab.score.editions import Editions, Pair, load_editions
from lab.score.gold import Score, rows_of
from variorum.history.canonical import Folder
from variorum.history.steps import align
from variorum.rows import State, kinds_of, name_of

# Editions that were rewritten as a whole.
_REWRITES = {("2003-05-26", "2003-07-01"), ("2009-05-01", "2009-07-11")}
# How many pairs a process takes at once, as in a build: neighbours share most of their texts.
_PAIRS_AT_ONCE = 6


@dataclass(frozen=True, slots=True)
class Said:
    """An answer about a provision: its heirs, the main one first, and kinds; none if it is gone."""

    heirs: tuple[str, ...]
    kinds: frozenset[str]
    confidence: float

    @property
    def heir(self) -> str:
        """Return the main heir, or the provision that took over the words; "" if it is gone."""
        return "" if "gone" in self.kinds else next(iter(self.heirs), "")


# By pair and provision; a new provision is "(new) " and its address, as in the gates.
Answers = Mapping[Pair, Mapping[str, Said]]


def align_pairs(editions: Editions, pairs: Sequence[Pair], jobs: int) -> Answers:
    """Return the answers of the program, without verdicts."""
    tasks = [(editions[old], editions[new]) for old, new in pairs]
    batches = [tasks[at : at + _PAIRS_AT_ONCE] for at in range(0, len(tasks), _PAIRS_AT_ONCE)]
    with ProcessPoolExecutor(jobs) as pool:
        every = [answers for batch in pool.map(_align_all, batches) for answers in batch]
    return dict(zip(pairs, every, strict=True))


def _align_all(tasks: Sequence[tuple[list[State], list[State]]]) -> list[dict[str, Said]]:
    folder = Folder()
    return [_answers(old, new, folder) for old, new in tasks]


def _answers(old: list[State], new: list[State], folder: Folder) -> dict[str, Said]:
    answers: dict[str, Said] = {}
    for step in align(old, new, folder):
        heirs = tuple([name_of(new[place]) for place in step.new])
        asked = name_of(old[step.old]) if step.old >= 0 else f"(new) {heirs[0]}"
        kinds = frozenset(kinds_of(step.kinds))
        answers[asked] = Said(heirs, kinds, step.confidence)
    return answers


# What readers decided -----------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Decision:
    """What readers decided about a provision: "new", "gone", or kinds; in the gold set, its verdict."""

    pair: Pair
    asked: str
    verdict: str
    heir: str


def read_gold(path: Path) -> list[Decision]:
    """Return the rows of a gold file."""
    columns = ("old_edition", "new_edition", "old_number", "verdict", "new_numbers")
    rows = [[row[column] for column in columns] for row in rows_of(path)]
    return [
        Decision((old, new), asked, verdict, heirs.partition(",")[0].strip())
        for old, new, asked, verdict, heirs in rows
    ]


def read_steps() -> Iterator[Decision]:
    """Yield the steps between neighbours that were read, as the gates have them."""
    for key, value in read_table("steps").items():
        old, new, asked = key.split(" ", 2)
        heirs, _, kinds = value[2:].rpartition(" (")
        if value.startswith("r"):
            verdict = "new" if asked.startswith("(new)") else kinds.removesuffix(")")
            heir = "" if verdict == "gone" else heirs.partition("; ")[0]
            yield Decision((old, new), asked, verdict, heir)


# The scores ---------------------------------------------------------------------------------------


def scores(corpus: Path, jobs: int) -> Iterator[Score]:
    """Yield how many decisions of the gold set and of the verdicts the program finds by itself."""
    gold = read_gold(corpus.parent / "gold" / "lineage.tsv")
    read = list(read_steps())
    editions = load_editions(corpus / "official", jobs)
    pairs = list(dict.fromkeys([decision.pair for decision in [*gold, *read]]))
    answers = align_pairs(editions, pairs, jobs)
    others = [decision for decision in gold if decision.pair not in _REWRITES]
    yield _right("gold set: main heirs right, of 122", gold, answers)
    yield _right("gold set without the rewrites of 2003 and 2009", others, answers)
    changed = [decision for decision in gold if decision.verdict != "same"]
    known = [decision for decision in changed if decision.verdict == _verdict(decision, answers)]
    yield Score("gold set: splits, merges and removals recognised, of 16", len(known))
    olds = [decision for decision in read if decision.verdict != "new"]
    news = [decision for decision in read if decision.verdict == "new"]
    yield _right("steps that were read: main heirs right, %", olds, answers)
    yield _right("new provisions that were read: known as new, %", news, answers)
    wrong = [decision for decision in read if _is_wrong(decision, answers)]
    certain = [decision for decision in wrong if _said(decision, answers).confidence >= CERTAIN]
    details = [_told(decision, answers) for decision in certain]
    yield Score("steps that were read: wrong and certain", len(certain), details)


def _right(name: str, decisions: Sequence[Decision], answers: Answers) -> Score:
    wrong = [decision for decision in decisions if _is_wrong(decision, answers)]
    right = len(decisions) - len(wrong)
    value = round(100 * right / len(decisions), 2) if name.endswith("%") else right
    return Score(name, value, [_told(decision, answers) for decision in wrong])


def _said(decision: Decision, answers: Answers) -> Said:
    missing = Said((), frozenset(["not found"]), 0.0)
    return answers[decision.pair].get(decision.asked, missing)


def _is_wrong(decision: Decision, answers: Answers) -> bool:
    said = _said(decision, answers)
    return "not found" in said.kinds or said.heir != decision.heir


def _verdict(decision: Decision, answers: Answers) -> str:
    """Return the verdict of the program, in the words of the gold set."""
    kinds = _said(decision, answers).kinds
    return next((kind for kind in ("gone", "merged", "split") if kind in kinds), "same")


def _told(decision: Decision, answers: Answers) -> str:
    said, (old, new) = _said(decision, answers), decision.pair
    return (
        f"{old} {new} {decision.asked}: is {decision.heir or 'gone'}; "
        f"said {said.heir or 'gone'} ({', '.join(sorted(said.kinds))}, {said.confidence:.2f})"
    )
