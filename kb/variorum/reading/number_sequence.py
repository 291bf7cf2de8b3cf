"""Judges the sequence of numbers: misprints, what was meant, and numbers printed twice.

A number is regular if it may follow the one before it. Any other number is either the first after a
gap (214.8k after 214.8i, 2001 to 2003) or a misprint. The numbers around it decide: 605.2c between
609.2b and 609.4 (2005-08-01) is 609.2c; 505.54 between 505.4 and 505.5a (2010-06-18) is 505.5;
724.3a to 724.3c between 724.2 and 724.3 (2021-09-24) are 724.2a to 724.2c. If all later numbers
continue from a number, it is not a misprint: the rules before it are missing.
"""

from collections import Counter
from collections.abc import Sequence

from variorum.errors import TruncatedError
from variorum.model import Irregular, Kind, RuleNumber
from variorum.reading.provisions import ProvisionDraft
from variorum.thresholds.documents import MISNUMBERED

# No edition skips more than one rule; the misprint 505.54 would skip 49.
_LONGEST_GAP = 9
# The longest run of misprints after which the true count resumes has four numbers.
_LOOKED_AHEAD = 20


def judge_numbers(drafts: Sequence[ProvisionDraft], file: str) -> None:
    """Record irregular numbers and what they mean, and give addresses to all provisions.

    Raises:
        TruncatedError: Too many numbers are out of order for a complete text.
    """
    chapter = Kind.CHAPTER
    numbered = [draft for draft in drafts if draft.kind is not chapter]
    for draft in numbered:
        draft.meant = draft.number
    wrong = _Judge(numbered).judge()
    doubled = _address(drafts)
    if doubled > _most(len(numbered)):
        raise TruncatedError(
            f"{doubled} of {len(numbered)} numbers are printed twice: parts are repeated", file
        )
    if wrong > _most(len(numbered)):
        raise TruncatedError(
            f"{wrong} of {len(numbered)} numbers are out of order: parts are missing or mixed up",
            file,
        )


def _most(numbered: int) -> float:
    """Return how many wrong numbers an edition may have."""
    return 5 + MISNUMBERED * numbered


class _Judge:
    def __init__(self, drafts: Sequence[ProvisionDraft]) -> None:
        self._drafts = drafts
        self._place = 0

    def judge(self) -> int:
        """Go through the numbers in printed order; return how many are wrong."""
        wrong = 0
        previous: RuleNumber | None = None
        shifted_from: RuleNumber | None = None  # as printed, while a run of misprints goes on
        for place, draft in enumerate(self._drafts):
            self._place = place
            number = draft.number
            if number is None:
                draft.meant = self._meant_by_malformed(draft, previous)
                shifted_from = None
                wrong += 1
            elif previous is None or self._is_regular(previous, number, shifted_from):
                shifted_from = None
            else:
                meant = self._meant(previous, number, shifted_from)
                shifted_from = number if meant is not None else None
                self._record(draft, previous, meant)
                wrong += number < previous or meant is not None
            previous = draft.meant or previous
        return wrong

    def _is_regular(
        self, previous: RuleNumber, number: RuleNumber, shifted_from: RuleNumber | None
    ) -> bool:
        if not number.rule:
            return number.section > previous.section
        if not number.follows(previous):
            return False
        # A number that continues a run of misprints is a misprint, unless it is a rule that
        # resumes the true count (724.3 after 724.3a to 724.3c).
        goes_on = shifted_from is not None and number.follows(shifted_from)
        return not goes_on or number.letters == ""

    def _meant(
        self, previous: RuleNumber, number: RuleNumber, shifted_from: RuleNumber | None
    ) -> RuleNumber | None:
        """Return what a number out of sequence means; None if it only follows a gap."""
        of_kind = [e for e in previous.successors() if bool(e.letters) is bool(number.letters)]
        if not of_kind or not number.rule:
            return None
        if shifted_from is None and self._is_after_hole(previous, number):
            return None
        is_misprint = (
            (shifted_from is not None and number.follows(shifted_from))
            or number <= previous  # 702.30d twice, before 702.31 (2009-10-01)
            or number.section != previous.section
            or _lacks_beginning(previous, number)
            or number.rule - previous.rule > _LONGEST_GAP
            or not self._goes_on_from(number)
        )
        return of_kind[0] if is_misprint else None

    def _is_after_hole(self, previous: RuleNumber, number: RuleNumber) -> bool:
        """Return whether later numbers continue from this one, so that rules are missing before it.

        Subrules after the wrong number are misprints instead: 712.3d to 712.3f right after 712.3
        (2023-04-14), and 724.3a to 724.3c before 724.3, after 724.2.
        """
        following = self._following()
        if number <= previous or following is None or _may_be_below(previous, number):
            return False
        rest = self._drafts[self._place + 1 : self._place + 1 + _LOOKED_AHEAD]
        later = [draft.number for draft in rest if draft.number is not None]
        is_near = number.section != previous.section or number.rule - previous.rule <= _LONGEST_GAP
        goes_on = following.follows(number) or (not following.rule and is_near)
        return goes_on and all(later_number > number for later_number in later)

    def _goes_on_from(self, number: RuleNumber) -> bool:
        """Say whether the next number continues from this one."""
        following = self._following()
        if following is None or not following.rule:
            return True
        return following.follows(number) or following.section > number.section

    def _meant_by_malformed(
        self, draft: ProvisionDraft, previous: RuleNumber | None
    ) -> RuleNumber | None:
        letters = draft.address.partition(".")[2]
        expected = () if previous is None else previous.successors()
        meant = next((e for e in expected if e.letters == letters), None)
        evidence = f"it follows {previous}" if meant else ""
        draft.note(Irregular.MALFORMED_NUMBER, draft.printed, str(meant or ""), evidence)
        return meant

    def _following(self) -> RuleNumber | None:
        rest = self._drafts[self._place + 1 :]
        return rest[0].number if rest else None

    def _record(
        self, draft: ProvisionDraft, previous: RuleNumber, meant: RuleNumber | None
    ) -> None:
        number = draft.number
        if meant is None:
            evidence = f"it follows {previous}"
            draft.note(Irregular.NUMBERS_SKIPPED, draft.address, "", evidence)
            return
        following = self._following()
        evidence = f"it follows {previous}" + (f" and precedes {following}" if following else "")
        draft.note(Irregular.MISNUMBERED, str(number), str(meant), evidence)
        draft.meant = meant


def _may_be_below(previous: RuleNumber, number: RuleNumber) -> bool:
    """Say whether a number may mean a subrule of the rule before it."""
    if previous.letters or previous.section != number.section:
        return False
    is_next = number.letters == "a" and number.rule == previous.rule + 1
    return number.rule == previous.rule or is_next


def _lacks_beginning(previous: RuleNumber, number: RuleNumber) -> bool:
    """Say whether a subrule has no rule or no subrule "a" before it."""
    return bool(number.letters) and (number.rule != previous.rule or not previous.letters)


def _address(drafts: Sequence[ProvisionDraft]) -> int:
    """Give provisions with the same number addresses with #1, #2; return how many there are."""
    times = Counter(draft.address for draft in drafts)
    seen: Counter[str] = Counter()
    for draft in drafts:
        number = draft.address
        if times[number] > 1:
            seen[number] += 1
            draft.address = f"{number}#{seen[number]}"
            evidence = f"{seen[number]} of {times[number]}"
            draft.note(Irregular.PRINTED_TWICE, number, "", evidence)
    return sum(number - 1 for number in times.values())
