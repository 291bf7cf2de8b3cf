"""Put the certain corrections of an audit into the text that was audited."""

from collections.abc import Sequence

from variorum import Finding


def corrected(text: str, findings: Sequence[Finding]) -> str:
    """Return a text with every citation corrected that can be corrected with certainty.

    Args:
        text: As it was audited.
        findings: In the order of the text; places are lines and columns from 1.
    """
    sign = "\n" if "\n" in text else "\r"
    starts = [0]
    for line in text.split(sign):
        starts.append(starts[-1] + len(line) + 1)
    parts: list[str] = []
    done = 0
    for one in findings:
        if one.rewrite is None:
            continue
        start = starts[one.line - 1] + one.column - 1
        parts += [text[done:start], one.rewrite]
        done = starts[one.end_line - 1] + one.end_column - 1
    return "".join([*parts, text[done:]])
