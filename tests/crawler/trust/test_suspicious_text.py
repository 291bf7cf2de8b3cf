"""What the words of a text say against it, of small editions."""

import pytest

from variorum_crawler.trust.suspicious_text import Signs
from variorum_kb.rows import State

WORDS = ("boat", "lamp", "keeper", "tide", "harbor", "gull", "salt", "bell")


def edition(bodies: list[str], kind: str) -> list[State]:
    """Return rules and entries, those of a kind with these bodies, the others with their own."""
    own = [f"A {word} is what the {word} of section one says it is." for word in WORDS]
    given = {"rule": own, "glossary": own, kind: bodies}
    rules = [
        State("rule", f"100.{place}", f"100.{place}", "", body, "", "", "")
        for place, body in enumerate(given["rule"], 1)
    ]
    entries = [
        State("glossary", "", word, word, f"{body} See rule 100.", "", "", "")
        for word, body in zip(WORDS, given["glossary"], strict=True)
    ]
    return [*rules, *entries]


@pytest.mark.parametrize(
    ("kind", "count", "reason"),
    [
        ("rule", 6, "6 rules have changed places with each other: 100.1 is now 100.2, 100.2 is"),
        ("rule", 4, ""),
        ("glossary", 6, ""),
    ],
)
def test_exchanged(kind: str, count: int, reason: str) -> None:
    """More than four rules that changed places with each other are suspicious, entries never."""
    sound = [f"A {word} is what the {word} of section one says it is." for word in WORDS]
    swapped = [*sound]
    for place in range(0, count, 2):
        swapped[place : place + 2] = reversed(swapped[place : place + 2])
    signs = Signs({"2020-01-01": edition(sound, kind)})

    against = signs.against("2021-01-01", edition(swapped, kind))

    assert against.startswith(reason)
    assert bool(against) is bool(reason)
