"""Make the nine editions of the sample rulebook from its source.

Run ``python -m lab.sample.rulebook`` in the project's folder. It writes the editions, the result of
reading them (``expected.json``), and their lineage (``lineage.toml``).
"""

import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import pairwise
from pathlib import Path

from lab.sample.edition import Edition, Entry, Kind, Passage, Provision
from lab.sample.notation import (
    Block,
    NotationError,
    Place,
    Plan,
    Writer,
    parse_blocks,
    parse_plans,
    parse_terms,
)
from lab.sample.truth import Reading, Step, addresses, expect, trace
from lab.sample.typeset import Layout, Spelling, long_date, set_banners, set_plain, set_wrapped

HERE = Path(__file__).parent
EDITIONS = HERE.parents[1] / "kb" / "variorum_kb" / "sample"

_ASK_US = "Glossary", "Credits", "Ask Us"
_SERVICE = "Glossary", "Credits", "Reader Service"
_CURLY = Spelling(curly_quotes=True, curly_apostrophes=True)

LAYOUTS: Mapping[int, tuple[Callable[[Edition, Layout], bytes], Layout]] = {
    1999: (
        set_banners,
        Layout(
            encoding="mac_roman",
            line_end="\r",
            spelling=Spelling(curly_apostrophes=True, range_dash="-"),
            width=78,
            dated="current",
            back=("Glossary", "Index"),
        ),
    ),
    2003: (
        set_wrapped,
        Layout(
            encoding="cp1252",
            line_end="\r\n",
            spelling=Spelling(range_dash="-"),
            rule_indent=" " * 10,
            glossary_indent=" " * 5,
            dated="current",
            back=_ASK_US,
        ),
    ),
    2006: (
        set_plain,
        Layout(
            encoding="ascii",
            line_end="\n",
            spelling=Spelling(
                em_dash="--",
                en_dash="-",
                range_dash="-",
                registered="(r)",
                trademark="(tm)",
                copyright="(c)",
            ),
            rule_indent=" " * 10,
            glossary_indent=" " * 5,
            dated="current",
            back=_ASK_US,
        ),
    ),
    2008: (
        set_plain,
        Layout(
            encoding="ascii",
            line_end="\r\n",
            spelling=Spelling(
                em_dash="?",
                en_dash="?",
                range_dash="?",
                registered="(R)",
                trademark="(TM)",
                copyright="(c)",
            ),
            rule_indent=" " * 10,
            glossary_indent=" " * 5,
            dated="current",
            back=_ASK_US,
        ),
    ),
    2010: (
        set_plain,
        Layout(
            encoding="ascii",
            line_end="\r\n",
            spelling=Spelling(
                em_dash="--",
                en_dash="-",
                range_dash="-",
                registered="(R)",
                trademark="(TM)",
                copyright="(C)",
                italics=True,
            ),
            rule_indent=" " * 10,
            back=_SERVICE,
        ),
    ),
    2015: (
        set_plain,
        Layout(encoding="cp1252", line_end="\r\n", spelling=_CURLY, rule_indent=" " * 5),
    ),
    2017: (
        set_plain,
        Layout(encoding="utf-16", line_end="\r\n", spelling=_CURLY, rule_indent=" " * 5),
    ),
    2022: (
        set_plain,
        Layout(encoding="utf-8-sig", line_end="\r", landmark_end="\r\n", spelling=_CURLY),
    ),
    2025: (set_plain, Layout(encoding="utf-8-sig", line_end="\r\n", spelling=_CURLY)),
}
"""The layout of each edition, by its year."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Source:
    """The whole source: readings by label, words that change throughout, plans in order."""

    blocks: Mapping[str, Block]
    terms: Mapping[str, Mapping[int, str]]
    plans: tuple[Plan, ...]

    def writer(self, plan: Plan) -> Writer:
        """Return the writer of an edition's texts."""
        year = plan.effective.year
        return Writer(
            year=year,
            numbers={place.label: place.number for place in plan.places},
            headings={label: block.heading for label, block in self.blocks.items()},
            terms={
                name: words[max(first for first in words if first <= year)]
                for name, words in self.terms.items()
            },
        )

    def terms_of_glossary(self, writer: Writer) -> list[tuple[str, str]]:
        """Return the entries of an edition: term and label, in printed order."""
        return sorted(
            (
                (writer.write(block.heading), label)
                for label, block in self.blocks.items()
                if label.startswith("g.") and block.at(writer.year)
            ),
            key=lambda pair: pair[0].casefold(),
        )


def load_source(folder: Path) -> Source:
    """Load the source of the rulebook."""
    rules, glossary, outline = (
        (folder / f"{name}.txt").read_text("utf-8") for name in ("rules", "glossary", "outline")
    )
    return Source(
        blocks=parse_blocks(f"{rules}\n{glossary}"),
        terms=parse_terms(rules),
        plans=parse_plans(outline),
    )


# Editions ------------------------------------------------------------------------------------


