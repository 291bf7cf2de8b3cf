"""What a number meant in each edition, and where that is in the target edition: the verdict by date alone."""

from collections import Counter
from collections.abc import Iterable, Sequence
from functools import cache
from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

from variorum.answers.knowledge_base import KnowledgeBase
from variorum.answers.stored import Run
from variorum.citations import numbers_between
from variorum.history.lineages import Destination
from variorum.records import audit
from variorum.rows import ACTED_ON, FOLLOWED, MERGED, SPLIT, UNCERTAIN, EditionRow, State, name_of
from variorum.rule_numbers import RuleNumber
from variorum.text import key_of_meant, plain_words

if TYPE_CHECKING:
    from variorum.records.lineage import Change

# A state by its id, in the edition at a place.
Bearer = tuple[int, int]
# Both ends of a range; of a single number, the number twice.
Heir = tuple[str, str]


class CitationVerdict(NamedTuple):
    """The result of checking a citation by the edition `as_of`, "" if it has no date.

    `heirs` are the correct numbers, the main heir's first, or candidates; an entry is "glossary: " and its
    headword. `confidence` is the chance that the main heir is right. What is gone has `since`, the first
    edition without it. `was` is the cited provision, `now_means` another that has the number now, `last`
    the main heir's state, else the last. `why` is evidence besides the date, or the reason for doubt; then
    `meanings` is all that the number ever meant. `--fix` may rewrite what is sure, and never what is pinned,
    such as a citation that names its own edition (`is_dated_itself`). `changes` are those since an edition.
    """

    status: str
    heirs: tuple[Heir, ...]
    as_of: str
    confidence: float = 1.0
    since: str = ""
    was: Bearer | None = None
    now_means: Bearer | None = None
    why: str = ""
    meanings: "tuple[Meaning, ...]" = ()
    is_sure: bool = False
    is_pinned: bool = False
    is_dated_itself: bool = False
    changes: "tuple[Change, ...]" = ()
    last: int = -1

    @property
    def heir(self) -> str:
        """Return the main heir's number, or the first of its range; "" if there is none."""
        return next((first for first, _ in self.heirs), "")

    @property
    def certain(self) -> Heir | None:
        """Return both ends of the heir if `--fix` may write it without asking."""
        return self.heirs[0] if self.is_sure and self.status != audit.CURRENT else None


def can_stand(heir: Heir) -> bool:
    """Say whether a citation can name an heir: a rule or section whose number is printed once."""
    return all(RuleNumber.read(end) is not None for end in heir)


class Meaning(NamedTuple):
    """A meaning of a number: the verdict on it, and the runs of editions that it holds for."""

    verdict: CitationVerdict
    runs: tuple[Run, ...]

    @property
    def heirs(self) -> tuple[str, ...]:
        return tuple([first for first, _ in self.verdict.heirs])


