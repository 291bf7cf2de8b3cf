"""Find parts that are missing from an edition, judged by its own numbers and contents."""

from collections.abc import Iterator

from variorum.facts.editions import is_known
from variorum.model import Condition, Edition, Irregular, Kind, RuleNumber

# Real editions skip one letter (214.8k after 214.8i) or one rule; l and o are never used as letters.
_LETTERS, _RULES = 4, 3


def gaps_in(edition: Edition) -> Iterator[str]:
    """Yield the missing parts of an edition that can be noticed without another edition."""
    previous: RuleNumber | None = None
    for provision in edition.provisions:
        if provision.meant is None:
            continue
        if (
            previous is not None
            and provision.kind is not Kind.SECTION
            and provision.meant > previous
        ):
            skips = any(odd.kind is Irregular.NUMBERS_SKIPPED for odd in provision.irregularities)
            leaps = provision.meant.section != previous.section
            if leaps or (skips and _is_wide(previous, provision.meant)):
                yield f"rules missing between {previous} and {provision.meant}"
        previous = provision.meant
    for odd in edition.irregularities:
        if odd.kind is Irregular.ONLY_IN_CONTENTS:
            yield f"missing, but in the contents: {odd.printed}"


def _is_wide(before: RuleNumber, after: RuleNumber) -> bool:
    """Return whether more numbers are skipped between two than in any real edition."""
    if before.rule == after.rule:
        return bool(before.letters) and ord(after.letters[-1]) - ord(before.letters[-1]) >= _LETTERS
    return bool(after.letters) or after.rule - before.rule >= _RULES


def doubts_of(edition: Edition) -> list[str]:
    """Return the doubts about an edition, without comparing it with others."""
    if is_known(edition.effective, edition.sha256):
        return []
    lossy = [edition.condition.value] if edition.condition is Condition.LOSSY else []
    return ["one source", *lossy, *gaps_in(edition)]