def write_edition(source: Source, plan: Plan) -> Edition:
    """Write an edition."""
    writer = source.writer(plan)

    def lines(label: str) -> tuple[str, ...]:
        return writer.passage(source.blocks[label]).paragraphs

    edition = Edition(
        effective=plan.effective,
        title=lines("title")[0],
        provisions=tuple(_provision(source, plan, place, writer) for place in plan.places),
        glossary=tuple(
            Entry(term, writer.passage(source.blocks[label]))
            for term, label in source.terms_of_glossary(writer)
        ),
        introduction=lines("introduction"),
    )
    credit_blocks = tuple(
        tuple(line.replace("{date}", long_date(edition)) for line in block)
        for block in _blocks_of_lines(writer, source.blocks["credits"].at(writer.year))
    )
    if not (index := lines("index")):
        return replace(edition, credits=credit_blocks)
    return replace(
        edition,
        notices=lines("notices"),
        note=lines("note"),
        index=tuple("" if line == "-" else line for line in index),
        credits=credit_blocks,
    )


def _provision(source: Source, plan: Plan, place: Place, writer: Writer) -> Provision:
    block = source.blocks[place.label]
    passage = Passage()
    if place.kind in (Kind.RULE, Kind.SUBRULE):
        passage = replace(
            writer.passage(block),
            gap=place.label in plan.gaps,
            line_start=plan.line_starts.get(place.label, ""),
        )
    if not block.heading and not passage.paragraphs:
        raise NotationError(f"no words for {place.label} in {plan.effective}")
    return Provision(
        kind=place.kind,
        opening=place.opening,
        meant=place.number,
        heading=writer.write(block.heading),
        passage=passage,
        glued=place.glued,
        listed=place.kind in (Kind.CHAPTER, Kind.SECTION) and not place.is_blank,
    )


def _blocks_of_lines(writer: Writer, lines: tuple[str, ...]) -> Iterator[tuple[str, ...]]:
    block: list[str] = []
    for line in lines:
        if block and not line.startswith("/ "):
            yield tuple(block)
            block = []
        block.append(writer.write(line.removeprefix("/ ").removeprefix("+ ")))
    yield tuple(block)


# Lineage -------------------------------------------------------------------------------------


def readings(source: Source, plan: Plan, edition: Edition) -> dict[str, Reading]:
    """Return the readings of an edition by label, in printed order."""
    writer = source.writer(plan)
    labels = [place.label for place in plan.places]
    address_of = dict(zip(labels, addresses(edition.provisions), strict=True))
    address_of |= {label: f"glossary:{term}" for term, label in source.terms_of_glossary(writer)}
    address_of |= {
        label: label
        for label in ("introduction", "index", "credits")
        if source.blocks[label].at(writer.year)
    }
    slotted = replace(writer, is_slotted=True)
    return {
        label: Reading(
            address=f"{plan.effective}:{address}",
            printed=_words(source.blocks[label], writer),
            slotted=_words(source.blocks[label], slotted),
            unswept=_words(source.blocks[label], replace(slotted, terms=None)),
        )
        for label, address in address_of.items()
    }


def _words(block: Block, writer: Writer) -> str:
    passage = writer.passage(block)
    return "\n".join([writer.write(block.heading), *passage.paragraphs, *passage.examples])


def render_steps(old: Plan, new: Plan, steps: list[Step]) -> str:
    """Render the steps between two editions as TOML."""
    lines = ["[[between]]", f'old = "{old.effective}"', f'new = "{new.effective}"', "entries = ["]
    for step in steps:
        pairs: dict[str, object] = {
            "from": step.source,
            "to": list(step.heirs),
            "steps": list(step.steps),
            "change": step.change,
            "returns": step.returns,
        }
        inner = ", ".join(
            f"{name} = {json.dumps(value, ensure_ascii=False)}"
            for name, value in pairs.items()
            if value or name == "to"
        )
        lines.append(f"  {{ {inner} }},")
    return "\n".join([*lines, "]", ""])


def trace_all(source: Source) -> Iterator[str]:
    """Yield the steps from each edition to the next as TOML."""
    earlier: dict[str, str] = {}
    for old, new in pairwise(source.plans):
        before = readings(source, old, write_edition(source, old))
        after = readings(source, new, write_edition(source, new))
        steps = list(trace(before, after, new.relations, earlier))
        yield render_steps(old, new, steps)
        earlier |= {label: reading.address for label, reading in before.items()}


# Files ---------------------------------------------------------------------------------------


def build() -> None:
    """Write the editions, the results of reading them, and their lineage."""
    source = load_source(HERE / "source")
    expected = {}
    for plan in source.plans:
        edition = write_edition(source, plan)
        typeset, layout = LAYOUTS[plan.effective.year]
        data = typeset(edition, layout)
        name = f"{plan.effective}.txt"
        (EDITIONS / name).write_bytes(data)
        expected[name] = expect(edition, layout, data)
    text = json.dumps(expected, ensure_ascii=False, indent=1)
    (HERE / "expected.json").write_text(f"{text}\n", "utf-8")
    head = "# Made by rulebook.py; README.md says how to read it.\n\n"
    (HERE / "lineage.toml").write_text(head + "\n".join(trace_all(source)), "utf-8")


if __name__ == "__main__":
    build()
