"""The correct result of reading a typeset edition, and the true lineages.

Both are derived from the source, not from the typeset text.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from lab.sample.edition import Edition, Kind, Passage, Provision
from lab.sample.notation import Relation
from lab.sample.typeset import Layout

_RULES = Kind.RULE, Kind.SUBRULE


# What a reader finds -------------------------------------------------------------------------


def addresses(provisions: Iterable[Provision]) -> list[str]:
    """Return the numbers as printed, with a suffix if printed twice: 702.11#1, 702.11#2."""
    numbers = [provision.number for provision in provisions]
    totals, so_far = Counter(numbers), Counter[str]()
    unique: list[str] = []
    for number in numbers:
        so_far[number] += 1
        unique.append(f"{number}#{so_far[number]}" if totals[number] > 1 else number)
    return unique


def expect(edition: Edition, layout: Layout, data: bytes) -> dict[str, object]:
    """Return the correct result of reading an edition, as JSON."""
    provisions = list(zip(addresses(edition.provisions), edition.provisions, strict=True))
    passages = [
        *(provision.passage for provision in edition.provisions),
        *(entry.passage for entry in edition.glossary),
    ]
    kinds = Counter(provision.kind for provision in edition.provisions)
    spell = layout.spelling.spell
    return {
        "effective": edition.effective.isoformat(),
        "encoding": layout.encoding,
        "line_ends": _line_ends(data.decode(layout.encoding)),
        "sections": kinds[Kind.SECTION],
        "rules": sum(kinds[kind] for kind in _RULES),
        "examples": sum(len(passage.examples) for passage in passages),
        "misprints": [
            [address, provision.meant]
            for address, provision in provisions
            if provision.number != provision.meant
        ],
        "odd_openings": [
            [address, provision.opening]
            for address, provision in provisions
            if provision.glued or provision.opening != usual_opening(provision)
        ],
        "head": [*map(spell, (edition.title, *edition.notices))],
        "introduction": [*map(spell, (*edition.note, *edition.introduction))],
        "provisions": [
            [
                address,
                provision.kind.value,
                spell(provision.heading),
                *_text_and_examples(provision.passage, layout),
            ]
            for address, provision in provisions
        ],
        "glossary": [
            [spell(entry.term), *_text_and_examples(entry.passage, layout)]
            for entry in edition.glossary
        ],
        "index": [spell(line).strip() for line in edition.index if line],
        "credits": [spell(line) for block in edition.credits for line in block],
    }


def usual_opening(provision: Provision) -> str:
    """Return the usual form of a printed number: with a final dot, except for a subrule."""
    return provision.number + ("" if provision.kind is Kind.SUBRULE else ".")


def _text_and_examples(passage: Passage, layout: Layout) -> list[object]:
    spell = layout.spelling.spell
    return ["\n".join(map(spell, passage.paragraphs)), [*map(spell, passage.examples)]]


def _line_ends(text: str) -> dict[str, int]:
    both = text.count("\r\n")
    return {"crlf": both, "cr": text.count("\r") - both, "lf": text.count("\n") - both}


# Lineages ------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class Reading:
    """A provision's words in one edition, for comparison with another edition.

    Attributes:
        address: With the edition's date: ``2006-03-01:501.2#1``.
        printed: The words as printed, apart from the layout's spelling.
        slotted: The words with a slot for each citation.
        unswept: The same, also with a slot for each word that changes throughout.
    """

    address: str
    printed: str
    slotted: str
    unswept: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """How a provision came from one edition to the next.

    Attributes:
        source: The old address; empty if the provision is new.
        heirs: The new addresses.
        change: The change of words: ``citation``, ``sweep``, ``words`` or nothing.
        returns: The last address of a removed provision that returns.
    """

    source: str
    heirs: tuple[str, ...]
    steps: tuple[str, ...]
    change: str = ""
    returns: str = ""


def trace(
    old: Mapping[str, Reading],
    new: Mapping[str, Reading],
    relations: Iterable[Relation],
    earlier: Mapping[str, str],
) -> Iterator[Step]:
    """Yield the steps from one edition to the next.

    Args:
        old: The readings of the older edition by label, in printed order.
        new: The readings of the newer edition.
        relations: Splits, merges and copies.
        earlier: The last addresses of provisions removed before the old edition, by label.
    """
    related = {label: relation for relation in relations for label in relation.old}
    born = {label for relation in related.values() for label in relation.new} - set(old)
    for label, reading in old.items():
        if relation := related.get(label):
            yield _related(reading, new.get(label), relation, new)
        elif heir := new.get(label):
            steps = _steps(reading, heir)
            change = _change(reading, heir)
            yield Step(source=reading.address, heirs=(heir.address,), steps=steps, change=change)
        else:
            yield Step(source=reading.address, heirs=(), steps=("gone",))
    for label, reading in new.items():
        if label not in old and label not in born:
            returns = earlier.get(label, "")
            yield Step(source="", heirs=(reading.address,), steps=("new",), returns=returns)


def _related(
    reading: Reading, itself: Reading | None, relation: Relation, new: Mapping[str, Reading]
) -> Step:
    heirs = [new[label] for label in relation.new]
    steps: tuple[str, ...] = ()
    if itself is not None:
        heirs = [itself, *(heir for heir in heirs if heir is not itself)]
        steps = _steps(reading, itself)
    return Step(
        source=reading.address,
        heirs=tuple(heir.address for heir in heirs),
        steps=(*steps, relation.word),
        change=_change(reading, itself) if itself else "words",
    )


def _steps(old: Reading, new: Reading) -> tuple[str, ...]:
    steps: list[str] = []
    if _number(old) != _number(new):
        steps.append("renumbered")
    if old.slotted != new.slotted:
        steps.append("reworded")
    return tuple(steps) or ("kept",)


def _number(reading: Reading) -> str:
    """Return the number as printed; a number that is printed twice is still the same number."""
    return reading.address.partition(":")[2].partition("#")[0]


def _change(old: Reading, new: Reading) -> str:
    if old.printed == new.printed:
        return ""
    if old.slotted == new.slotted:
        return "citation"
    return "sweep" if old.unswept == new.unswept else "words"
