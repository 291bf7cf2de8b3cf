"""Format the passages that answer a question."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

from variorum.cli.pages.provisions import indented
from variorum.terminal import bold
from variorum.text import shortened

if TYPE_CHECKING:
    from variorum.records.ask import Passages, Reason, RulePassage

_LONGEST = 320
_NO_CARDS = "no cards added; cr cards FILE adds cards, and their text also counts"


def set_passages(answer: "Passages", line: str, *, width: int) -> str:
    """Format the answer of `cr ask`."""
    lines: list[str] = []
    for card in answer.cards:
        if card.name != card.written:
            others = f" (or {', '.join(card.others)})" if card.others else ""
            lines += indented(f"{card.written}: {card.name}{others}", width)
    lines += [""] if lines else []
    for passage in answer.passages:
        lines += _passage(passage, width)
        lines.append("")
    lines += indented(line, width, 2)
    if not answer.has_cards:
        lines += indented(_NO_CARDS, width, 2)
    return "\n".join(lines) + "\n"


def _passage(passage: "RulePassage", width: int) -> Iterator[str]:
    opening = "  ".join([part for part in (passage.number, passage.heading) if part])
    first, *rest = indented("  ".join([opening, " › ".join(passage.path)]), width)
    yield bold(opening) + first[len(opening) :]
    yield from rest
    why = "; ".join([reason(evidence) for evidence in passage.why])
    yield from indented(f"why: {why}", width, 4)
    if passage.text and passage.text != passage.heading:
        yield from indented(shortened(passage.text, _LONGEST), width, 4)
    for subrule in passage.subrules:
        yield from indented(f"{subrule.number}  {shortened(subrule.text, _LONGEST)}", width, 4)


def reason(evidence: "Reason") -> str:
    """Return a reason in words."""
    words, card = ", ".join(evidence.words), evidence.card
    sentences = {
        "keyword": f"{card} has {words.lower()}",
        "action": f"{card} says {words.lower()}",
        "heading": f"the question says {words.lower()}",
        "words": f"words of the question: {words}",
        "printed": f"words of {card}: {words}",
        "ruling": f"a ruling on {card}: {words}",
        "learnt": f"judges often cite it in answers about: {words}"
        if words
        else "judges often cite it in answers to similar questions",
        "usual": "judges often cite it, whatever the question",
    }
    return sentences[evidence.kind]
