"""The verdict of the editions on one number or headword of an announcement."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial

from variorum_kb.rows import Row
from variorum_kb.sources.comparing.attestation_types import PassageVerdict
from variorum_kb.sources.comparing.bulletins.step_into_edition import (
    AnnouncedStep,
    Predecessor,
    difference,
    names_of,
)
from variorum_kb.sources.reading.bulletins.announcements import Announcement
from variorum_kb.text.counts import listed

_CONFIRMED, _CONTRADICTED = PassageVerdict.CONFIRMED, PassageVerdict.CONTRADICTED
_UNKNOWN = PassageVerdict.UNKNOWN
_MOST_NAMED = 6


@dataclass(frozen=True, slots=True)
class AnnouncedNumber:
    """The verdict on one number of an announcement.

    Attributes:
        verdict: Confirmed, contradicted or unknown.
        evidence: The evidence of the editions, in our words.
        old: The former provision; None for a new provision.
        new: The present provision; None for a removed provision.
        confidence: The chance that the step is right.
    """

    verdict: PassageVerdict
    evidence: str
    old: Row | None = None
    new: Row | None = None
    confidence: float = 1.0


_confirmed = partial(AnnouncedNumber, _CONFIRMED)
contradicted = partial(AnnouncedNumber, _CONTRADICTED)


class NumberJudge:
    """Judges the numbers of one announcement by the step into an edition."""

    def __init__(self, step: AnnouncedStep, announcement: Announcement) -> None:
        self.step, self.announcement = step, announcement

    def _find_old(self, name: str) -> Row | None:
        return self.step.old(name, is_term=self.announcement.is_term)

    def _find_new(self, name: str) -> Row | None:
        return self.step.new(name, is_term=self.announcement.is_term)

    def _nothing(self, name: str, when: str) -> AnnouncedNumber:
        is_elsewhere = self._find_old(name) or self._find_new(name)
        where = f"the edition of {when}" if is_elsewhere else "either edition"
        return contradicted(f"nothing is called {name} in {where}")

    def _later(self, name: str, judge: Callable[[str], AnnouncedNumber]) -> AnnouncedNumber | None:
        """Judge a rule that got the announced number soon after this step.

        It is judged by its number in this step.

        A bulletin may use numbers of a draft that a later edition introduced.
        """
        if self.announcement.is_term:
            return None
        for number, label in self.step.before_renumbering(name):
            judged = judge(number)
            if judged.verdict is _CONFIRMED:
                shown = (
                    f"{name} is its number since {label}; it came as {number}: {judged.evidence}"
                )
                return replace(judged, evidence=shown)
        return None

    @property
    def _doubt(self) -> PassageVerdict:
        """Return the verdict if nothing changed: a mere mention is not contradicted."""
        return _CONTRADICTED if self.announcement.is_said else _UNKNOWN

    # New and removed -------------------------------------------------------------------------------

    def new_or_later(self, name: str) -> AnnouncedNumber:
        """Judge a rule announced as new, perhaps under the number of a draft."""
        judged = self.new(name)
        if judged.verdict is not _CONTRADICTED:
            return judged
        return self._later(name, self._arrived_as) or judged

    def _arrived_as(self, name: str) -> AnnouncedNumber:
        """Judge a number as new; the verdict is unknown if its rule has a source."""
        row = self.step.arrived(name)
        if row is None:
            return self._nothing(name, self.step.after.label)
        return self.new(name)

    def new(self, name: str) -> AnnouncedNumber:
        """Judge a rule announced as new."""
        # If a number is printed twice, perhaps only one of its two provisions is new.
        row = self.step.arrived(name) or self._find_new(name)
        if row is None:
            return self._nothing(name, self.step.after.label)
        sources = self.step.sources(row)
        if not sources:
            return _confirmed(f"{name} is new in {self.step.after.label}", None, row)
        return self._came(name, row, sources)

    def _came(self, name: str, row: Row, sources: list[Predecessor]) -> AnnouncedNumber:
        best = sources[0]
        where = names_of([best.row])
        if "uncertain" in best.kinds:
            ruling = _UNKNOWN, f"it is uncertain whether it came from {where}"
        elif not best.is_main or self._is_beside(best.row, row):
            ruling = _CONFIRMED, f"new beside {where}, whose words it took in part"
        elif where == names_of([row]):
            below = [row for row in self.step.children(name) if self.has_arrived(row)]
            more = f"; new below it: {names_of(below[:_MOST_NAMED])}" if below else ""
            ruling = _CONTRADICTED, f"{name} was there before, {_how(best.row, row)}{more}"
        else:
            ruling = _CONTRADICTED, f"{where} became {name}"
        return AnnouncedNumber(*ruling, best.row, row, best.confidence)

    def _is_beside(self, old: Row, new: Row) -> bool:
        """Say whether another provision keeps the number of a new provision's source."""
        kept = {heir.number for heir in self.step.heirs(old) if heir.id != new.id}
        return bool(old.number) and old.number in kept

    def removed(self, name: str) -> AnnouncedNumber:
        """Judge a rule announced as removed."""
        row = self._find_old(name)
        if row is None:
            return self._nothing(name, self.step.before.label)
        heirs, kinds = self.step.heirs(row), self.step.kinds(row)
        heir, sure = next(iter(heirs), None), self.step.confidence(row)
        if not heirs:
            ruling = _CONFIRMED, f"{name} is gone in {self.step.after.label}"
        elif "uncertain" in kinds:
            ruling = _UNKNOWN, f"it is uncertain whether it became {names_of(heirs)}"
        elif "merged" in kinds:
            ruling = _CONFIRMED, f"{name} was merged into {names_of(heirs)}"
        elif names_of(heirs[:1]) == names_of([row]):
            ruling = _CONTRADICTED, f"{name} stayed, {_how(row, heirs[0])}"
        else:
            ruling = _CONTRADICTED, f"{name} went to {names_of(heirs)}"
        return AnnouncedNumber(*ruling, row, heir, sure)

    # Moved -----------------------------------------------------------------------------------------

    def moved(self, old: str, new: str) -> AnnouncedNumber:
        """Judge a rule announced as renumbered; `new` is "" if the bulletin does not name it."""
        row, there = self._find_old(old), self._find_new(new) if new else None
        if row is None:
            return self._no_former(old, new, there)
        heirs, sure = self.step.heirs(row), self.step.confidence(row)
        uncertain = "uncertain" in self.step.kinds(row)
        if there is not None and any(heir.id == there.id for heir in heirs):
            verdict = _UNKNOWN if uncertain else _CONFIRMED
            return AnnouncedNumber(verdict, f"{old} became {new}", row, there, sure)
        if not heirs:
            return contradicted(f"{old} is gone", row, None, sure)
        stayed = names_of(heirs[:1]) == names_of([row])
        if not new and not stayed:
            return _confirmed(f"{old} became {names_of(heirs)}", row, heirs[0], sure)
        shown = f"stayed, {_how(row, heirs[0])}" if stayed else f"went to {names_of(heirs)}"
        verdict = _UNKNOWN if uncertain else _CONTRADICTED
        return AnnouncedNumber(verdict, f"{old} {shown}", row, heirs[0], sure)

    def _no_former(self, old: str, new: str, there: Row | None) -> AnnouncedNumber:
        missing = f"nothing is called {old} in the edition of {self.step.before.label}"
        sources = self.step.sources(there) if there is not None else []
        if there is not None and not sources:
            shown = f"{missing}, and {new} is new: an edition between them may be missing"
            return AnnouncedNumber(_UNKNOWN, shown, None, there)
        if sources:
            shown = f"{missing}; {names_of([sources[0].row])} became {new}"
            return contradicted(shown, sources[0].row, there, sources[0].confidence)
        return contradicted(missing)

    def moved_here(self, new: str) -> AnnouncedNumber:
        """Judge the new number of a rule whose old number the bulletin does not name."""
        row = self._find_new(new)
        if row is None:
            return self._nothing(new, self.step.after.label)
        sources = self.step.sources(row)
        if not sources:
            return contradicted(f"{new} is new", None, row)
        best, where = sources[0], names_of([sources[0].row])
        is_same = where == names_of([row])
        verdict = _CONTRADICTED if is_same else _CONFIRMED
        return AnnouncedNumber(verdict, f"{where} became {new}", best.row, row, best.confidence)

    def parted(self, old: str) -> AnnouncedNumber:
        """Judge a rule announced as split or merged."""
        row = self._find_old(old)
        if row is None:
            return self._nothing(old, self.step.before.label)
        heirs, kinds = self.step.heirs(row), self.step.kinds(row)
        heir, sure = next(iter(heirs), None), self.step.confidence(row)
        wanted = {self.announcement.kind.value, *(["copied"] if len(heirs) > 1 else [])}
        targets = [there for name in self.announcement.new if (there := self._find_new(name))]
        reached = {heir.id for heir in heirs}
        if targets and all(target.id in reached for target in targets):
            return _confirmed(f"{old} became {names_of(heirs)}", row, heir, sure)
        if not self.announcement.new and wanted & set(kinds):
            return _confirmed(f"{old} became {names_of(heirs)}", row, heir, sure)
        below = [part for part, is_new in self.step.parts(old) if not is_new]
        parted = [part for part in below if wanted & set(self.step.kinds(part))]
        if parted and not self.announcement.new:
            shown = f"{names_of(parted[:1])} became {names_of(self.step.heirs(parted[0]))}"
            return _confirmed(shown, row, heir, sure)
        shown = f"{old} became {names_of(heirs)}" if heirs else f"{old} is gone"
        return contradicted(shown, row, heir, sure)

    # Reworded --------------------------------------------------------------------------------------

    def reworded(self, name: str) -> AnnouncedNumber:
        """Judge a rule announced as reworded."""
        new, old = self._find_new(name), self._find_old(name)
        if new is None and old is None:
            later = self._later(name, self.reworded)
            return later or self._nothing(name, self.step.after.label)
        here = self._changed_into(name, new) if new is not None else None
        if here is not None and here.verdict is _CONFIRMED:
            return here
        # Some bulletins use the number that the rule loses in this step.
        there = self._changed_from(name, old) if old is not None else None
        if there is not None and (here is None or there.verdict is _CONFIRMED):
            return there
        below = self._changed_below(name)
        if below:
            return _confirmed(below, here.old if here else old, new or old)
        return here or AnnouncedNumber(_UNKNOWN, "the editions show nothing")

    def _changed_into(self, name: str, new: Row) -> AnnouncedNumber:
        sources = self.step.sources(new)
        if not sources:
            return _confirmed(f"{name} is new in {self.step.after.label}", None, new)
        best = sources[0]
        was = names_of([best.row])
        before = "" if was == names_of([new]) else f" (before: {was})"
        return self._compared(f"{name}{before}", best.row, new, best.confidence)

    def _changed_from(self, name: str, old: Row) -> AnnouncedNumber:
        heirs, sure = self.step.heirs(old), self.step.confidence(old)
        if not heirs:
            shown = f"{name} is gone in {self.step.after.label}"
            return AnnouncedNumber(self._doubt, shown, old, None, sure)
        now = names_of(heirs[:1])
        after = "" if now == names_of([old]) else f" (now {now})"
        return self._compared(f"{name}{after}", old, heirs[0], sure)

    def _compared(self, name: str, old: Row, new: Row, sure: float) -> AnnouncedNumber:
        match difference(old, new):
            case "words":
                return _confirmed(f"{name} has other words", old, new, sure)
            case "signs":
                shown = f"{name} differs in signs or in what it cites"
                return _confirmed(shown, old, new, sure)
            case _:
                is_of_number = old.number != new.number and "number" in self.announcement.words
                verdict = _CONFIRMED if is_of_number else self._doubt
                return AnnouncedNumber(verdict, f"{name} stayed word for word", old, new, sure)

    def _changed_below(self, name: str) -> str:
        """Return a line on the changes below a section or rule.

        Return "" if there are none.
        """
        if self.announcement.is_term:
            return ""
        changed = [row for row, is_new in self.step.parts(name) if self._is_changed(row, is_new)]
        unique = {row.number: names_of([row]) for row in changed}
        return f"changed below {name}: {listed([*unique.values()], _MOST_NAMED)}" if unique else ""

    def _is_changed(self, row: Row, is_new: bool) -> bool:  # noqa: FBT001 - which edition
        if is_new:
            sources = self.step.sources(row)
            return not sources or difference(sources[0].row, row) == "words"
        return not self.step.heirs(row)

    def has_arrived(self, row: Row) -> bool:
        """Say whether a provision of the later edition is new or was split off."""
        return not any(source.is_main for source in self.step.sources(row))


def _how(before: Row, after: Row) -> str:
    return f"with {'other' if difference(before, after) == 'words' else 'the same'} words"
