"""The provisions and editions that questions, designators and quotations name."""

import random
from collections.abc import Callable, Iterator
from functools import partial

import pytest

from variorum_kb.answers.knowledge_base import KnowledgeBase
from variorum_kb.answers.quotations.quotation_matching import Quoted
from variorum_kb.answers.quotations.quotation_search import Identifier
from variorum_kb.errors import VariorumError
from variorum_kb.rows import State, split_body

QUESTIONS = """\
705.1
511.2
600.4b
999
999.9
104.9
104.3x
704.5a.
704.5ac
119.1z
702.11
702.11#2
702.11a#1
702.11#3
306.b
409.1c
704.5a-c
704.5c-a
704.5h-704.5k
702.5a-702.6c
700-702
808.2-900.1
511.1-511.3
705.1-999.9
704-705.1
705.1-705
509.3
702.3c
10
7
7.1
flip a coin
Flip a Coin
=505.5
coin
boats
boat
buoyy
fizzle
ap
drift
leaking
the open sea
legal barring
hoisting step
glossary: lamp
705.1 in 2010-01-22
511.2 on 2008-06-20
409.3 (2008-06-20)
2008-06-20 300
705 M10
705.1 as of 1990
705.1 of 2010; 511.2 of 2008
705.1 of first; 511.2 of 2008, and 600
511.2 of june 20, 2008, 511.3
505.1 of jan 22, 2010; 505.2
""".splitlines()
DESIGNATORS = """\
first
latest
current
2008
2008-06
2008-06-20
2008-06-21
2008-06-20.1
2008-06-20.2
1998
1999-05-13
2031
june 2008
20 June 2008
June 20, 2008
June 20
m10
Magic 2010
zen
nosuch
first..latest
2008-02-30
""".splitlines()
SLIPS: tuple[Callable[[Quoted], Quoted], ...] = (
    lambda quoted: quoted,
    lambda quoted: quoted._replace(number=""),
    lambda quoted: quoted._replace(number="", heading="", is_loose=True),
    lambda quoted: quoted._replace(number="705.9"),
    lambda quoted: quoted._replace(text=quoted.text.replace(" a ", " one "), is_last=True),
    lambda quoted: quoted._replace(text=quoted.text[: len(quoted.text) // 2], is_cut_after=True),
    lambda quoted: quoted._replace(text=quoted.text[len(quoted.text) // 3 :], is_cut_before=True),
    lambda quoted: quoted._replace(number="", text=quoted.text[10:-10], is_loose=True),
    lambda quoted: quoted._replace(examples=(), is_last=True),
    lambda quoted: quoted._replace(examples=(*quoted.examples, "A boat drifts ashore.")),
    lambda quoted: quoted._replace(text=quoted.text.upper(), is_entry=True),
    lambda quoted: quoted._replace(heading=quoted.heading or "Boat", number="", is_entry=True),
)


def told(ask: Callable[[], object]) -> str:
    """Return an answer, or the message of its error."""
    try:
        return str(ask())
    except VariorumError as error:
        return f"{type(error).__name__}: {error}"


def names(base: KnowledgeBase, question: str, on: str | None) -> list[str]:
    """Return the provisions that a question names."""
    return [match.name for match in base.show(question, on)]


def label(base: KnowledgeBase, word: str) -> str:
    """Return the edition that a designator names."""
    return base.edition(word).label


def labels_with(base: KnowledgeBase, part: str) -> list[str]:
    """Return the editions that have some words in their label or set."""
    return [edition.label for edition in base.editions_named(part)]


@pytest.mark.parametrize("on", [None, "2008-06-20", "2022-02-11"])
def test_asked(base: KnowledgeBase, golden: Callable[[str, object], None], on: str | None) -> None:
    """The provisions or the error of each question are unchanged."""
    golden(
        f"answers/asked-{on}.txt",
        "".join(
            f"{question}: {told(partial(names, base, question, on))}\n"
            f"    alone: {told(partial(base.subject, question, on))}\n"
            for question in QUESTIONS
        ),
    )


def test_designators(base: KnowledgeBase, golden: Callable[[str, object], None]) -> None:
    """The edition or the error of each designator is unchanged."""
    golden(
        "answers/designators.txt",
        "".join(
            f"{word}: {told(partial(label, base, word))}\n"
            f"    part of {told(partial(labels_with, base, word))}\n"
            for word in DESIGNATORS
        ),
    )


def quotations(states: list[State]) -> Iterator[Quoted]:
    """Yield quotations of provisions, some with changed words."""
    chance = random.Random(4)
    for place in range(120):
        state = chance.choice(states)
        texts = [text for marker, text in split_body(state.body) if not marker]
        examples = [text for marker, text in split_body(state.body) if marker]
        whole = Quoted(state.number, state.heading, "\n".join(texts), tuple(examples))
        yield SLIPS[place % len(SLIPS)](whole)


def test_quotations(base: KnowledgeBase, golden: Callable[[str, object], None]) -> None:
    """The provisions found for quotations, or nearest to them, are unchanged."""
    finder = Identifier(base.reader)
    states = [provision.state for day in base.editions for provision in base.provisions(day)]
    quoted = list(quotations([state for state in states if state.body]))
    lines: list[str] = []
    for found, alone, part in zip(
        finder.find(quoted),
        finder.find([each._replace(examples=()) for each in quoted]),
        finder.holding([each.text for each in quoted]),
        strict=True,
    ):
        near = [
            f"{finder.state(each.state).address} {each.likeness:.3f} {finder.editions(each.state):b}"
            for each in finder.nearest_anywhere(found.quoted)[:3]
        ]
        inside = finder.nearest(found.quoted, 6)
        lines += [
            f"{found.quoted.number} {found.quoted.heading} {found.quoted.text[:40]!r}\n",
            f"    {found.states} {found.editions:b}, {alone.states} {part.states}",
            f" {finder.is_like_entry(found.quoted)} {near} {inside and round(inside.likeness, 3)}\n",
        ]
    lines.append(f"compared {finder.compared}, left out {sorted(finder.left_out)}\n")

    golden("answers/quotations.txt", "".join(lines))
