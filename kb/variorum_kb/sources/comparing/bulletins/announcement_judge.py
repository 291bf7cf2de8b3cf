"""The verdict of the editions on an announcement: confirmed, contradicted or unknown."""

from collections.abc import Iterator, Sequence

from variorum_kb.rows import Row
from variorum_kb.sources.comparing.attestation_types import Attestation, PassageVerdict
from variorum_kb.sources.comparing.bulletins.number_judge import (
    AnnouncedNumber,
    NumberJudge,
    contradicted,
)
from variorum_kb.sources.comparing.bulletins.step_into_edition import AnnouncedStep
from variorum_kb.sources.reading.bulletins.announcements import Announcement, AnnouncementKind


def judge(step: AnnouncedStep, announced: Sequence[Announcement]) -> tuple[Attestation, ...]:
    """Return an attestation for each number of each announcement."""
    announced_names = frozenset(
        name
        for announcement in announced
        if not announcement.is_implied
        for name in _announced_names(announcement)
    )
    return tuple(
        [
            attestation
            for announcement in announced
            for attestation in _AnnouncementJudge(step, announcement, announced_names).judge()
        ]
    )


def _announced_names(announcement: Announcement) -> tuple[tuple[bool, str], ...]:
    """Return the numbers whose origin or destination an announcement states."""
    if announcement.kind is AnnouncementKind.REWORDED:
        return ()
    return (
        *((False, name) for name in announcement.old),
        *((True, name) for name in announcement.new),
    )


class _AnnouncementJudge:
    """Judges one announcement."""

    def __init__(
        self,
        step: AnnouncedStep,
        announcement: Announcement,
        announced_names: frozenset[tuple[bool, str]],
    ) -> None:
        self._numbers = NumberJudge(step, announcement)
        self._step, self._announcement, self._announced_names = step, announcement, announced_names

    def judge(self) -> Iterator[Attestation]:
        announcement = self._announcement
        if announcement.is_implied:
            yield from self._implied()
            return
        match announcement.kind:
            case AnnouncementKind.NEW:
                yield from (
                    self._attest("", name, self._numbers.new_or_later(name))
                    for name in announcement.new
                )
            case AnnouncementKind.REMOVED:
                yield from (
                    self._attest(name, "", self._numbers.removed(name)) for name in announcement.old
                )
            case AnnouncementKind.RENUMBERED | AnnouncementKind.MOVED:
                yield from self._moves()
            case AnnouncementKind.SPLIT | AnnouncementKind.MERGED:
                becomes = ", ".join(announcement.new)
                yield from (
                    self._attest(old, becomes, self._numbers.parted(old))
                    for old in announcement.old
                )
            case AnnouncementKind.REWORDED:
                yield from (self._changed(name) for name in announcement.old)

    def _attest(self, number: str, becomes: str, judged: AnnouncedNumber) -> Attestation:
        announcement = self._announcement
        state = judged.new or judged.old
        return Attestation(
            kind="announcement",
            verdict=judged.verdict,
            number="" if announcement.is_term else number,
            headword=(number or becomes) if announcement.is_term else "",
            words=announcement.words,
            line=announcement.line,
            provision=state.id if state else None,
            former=judged.old.id if judged.old else None,
            edition=self._step.after.place,
            becomes=becomes,
            confidence=judged.confidence,
            reason=announcement.reason,
            evidence=(f"announced as {_announced_as(announcement)}", judged.evidence),
        )

    def _moves(self) -> Iterator[Attestation]:
        announcement = self._announcement
        if not announcement.old:
            yield from (
                self._attest("", new, self._numbers.moved_here(new)) for new in announcement.new
            )
        for place, old in enumerate(announcement.old):
            new = announcement.new[place] if len(announcement.new) == len(announcement.old) else ""
            yield self._attest(old, new, self._numbers.moved(old, new))

    def _changed(self, name: str) -> Attestation:
        judged = self._numbers.reworded(name)
        is_new = judged.new is not None and judged.old is None
        return self._attest("" if is_new else name, name if is_new else "", judged)

    def _implied(self) -> Iterator[Attestation]:
        if self._announcement.kind is AnnouncementKind.NEW:
            yield from self._new_below()
        else:
            yield from self._shifted()

    def _shifted(self) -> Iterator[Attestation]:
        announcement = self._announcement
        behind = self._step.behind(*announcement.old[:2])
        moved = [row for row in behind if self._shifts(row)]
        if not moved:
            shown = f"none of {len(behind)} provisions behind {announcement.old[0]} was renumbered"
            yield self._attest(announcement.old[0], "", contradicted(shown))
        for row in moved:
            if (False, row.number) in self._announced_names:
                continue  # it has its own announcement
            heir = self._step.heirs(row)[0]
            shown = (
                f"{row.number} became {heir.number}, one of {len(moved)} of {len(behind)} behind it"
            )
            judged = AnnouncedNumber(
                PassageVerdict.CONFIRMED, shown, row, heir, self._step.confidence(row)
            )
            yield self._attest(row.number, heir.number, judged)

    def _shifts(self, row: Row) -> bool:
        """Say whether a provision was renumbered and still stands among its neighbours."""
        heirs = self._step.heirs(row)
        if not heirs or heirs[0].number == row.number or "uncertain" in self._step.kinds(row):
            return False
        return heirs[0].kind == row.kind and _place_of(heirs[0]) == _place_of(row)

    def _new_below(self) -> Iterator[Attestation]:
        for name in self._announcement.old:
            arrived = [row for row in self._step.children(name) if self._numbers.has_arrived(row)]
            for row in arrived:
                if (True, row.number) not in self._announced_names:
                    yield self._attest("", row.number, self._numbers.new(row.number))
            if not arrived:
                shown = f"nothing below {name} is new in {self._step.after.label}"
                yield self._attest("", name, contradicted(shown))


def _place_of(row: Row) -> str:
    """Return the number that neighbours share: for a section its chapter, else its section."""
    return row.number[:1] if row.kind == "section" else row.number.partition(".")[0]


def _announced_as(announcement: Announcement) -> str:
    kind = announcement.kind.value if announcement.is_said else "changed, without saying how"
    return f"{kind}, with others and not by its number" if announcement.is_implied else kind
