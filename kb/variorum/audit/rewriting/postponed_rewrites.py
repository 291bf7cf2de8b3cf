"""Postpones rewriting lines with doubtful citations, because git dates a rewritten line as new."""

from collections.abc import Callable, Sequence

from variorum.answers.cited_heirs import CURRENT, NEVER
from variorum.audit.citations.bare_numbers import QuotedRule
from variorum.audit.citations.number_lists import Citation
from variorum.audit.judging.verdict import CitationVerdict

Wanted = tuple[str, str] | None


def hold_back(
    judged: Sequence[tuple[Citation, CitationVerdict]],
    wanted: Sequence[Wanted],
    ignored: Sequence[str],
    line_of: Callable[[int], int],
) -> list[Wanted]:
    """Return the new numbers of citations; None for a citation that must wait.

    Take "CR 704.5k, CR 704.5j" of 2009, where only the first new number is certain. If `--fix`
    rewrote the first alone, git would date the line as new, and the next audit would take the
    second for a number of today. So the first waits until a person has decided on the second.

    Args:
        judged: The citations of a file, in order.
        wanted: Their new numbers; None for a citation that stays.
        ignored: Statuses that are not reported.
        line_of: Returns the line of an offset.
    """
    lines = [
        {line_of(part.start) for part in (citation.first, citation.last) if part is not None}
        for citation, _ in judged
    ]
    kept = list(wanted)
    is_open = [
        heir is None and _is_dated_by_line(verdict) and verdict.status not in ignored
        for (_, verdict), heir in zip(judged, kept, strict=True)
    ]
    waiting: set[int] = set()
    while True:
        waiting = {
            line
            for own, is_pending in zip(lines, is_open, strict=True)
            if is_pending
            for line in own
        }
        late = [
            place
            for place, heir in enumerate(kept)
            if heir is not None and not lines[place].isdisjoint(waiting)
        ]
        if not late:
            return kept
        for place in late:  # its other lines must wait
            kept[place], is_open[place] = None, True


def keep_whole(
    judged: Sequence[tuple[Citation, CitationVerdict]], quoted: Sequence[QuotedRule]
) -> list[tuple[Citation, CitationVerdict]]:
    """Return verdicts; if a quoted rule contains a doubtful one, none in that rule stays sure.

    If only some of its numbers were rewritten, the quotation would match no edition.
    """
    kept = list(judged)
    for rule in quoted:
        inside = [
            place
            for place, (citation, _) in enumerate(kept)
            if rule.citation.start <= citation.start < rule.end
        ]
        verdicts = [kept[place][1] for place in inside]
        if not all(own.is_sure or own.status == CURRENT for own in verdicts):
            for place in inside:
                citation, verdict = kept[place]
                kept[place] = citation, verdict._replace(is_sure=False)
    return kept


def _is_dated_by_line(verdict: CitationVerdict) -> bool:
    """Say whether the verdict on a citation would change if its line had another date."""
    return verdict.status not in {CURRENT, NEVER} and not verdict.is_pinned
