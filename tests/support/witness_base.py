"""A base of the sample rulebook with other witnesses, one of most kinds."""

import textwrap
from collections.abc import Sequence
from pathlib import Path

from tests.support.original_files import docx, paragraph, sample_lines
from tests.support.small_bases import NOW, write
from variorum_kb.answers.knowledge_base import KnowledgeBase
from variorum_kb.build.build import Builder
from variorum_kb.build.outcomes import Event

# The announcements for the step from 2015-04-17 to 2017-11-10; some are false.
BULLETIN = """\
Harbour Rules Changes

Posted on November 3, 2017. By Ada Lantern

**705.1**
This rule was reworded. <script>alert("Nobody else")</script> was never a player.

**103.5**
This rule was clarified.

**702.3**
This rule was deleted. Nobody drifts any more. Subsequent rules in this section were renumbered.

**100.2**
This is a new rule.

**901.2**
This rule was deleted.

**777.7**
This rule was deleted.
"""

ARTICLE = """\
Questions From the Harbor

By Otto Quill

Posted May 3, 2018

I am asked about coins again and again, and you are not alone: what does rule 705.1 want from you
when a coin is flipped, and who calls which side while it is in the air? One of us tosses it.

I would also like to tell you about my aunt's bread, which has raisins in it, and you should try it.
"""


def excerpt(base: KnowledgeBase, edition: str, numbers: Sequence[str]) -> bytes:
    """Return provisions of an edition as a quotation."""
    parts: list[str] = []
    for number in numbers:
        (match,) = base.show(number, edition)
        heading = f"{match.heading}\n\n" if match.heading else ""
        examples = "".join([f"\n\nExample: {example}" for example in match.examples])
        parts.append(f"{number}. {heading}{match.text}{examples}".strip())
    return "\n\n".join(parts).encode()


def rulings_page(base: KnowledgeBase, edition: str, claims: dict[str, str]) -> bytes:
    """Return provisions of an edition as a rulings page, each with a claimed day."""
    lines = ["This search based on the March 17, 2012 release of the Rulings.", ""]
    for number, day in claims.items():
        (match,) = base.show(number, edition)
        text = f"  {number} - {match.text or match.heading} [CompRules {day}]"
        plain = text.translate(str.maketrans("“”’", '""\''))
        lines.append(textwrap.fill(plain, 78, subsequent_indent="    ", break_on_hyphens=False))
    return "\n".join(lines).encode()


def altered(text: bytes) -> bytes:
    """Return an excerpt with a changed word."""
    return text.replace(b"lands upward", b"falls upward", 1)


def hear(folder: Path) -> list[Event]:
    """Build a base of the sample rulebook and of other witnesses; return the events."""
    builder = Builder(folder / "kb", NOW, 1)
    list(builder.build_sample())
    with KnowledgeBase.open(folder / "kb") as base:
        coins = excerpt(base, "2010-01-22", ["705", "705.1", "705.2", "705.3"])
        claims = {"705.1": "2010/01/22", "705.2": "2006/03/01", "705.3": "2008/06/20"}
        documents = {
            "excerpt.txt": coins,
            "altered.txt": altered(coins),
            "rulings.txt": rulings_page(base, "2010-01-22", claims),
            "bulletin.md": BULLETIN.encode(),
            "article.txt": ARTICLE.encode(),
            "newest.docx": docx("".join([paragraph(line) for line in sample_lines()])),
        }
    return list(builder.build(write(folder / "in", documents)))
