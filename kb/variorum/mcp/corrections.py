"""Apply the certain corrections of an audit to its text."""

from collections.abc import Sequence

from variorum.records.audit import Finding


def corrected(text: str, findings: Sequence[Finding]) -> str:
    """Return a text with all certain corrections made.

    Args:
        text: The audited text.
        findings: In the order of the text; places are lines and columns from 1.
    """
    sign = "\n" if "\n" in text else "\r"
    starts = [0]
    for line in text.split(sign):
        starts.append(starts[-1] + len(line) + 1)
    parts: list[str] = []
    copied = 0
    for finding in findings:
        if finding.rewrite is None:
            continue
        start = starts[finding.line - 1] + finding.column - 1
        parts += [text[copied:start], finding.rewrite]
        copied = starts[finding.end_line - 1] + finding.end_column - 1
    return "".join([*parts, text[copied:]])