class NumberMeanings:
    """What numbers meant, seen from one edition, the target."""

    def __init__(self, base: KnowledgeBase, target: EditionRow) -> None:
        base.links.load()  # callers ask for many numbers
        self._base, self.target = base, target
        self._meanings: dict[str, tuple[Meaning, ...]] = {}
        self._gist = cache(lambda state, place: base.at(state, place).gist)
        self._verdicts: dict[tuple[str, str, str], CitationVerdict] = {}

    def runs(self, number: str) -> list[Run]:
        """Return the provisions that had a number, or where none did, should have had it, by first edition.

        In 2006-05, "510.2" is printed as "501.2".
        """
        uses, misprinted = self._base.uses(number), self._base.uses(key_of_meant(number))
        held = {place for run in uses for place in range(run.first, run.last + 1)}
        uses += [run for run in misprinted if run.first not in held]
        return sorted(uses, key=lambda run: (run.first, run.last, run.state))

    def of(self, number: str) -> tuple[Meaning, ...]:
        """Return the meanings of a number, one for each outcome, oldest first."""
        if number not in self._meanings:
            found: dict[object, Meaning] = {}
            for run in self.runs(number):
                place = min(run.last, max(self.target.place, run.first))
                verdict = self._became(run.state, place, number)
                key = verdict.status, verdict.heirs, verdict.last
                before = found[key].runs if key in found else ()
                found[key] = Meaning(verdict, (*before, run))
            self._meanings[number] = tuple(found.values())
        return self._meanings[number]

    def shown(self, meaning: Meaning) -> audit.Meaning:
        """Return a meaning as findings have it."""
        first, last = meaning.runs[0].first, max([run.last for run in meaning.runs])
        days = self._base.labels[first], self._base.labels[last]
        return audit.Meaning(*days, self.gist(meaning.verdict.was), list(meaning.heirs))

    def bearers(self, number: str, place: int) -> list[Bearer]:
        """Return the provisions that have a number in an edition; misnumbered ones only without others."""
        states = self._base.bearers(number, place)
        correct = [state for state in states if not state.meant]
        return [(state.id, place) for state in correct or states]

    def bearer(self, number: str) -> Bearer | None:
        """Return the provision with a number in the target edition, if there is one."""
        return next(iter(self.bearers(number, self.target.place)), None)

    def gist(self, bearer: Bearer | None) -> str:
        """Return a provision in a few words; "" for None."""
        return self._gist(*bearer) if bearer else ""

    def verdict(self, first: str, last: str, edition: EditionRow | None) -> CitationVerdict:
        """Return the verdict on a number or a range, by its edition if that is known."""
        key = first, last, edition.label if edition else ""
        if key not in self._verdicts:
            self._verdicts[key] = (
                self._of_one(first, edition)
                if first == last
                else self._of_range(first, last, edition)
            )
        return self._verdicts[key]

    def _became(self, state: int, place: int, number: str, as_of: str = "") -> CitationVerdict:
        """Return the verdict on a number that meant a state of an edition."""
        base, stop = self._base, self.target.place
        way, bearers = base.lineages.way(state, place, stop), self.bearers(number, stop)
        if not way.states and (state, stop) in bearers:
            # The provision was absent for a while and returned with the same words and number.
            way = base.lineages.way(state, stop, stop)
        heirs = [*base.states.of(way.states).values()]
        names = [name_of(heir) for heir in heirs]
        is_same = bool(heirs) and number in {heirs[0].number, heirs[0].meant}
        is_other = bool(bearers) and not is_same and bearers[0][0] not in way.states
        status = _status(way, is_same=is_same)
        if is_other and status in {audit.RENUMBERED, audit.GONE_SINCE}:
            status = audit.REUSED
        # A copy only repeats the main heir. A rule that merged into one other may be there as a whole.
        is_whole = not way.bits & (SPLIT | UNCERTAIN) and (len(heirs) == 1 or not way.bits & MERGED)
        is_part = status == audit.MERGED_INTO and not self._is_in(state, heirs[0])
        # An entry, a chapter or a misprint cannot replace a number. Nor can a section replace a rule,
        # because readers do not recognise a number without a dot in a list.
        is_sure = status == audit.CURRENT or (
            status in {audit.RENUMBERED, audit.REUSED, audit.MERGED_INTO}
            and not is_same
            and is_whole
            and not is_part
            and way.confidence >= ACTED_ON
            and [bool(heir.meant) for heir in heirs[:1]] == [False]
            and can_stand((names[0], names[0]))
            and ("." in names[0]) == ("." in number)
        )
        told = [number, *names[1:]] if is_same else names
        loss = None if names else way.loss
        return CitationVerdict(
            status,
            _each_once(told),
            as_of,
            way.confidence,
            base.labels[loss.edition] if loss else "",
            (state, place),
            bearers[0] if is_other else None,
            "only a part of it went there" * is_part,
            is_sure=is_sure,
            last=loss.state if loss else next(iter(way.states), state),
        )

    def _is_in(self, state: int, heir: State) -> bool:
        """Say whether an heir has half the words of a state or more, as far as the base has words."""
        both = self._base.states[state], heir
        old, new = (Counter(plain_words(f"{it.heading} {it.body}")) for it in both)
        return (old & new).total() * 2 >= old.total() or not self._base.has_words

    def _of_one(self, number: str, edition: EditionRow | None) -> CitationVerdict:
        label = edition.label if edition else ""
        bearers = self.bearers(number, edition.place) if edition else []
        verdicts = [self._became(*bearer, number, label) for bearer in bearers]
        if len(verdicts) == 1:
            return verdicts[0]
        if verdicts:
            why = f"{number} was printed twice in the edition of {label}"
            heirs = _each_once(first for each in verdicts for first, _ in each.heirs)
            return CitationVerdict(audit.DOUBTFUL, heirs, label, 0.0, why=why)
        # There is no date, or its edition lacks the number.
        meanings = self.of(number)
        if not meanings:
            return CitationVerdict(audit.NEVER, (), label)
        heirs = _each_once(heir for meaning in meanings for heir in meaning.heirs)
        why = f"not in the edition of {label}" if label else ""
        is_one = len(meanings) == 1
        if is_one or (heirs and len({meaning.heirs for meaning in meanings}) == 1):
            verdict = meanings[0].verdict._replace(as_of=label)
            # "rule 110" may be anything: without a date, only a number with a dot is rewritten.
            is_sure = verdict.is_sure and not label and "." in number and is_one
            if is_one and verdict.status != audit.CURRENT:
                why = why or "it never meant anything else"
            return verdict._replace(why=why, is_sure=is_sure, meanings=meanings)
        is_same = heirs == ((number, number),)
        status, chance = (audit.CURRENT, 1.0) if is_same else (audit.DOUBTFUL, 0.0)
        return CitationVerdict(status, heirs, label, chance, why=why, meanings=meanings)

    def _of_range(self, first: str, last: str, edition: EditionRow | None) -> CitationVerdict:
        numbers = [
            number
            for number in _numbers_between(first, last) or (first, last)
            if number in {first, last}
            or (self.bearers(number, edition.place) if edition else self.of(number))
        ]
        each = [self.verdict(number, number, edition) for number in numbers]
        statuses = {verdict.status for verdict in each}
        if statuses == {audit.CURRENT}:
            return each[0]._replace(heirs=((first, last),))
        ends = [verdict.heir for verdict in (each[0], each[-1]) if verdict.heirs]
        became = [verdict.heir for verdict in each if verdict.heirs]
        between = [*filter(self.bearer, _numbers_between(*ends))] if ends[1:] else []
        status = max(statuses, key=audit.STATUSES.index)
        is_moved = bool(became) and statuses <= {audit.CURRENT, audit.RENUMBERED, audit.REUSED}
        status = max(status, audit.RENUMBERED, key=audit.STATUSES.index) if is_moved else status
        if is_moved and edition and not all(self.bearers(it, edition.place) for it in numbers):
            status = audit.DOUBTFUL  # one of its ends is from another day
        heirs = tuple(pairwise(ends)) if status != audit.GONE_SINCE else ()
        if is_moved and not (between and became == [it for it in between if it in became]):
            heirs = _each_once(became)  # they are no range any more
        chance = min([verdict.confidence for verdict in each])
        if status == audit.DOUBTFUL and became == numbers and not 0 < chance < FOLLOWED:
            status = audit.CURRENT  # there is no other range
        is_all = bool(_numbers_between(first, last)) and became == between
        changed = [
            f"{number} {'' if verdict.status == audit.NEVER else 'is '}{verdict.heir or verdict.status}"
            for verdict, number in zip(each, numbers, strict=True)
            if verdict.status != audit.CURRENT
        ]
        return max(each, key=lambda verdict: audit.STATUSES.index(verdict.status))._replace(
            status=status,
            heirs=heirs,
            was=each[0].was,
            now_means=each[0].now_means,
            confidence=chance,
            why="" if became == between else ", ".join(changed),
            meanings=(),
            is_sure=is_all
            and status in {audit.RENUMBERED, audit.REUSED}
            and all(verdict.is_sure for verdict in each),
        )


def _status(way: Destination, *, is_same: bool) -> str:
    if way.confidence < FOLLOWED:
        return audit.DOUBTFUL
    if not way.states:
        return audit.GONE_SINCE
    if len(way.states) > 1 and way.bits & SPLIT:
        return audit.SPLIT_UP
    if way.bits & MERGED:
        return audit.MERGED_INTO
    return audit.CURRENT if is_same else audit.RENUMBERED


def _each_once(heirs: Iterable[str]) -> tuple[Heir, ...]:
    return tuple([(heir, heir) for heir in dict.fromkeys(heirs)])


def _numbers_between(first: str, last: str) -> Sequence[str]:
    """Return the numbers of a range; none if it runs backwards or is too long."""
    start, end = RuleNumber.read(first), RuleNumber.read(last)
    if start is None or end is None or not start < end:
        return ()
    if (bool(start.rule), bool(start.letters)) != (bool(end.rule), bool(end.letters)):
        return ()
    between = numbers_between(first, last)
    is_next = end.follows(start) or (not start.rule and end.section == start.section + 1)
    return () if len(between) == 2 and not is_next else between  # noqa: PLR2004 - the two ends alone
