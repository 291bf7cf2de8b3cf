"""The dates of words that left a rule and came back, or came from another rule."""

from itertools import groupby
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import pytest

from tests.support.lint_rulebooks import GLOSSARY, RULES, Rules, rulebook
from tests.support.small_bases import DAYS, build
from variorum_kb.answers.between_editions.changes import SUBSTANTIVE
from variorum_kb.answers.knowledge_base import KnowledgeBase
from variorum_kb.answers.through_time.blame import Blame
from variorum_kb.history.lineages import Lineages, Link, LinkTable
from variorum_kb.rows import KEPT, State

FIRST, SECOND = "2020-06-05", "2021-07-06"
TIDE = "At spring tide every keeper doubles the ropes and counts the lanterns on the quay."
FLAG = RULES["100.2."]
LAMP = RULES["101.1."]
OARS = RULES["101.2."]


def dated(folder: Path, number: str, *editions: Rules) -> list[tuple[str, str]]:
    """Return the words of a rule of the last edition, each run with the edition that added it."""
    folder.mkdir(exist_ok=True)
    paths = [folder / f"{place}.txt" for place, _ in enumerate(editions)]
    for path, day, rules in zip(paths, DAYS, editions, strict=False):
        path.write_bytes(rulebook(day, rules, GLOSSARY))
    build(folder / "kb", paths)
    with KnowledgeBase.open(folder / "kb") as base:
        words = base.subject(number, "latest").blame()["words"]
    runs = groupby(words, key=lambda word: word["since"])
    return [(since, "".join([word["text"] for word in run]).strip()) for since, run in runs]


@pytest.mark.parametrize(
    ("number", "editions", "expected"),
    [
        # A sentence that was away for one edition has its first date.
        (
            "100.2",
            (RULES | {"100.2.": f"{FLAG} {TIDE}"}, RULES, RULES | {"100.2.": f"{FLAG} {TIDE}"}),
            [(FIRST, f"{FLAG} {TIDE}")],
        ),
        # A sentence that another section lost; one that the other section keeps is new.
        (
            "100.2",
            (RULES | {"101.1.": f"{LAMP} {TIDE}"}, RULES | {"100.2.": f"{FLAG} {TIDE}"}),
            [(FIRST, f"{FLAG} {TIDE}")],
        ),
        (
            "100.2",
            (
                RULES | {"101.1.": f"{LAMP} {TIDE}"},
                RULES | {"100.2.": f"{FLAG} {TIDE}", "101.1.": f"{LAMP} {TIDE}"},
            ),
            [(FIRST, FLAG), (SECOND, TIDE)],
        ),
        # A few words that another section lost may be there by chance.
        (
            "100.2",
            (
                RULES | {"101.1.": f"{LAMP} Keepers double ropes."},
                RULES | {"100.2.": f"{FLAG} Keepers double ropes."},
            ),
            [(FIRST, FLAG), (SECOND, "Keepers double ropes.")],
        ),
        # Both halves of a rule that was joined from two.
        (
            "101.1",
            (
                RULES,
                {key: text for key, text in RULES.items() if key not in {"101.2.", "101.3."}}
                | {"101.1.": f"{LAMP} {OARS}", "101.2.": RULES["101.3."]},
            ),
            [(FIRST, f"{LAMP} {OARS}")],
        ),
    ],
)
def test_moved_words(
    tmp_path: Path, number: str, editions: tuple[Rules, ...], expected: list[tuple[str, str]]
) -> None:
    """Words keep the date at which any rule of their past had them."""
    assert dated(tmp_path, number, *editions) == expected


def test_long_history() -> None:
    """Words are dated through any number of rewordings."""
    states = [State("rule", "1.1", "1.1", "", f"Tide {place}", "", "", "") for place in range(500)]
    links = [
        Link(new, new - 1, new - 1, new, 0, KEPT, SUBSTANTIVE, 1.0, 0) for new in range(1, 500)
    ]
    base = SimpleNamespace(
        lineages=Lineages(LinkTable(links), len(links)),
        states=states,
        labels=[*map(str, range(500))],
        reader=None,
    )
    row = states[-1].with_id(499)
    subject = SimpleNamespace(state=row, edition=SimpleNamespace(place=499, label="", doubts=()))

    words = Blame(cast("Any", base)).blame(cast("Any", subject), is_alone=True)["words"]

    assert [word["since"] for word in words] == ["0", "499"]
