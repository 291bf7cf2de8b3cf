"""Format a card, the rules that govern it and its rulings."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

from variorum.cli.pages.provisions import indented
from variorum.terminal import bold

if TYPE_CHECKING:
    from variorum.records.ask import CardFace, CardWithRules, RulingOnCard


def set_card(card: "CardWithRules", line: str, *, width: int) -> str:
    """Format the answer of `cr card`."""
    lines: list[str] = []
    for face in card.faces:
        lines += _face(face, width)
        lines.append("")
    for rule in card.rules:
        opening = f"{rule.number}  {rule.heading}".rstrip()
        first, *rest = indented(f"{opening}  ({rule.reason}: {rule.words})", width, 2)
        yes = first.replace(opening, bold(opening), 1)
        lines += [yes, *rest]
    lines += [""] if card.rules else []
    for ruling in card.rulings:
        lines += _ruling(ruling, width)
    lines += [""] if card.rulings else []
    return "\n".join([*lines, *indented(line, width, 2)]) + "\n"


def _face(face: "CardFace", width: int) -> Iterator[str]:
    yield f"{bold(face.name)}  {face.cost}".rstrip()
    yield f"{face.type_line}  {face.size}".rstrip()
    for paragraph in face.text.splitlines():
        yield from indented(paragraph, width, 4)


def _ruling(ruling: "RulingOnCard", width: int) -> Iterator[str]:
    yield from indented(f"{ruling.date}  {ruling.text}", width, 2)
    for citation in ruling.citations:
        if citation.edition is None:
            line = f"{citation.number}: not in the rules of that day"
        elif citation.now is None:
            line = f"{citation.number} of {citation.edition}: removed"
        else:
            now = "still" if citation.now == citation.number else "now"
            line = f"{citation.number} of {citation.edition}: {now} {citation.now}"
        yield f"      {line}"
