"""What a document lacks by its own measure: rules without their section, headings without text."""

from collections.abc import Iterator

from variorum_kb.facts.editions import is_known
from variorum_kb.model import Condition, Edition, Irregular, Kind, RuleNumber


def gaps_in(edition: Edition) -> Iterator[str]:
    """Yield what is missing in an edition, as far as it can be told without another one."""
    section = 0
    previous: RuleNumber | None = None
    for one in edition.provisions:
        if one.meant is None:
            continue
        is_gap = previous is not None and one.meant.section != section and one.meant > previous
        if one.kind is not Kind.SECTION and is_gap:
            yield f"rules missing between {previous} and {one.meant}"
        section, previous = one.meant.section, one.meant
    for odd in edition.irregularities:
        if odd.kind is Irregular.ONLY_IN_CONTENTS:
            yield f"missing, but in the contents: {odd.printed}"


def doubts_of(edition: Edition) -> list[str]:
    """Return what to say of an edition that was read alone."""
    if is_known(edition.effective, edition.sha256):
        return []
    lossy = [edition.condition.value] if edition.condition is Condition.LOSSY else []
    return ["one source", *lossy, *gaps_in(edition)]
