"""Findings: a citation, its place and its verdict, in the form of `cr audit --json`."""

from collections.abc import Sequence

from variorum.audit.citations.number_lists import Citation
from variorum.audit.judging.verdict import CitationVerdict
from variorum.audit.line_places import LinePlaces
from variorum.audit.rewriting.allowed_rewrites import certain_rewrite
from variorum.audit.rewriting.rewrite import Edit, apply
from variorum.records.audit import Finding, Meaning


def rewritten_of(text: str, citation: Citation, edits: Sequence[Edit]) -> str | None:
    """Return the corrected citation; None if it stays."""
    start = citation.start
    moved = [edit._replace(start=edit.start - start, end=edit.end - start) for edit in edits]
    return apply(text[start : citation.end], moved) if moved else None


def finding_of(
    file: str, citation: Citation, verdict: CitationVerdict, lines: LinePlaces, rewrite: str | None
) -> Finding:
    """Return a finding in its JSON form.

    Args:
        file: Its path, with slashes.
        citation: The citation.
        verdict: Its verdict.
        lines: The lines of the file.
        rewrite: The corrected citation; None if it stays.
    """
    (line, column), (end_line, end_column) = lines.place(citation.start), lines.place(citation.end)
    return Finding(
        file=file,
        line=line,
        column=column,
        end_line=end_line,
        end_column=end_column,
        cited=lines.text[citation.start : citation.end],
        number=citation.first.number,
        last=citation.last.number if citation.last else None,
        as_of=verdict.as_of or None,
        status=verdict.status,
        heirs=[list(dict.fromkeys(heir)) for heir in verdict.heirs],
        confidence=round(verdict.confidence, 4),
        since=verdict.since or None,
        was=verdict.was,
        now_means=verdict.now_means or None,
        why=verdict.why,
        meanings=[
            Meaning(meaning.first, meaning.last, meaning.was, list(meaning.heirs))
            for meaning in verdict.meanings
        ],
        sure=certain_rewrite(verdict) is not None,
        pinned=verdict.is_pinned,
        rewrite=rewrite,
        changes=list(verdict.changes),
    )
