"""Judges the sequence of numbers: misprints, what was meant, and numbers printed twice.

A number is regular if it may follow the one before it. Any other number is either the first after a
gap (214.8k after 214.8i, 2001 to 2003) or a misprint. The numbers around it decide: 605.2c between
609.2b and 609.4 (2005-08-01) is 609.2c; 505.54 between 505.4 and 505.5a (2010-06-18) is 505.5;
724.3a to 724.3c between 724.2 and 724.3 (2021-09-24) are 724.2a to 724.2c.
"""

from collections import Counter
from collections.abc import Sequence

from variorum.errors import DocumentError
from variorum.model import Provision
from variorum.rule_numbers import RuleNumber

# No edition skips more than one rule; the misprint 505.54 would skip 49.
_LONGEST_GAP = 9
# Editions have up to five numbers out of order; a shuffled or spliced text has hundreds.
_MOST, _SHARE = 5, 0.02


def judge_numbers(drafts: Sequence[Provision]) -> None:
    """Record irregular numbers and what they mean, and give addresses to all provisions."""
    numbered = [draft for draft in drafts if draft.kind != "chapter"]
    left, seen, wrong = Counter([draft.read for draft in numbered]), set[RuleNumber | None](), 0
    previous: RuleNumber | None = None
    shifted: RuleNumber | None = None  # the last number as printed, in a run of misprints
    for draft, below in zip(numbered, [*numbered[1:], None], strict=True):
        number = draft.meant = draft.read
        left[number] -= 1
        following = below.read if below else None
        expected = previous.successors() if previous else ()
        evidence = f"it follows {previous}"
        # A subrule that continues a run of misprints is one; a rule resumes the true count.
        goes_on = bool(number and shifted and number.follows(shifted))
        # So is, likely, what comes after the run, and a subrule above its own rule.
        is_likely = bool(shifted or (number and left[number._replace(size=0, letters="")]))
        if number is None:
            letters = draft.address.partition(".")[2]
            draft.meant = next((n for n in expected if n.letters == letters), None)
            evidence = evidence if draft.meant else ""
            draft.note("malformed number", draft.printed, str(draft.meant or ""), evidence)
            goes_on = False
            wrong += 1
        elif previous is None or (
            number.section > previous.section
            if not number.rule
            else number in expected and not (goes_on and number.letters)
        ):
            goes_on = False
        elif number in seen and left[expected[-1 if number.letters else 0]]:
            goes_on = False  # it is printed twice, and the numbers go on from it
        elif goes_on or _is_misprint(previous, number, following, is_likely=is_likely):
            draft.meant = expected[-1 if number.letters else 0]
            evidence += f" and precedes {following}" if following else ""
            draft.note("misnumbered", str(number), str(draft.meant), evidence)
            goes_on = True
            wrong += 1
        else:
            draft.note("numbers skipped", draft.address, "", evidence)
            wrong += number < previous
        shifted = number if goes_on else None
        seen.add(number)
        previous = draft.meant or previous
    doubled = _address(drafts)
    most = _MOST + _SHARE * len(numbered)
    of_all = f"of {len(numbered)} numbers are"
    if doubled > most:
        raise DocumentError(f"{doubled} {of_all} printed twice: parts are repeated")
    if wrong > most:
        raise DocumentError(f"{wrong} {of_all} out of order: parts are missing or mixed up")


def _is_misprint(
    previous: RuleNumber, number: RuleNumber, following: RuleNumber | None, *, is_likely: bool
) -> bool:
    """Return whether a number out of sequence is wrong; else the numbers before it are missing."""
    if not number.rule or (number.letters and not previous.rule):
        return False  # nothing tells what would be right
    if number <= previous:  # 702.30d twice, before 702.31 (2009-10-01)
        return True
    is_near = number.section != previous.section or number.rule - previous.rule <= _LONGEST_GAP
    continues = following is None or following.follows(number) or (not following.rule and is_near)
    # 712.3d to 712.3f right after 712.3 (2023-04-14), and 724.3a to 724.3c after 724.2, may be the
    # subrules of the rule before them.
    may_be_below = (
        number.section == previous.section
        and not previous.letters
        and (number.rule == previous.rule or number.letters == "a")
    )
    if continues and not may_be_below and not is_likely:
        return False
    if number.letters and (number.rule != previous.rule or not previous.letters):
        return True  # a subrule without a rule or a subrule "a" before it
    return not continues


def _address(drafts: Sequence[Provision]) -> int:
    """Give provisions with the same number addresses with #1, #2; return how many are repeated."""
    times = Counter(draft.address for draft in drafts)
    seen: Counter[str] = Counter()
    for draft in drafts:
        number = draft.address
        if times[number] > 1:
            seen[number] += 1
            draft.address = f"{number}#{seen[number]}"
            draft.note("printed twice", number, "", f"{seen[number]} of {times[number]}")
    return len(drafts) - len(times)
