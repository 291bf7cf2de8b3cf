"""Alignment of small editions, with cases that words alone do not decide."""

from variorum.history.steps import Folder, Side, Step, align, links_between
from variorum.rows import GONE, MERGED, SPLIT, State

KIND = {1: "chapter", 3: "section"}


def edition(*lines: str) -> list[State]:
    """Return provisions; a line has a number and words, or "Term: words"."""
    states: list[State] = []
    above: list[tuple[str, str]] = []
    for line in lines:
        number, _, words = line.partition(" ")
        if number.endswith(":"):
            states.append(State("glossary", "", number[:-1], number[:-1], words, "", "", ""))
            continue
        kind = KIND.get(len(number), "subrule" if number[-1].isalpha() else "rule")
        order = ["chapter", "section", "rule", "subrule"]
        while above and order.index(above[-1][0]) >= order.index(kind):
            above.pop()
        parent = above[-1][1] if above else ""
        is_heading = kind in {"chapter", "section"} or words.istitle()
        heading, body = (words, "") if is_heading else ("", words)
        states.append(State(kind, number, number, heading, body, parent, "", ""))
        above.append((kind, number))
    return states


def went(old: list[State], new: list[State]) -> dict[str, list[str]]:
    """Return the heirs of each old provision, by addresses."""
    return {
        old[step.old].address: [new[place].address for place in step.new]
        for step in align(old, new)
        if step.old >= 0
    }


def step_of(address: str, old: list[State], new: list[State]) -> Step:
    """Return the step of an old provision."""
    return next(
        step for step in align(old, new) if step.old >= 0 and old[step.old].address == address
    )


FILLER = (
    "100 General Matters",
    "100.1 Every harbor keeper tends a lantern, a ledger and a pier of their own choosing.",
    "100.2 Ships that arrive at dusk anchor outside the breakwater until the bell has rung twice.",
)


LONG = "When the lamp is lit, its keeper chooses a color and pays for the oil that burns."
SECOND = "Whoever sees the signal from the sea must answer it before the next tide begins."


def test_split_and_merge() -> None:
    """A split is recognised by its parts, a merge by the place of its words."""
    whole = edition("1 Basics", *FILLER, "120 Lamps", f"120.1 {LONG} {SECOND}")
    parts = edition("1 Basics", *FILLER, "120 Lamps", f"120.1 {LONG}", f"120.2 {SECOND}")

    split = step_of("120.1", whole, parts)
    merged = step_of("120.2", parts, whole)

    assert [parts[place].address for place in split.new] == ["120.1", "120.2"]
    assert split.kinds & SPLIT
    assert merged.kinds == MERGED
    assert [whole[place].address for place in merged.new] == ["120.1"]


def test_gone_and_new() -> None:
    """An old provision unlike any new one is gone."""
    old = edition("1 Basics", *FILLER, f"100.3 {LONG}")
    new = edition("1 Basics", *FILLER, "100.3 Octopuses juggle seven silver anchors nightly below.")

    gone = step_of("100.3", old, new)

    assert gone.kinds == GONE
    assert gone.new == []


def test_an_entry_becomes_a_section() -> None:
    """A section that repeats a glossary entry is its heir."""
    entry = (
        "To flip a shell, a player tosses it and calls its colored side in the air. "
        "If the shell lands with that side up, the player wins the flip; otherwise they lose it."
    )
    first, second = entry.split(". ")
    old = edition("1 Basics", *FILLER, f"Shell: {entry}")
    new = edition("1 Basics", *FILLER, "105 Shells", f"105.1 {first}.", f"105.2 {second}")

    step = step_of("Shell", old, new)

    assert {new[place].address for place in step.new} >= {"105.1", "105.2"}


def test_a_renamed_entry() -> None:
    """The headword of an entry may change."""
    words = "What the harbor calls a ship whose owner has left it for three full turns in a row."
    old = edition("1 Basics", *FILLER, f"Derelict: {words}")
    new = edition("1 Basics", *FILLER, f"Hulk: {words}")

    assert went(old, new)["Derelict"] == ["Hulk"]


def citing(number: str) -> list[str]:
    """Return rules that cite a number."""
    keepers = enumerate(("first", "second", "third", "last"), start=1)
    return [f"160.{n} The {keeper} keeper follows rule {number}." for n, keeper in keepers]


CITED = "A keeper may do this only once each turn."
CITED_BEFORE = edition(
    *("1 Basics", *FILLER, "130 Lights", f"130.1 {CITED}", "140 Fires", f"140.1 {CITED}"),
    *("160 Citing", *citing("130.1")),
)
CITED_AFTER = edition(
    *("1 Basics", *FILLER, "150 Flames", f"150.1 {CITED}", f"150.2 {CITED}"),
    *("160 Citing", *citing("150.2")),
)


def test_citations_decide_between_equals() -> None:
    """Rules with the same words are distinguished by the rules that cite them."""
    result = went(CITED_BEFORE, CITED_AFTER)

    assert result["130.1"] == ["150.2"]
    assert result["140.1"] == ["150.1"]


def test_a_short_rule_reworded_in_its_place() -> None:
    """Between neighbours that did not move, a short rule keeps its number without keeping a word."""
    around = (f"100.3 {LONG}", f"100.5 {SECOND}")
    old = edition("1 Basics", *FILLER, around[0], "100.4 Gulls sleep.", around[1])
    new = edition("1 Basics", *FILLER, around[0], "100.4 Birds rest often.", around[1])

    assert went(old, new)["100.4"] == ["100.4"]


def test_evidence_and_equal_answers() -> None:
    """Every step has its reasons, and the same editions always give the same steps."""
    old = edition("1 Basics", *FILLER, f"100.3 {LONG}")
    new = edition("1 Basics", *FILLER, f"100.3 {SECOND}", f"100.4 {LONG}")

    folder = Folder()
    links = links_between(Side(old, folder), Side(new, folder), ("", ""), 1, {})

    assert all(why[2] and 0.0 <= link.confidence <= 1.0 for link, why in links)
    assert align(old, new) == align(old, new)
