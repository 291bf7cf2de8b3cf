"""Excerpts of the sample rulebook, in the form of quotations on pages."""

from collections.abc import Sequence

from variorum_kb.answers.knowledge_base import KnowledgeBase


def excerpt(base: KnowledgeBase, edition: str, numbers: Sequence[str]) -> str:
    """Return provisions as an edition prints them."""
    lines: list[str] = []
    for number in numbers:
        (subject,) = base.show(number, edition)
        lines.append(f"{number}. {' '.join(filter(None, (subject.heading, subject.text)))}")
        lines += [f"Example: {example}" for example in subject.examples]
    return "\n\n".join(lines) + "\n"
