"""Returns the joint history of subrules: their changes by edition, and their present places."""

from collections import Counter

from variorum.answers.through_time.subrules import Subrules, SubruleStep
from variorum.history.lineages import Stretch
from variorum.rows import SUBRULE_SORTS, State, count_examples, kinds_of, name_of, wording_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from variorum.answers.knowledge_base import KnowledgeBase
    from variorum.records.lineage import (
        NowJson,
        SubruleNowJson,
        SubrulesChangedJson,
        SubrulesJson,
        SubruleStepJson,
    )
    from variorum.records.values import Piece

# The sorts of changes that are shown with their words.
_SHOWN = {"new", "moved_in", "parts", "substantive", "merged", "gone", "uncertain", "sweep"}


class SubruleHistories:
    """Returns the histories of subrules from an open base."""

    def __init__(self, base: "KnowledgeBase") -> None:
        self._base = base
        self._kinds_known: dict[int, list[str]] = {}

    def history(self, life: "Sequence[Stretch]", *, is_full: bool = False) -> "SubrulesJson | None":
        """Return the joint history of a provision's subrules; None if it never had any.

        Args:
            life: The history of the provision.
            is_full: Whether to include how words changed.
        """
        subrules = Subrules(self._base, life)
        if not subrules.members:
            return None
        heads = self._base.states.of([stretch.state for stretch in life])
        self._base.states.of(subrules.outside if not is_full else subrules.involved)  # all at once
        return {
            "last": [self._last(subrules, state, life[-1]) for state in subrules.at(life[-1].last)],
            "editions": [
                self._edition(
                    subrules, edition, heads[_during(life, edition).state], is_full=is_full
                )
                for edition in subrules.steps
            ],
        }

    def _edition(
        self, subrules: Subrules, edition: int, head: State, *, is_full: bool
    ) -> "SubrulesChangedJson":
        steps = subrules.steps[edition]
        counts = Counter([step.sort for step in steps])
        return {
            **place_json(head, self._base.labels[edition]),
            "provisions": subrules.sizes[edition],
            "counts": {sort: counts[sort] for sort in SUBRULE_SORTS if counts[sort]},
            "changes": [self._change(step, subrules, is_full=is_full) for step in steps],
        }

    def _change(self, step: SubruleStep, subrules: Subrules, *, is_full: bool) -> "SubruleStepJson":
        ends = self._ends(step) if is_full and step.sort in _SHOWN else ()
        is_away = bool(step.news) and (step.way == "out" or step.sort == "merged")
        return {
            "sort": step.sort,
            "from": None if step.old is None else self._name(subrules, step.old),
            "to": [self._name(subrules, state) for state in step.news],
            "kinds": [*self._kinds(step.bits)],
            "class": step.change,
            "confidence": step.confidence,
            "way": step.way,
            "now": self._today(step.news[0], step.edition) if is_away else None,
            "words": self._words(ends) if ends else [],
            "examples": [0 if end is None else count_examples(end.body) for end in ends],
        }

    def _kinds(self, bits: int) -> list[str]:
        """Return the kinds that bits stand for, from a cache."""
        if bits not in self._kinds_known:
            self._kinds_known[bits] = kinds_of(bits)
        return self._kinds_known[bits]

    def _name(self, subrules: Subrules, state: int) -> str:
        member = subrules.members.get(state)
        return name_of(self._base.states[state]) if member is None else member.name

    def _ends(self, step: SubruleStep) -> "tuple[State | None, ...]":
        """Return the states before and after a step."""
        news = step.news[0] if step.news else None
        states = self._base.states.of([state for state in (step.old, news) if state is not None])
        return tuple([None if state is None else states[state] for state in (step.old, news)])

    def _words(self, ends: "Sequence[State | None]") -> "list[Piece]":
        from variorum.history.word_diffs.diff import word_diff  # noqa: PLC0415 - imported on first use

        before, after = ("" if end is None else wording_of(end) for end in ends)
        return word_diff(before, after)

    def _last(self, subrules: Subrules, state: int, last: Stretch) -> "SubruleNowJson":
        member, labels = subrules.members[state], self._base.labels
        now: NowJson | None = {"edition": labels[last.last], "number": member.name, "term": None}
        if last.last != len(labels) - 1:
            now = self._today(state, last.last)
        return {"number": member.name, "heading": member.heading, "now": now}

    def _today(self, state: int, edition: int) -> "NowJson | None":
        """Return where a state of an edition is today."""
        today = self._base.at(state, edition).today
        return None if today is None else place_json(today.state, today.edition.label)


def place_json(state: State, label: str) -> "NowJson":
    """Return the place of a provision in an edition with a label."""
    is_entry = state.kind == "glossary"
    return {
        "edition": label,
        "number": None if is_entry else state.address,
        "term": state.heading if is_entry else None,
    }


def _during(life: "Sequence[Stretch]", edition: int) -> Stretch:
    """Return the stretch that includes an edition, or the last stretch before it."""
    return [stretch for stretch in life if stretch.first <= edition][-1]
