"""The formats in which projects and sites print rules, with the sample rulebook."""

import json
from collections.abc import Callable, Mapping, Sequence

import pytest

from variorum_kb.answers.knowledge_base import KnowledgeBase
from variorum_kb.errors import LayoutError
from variorum_kb.reading.originals.pdf import mend_quotation_marks
from variorum_kb.reading.originals.pdfium import TextRun
from variorum_kb.sources.comparing.attestation_types import Attested
from variorum_kb.sources.reading.refused_documents import foreign_document
from variorum_kb.sources.recognise_kind import compare, read_partial

Rules = Mapping[str, str]
NUMBERS = ("705.1", "705.2", "600.4a", "800.4a", "800.4b")


def rules_of(base: KnowledgeBase, edition: str) -> dict[str, str]:
    """Return some rules of an edition."""
    rules = [
        provision
        for provision in base.provisions(edition)
        if provision.number in NUMBERS and provision.text
    ]
    return {rule.number: rule.text for rule in rules}


def attested(base: KnowledgeBase, text: str) -> Attested:
    """Return the attestations of a document."""
    return compare(base, read_partial(text.encode(), "page"), "page")


def _academy(rules: Rules) -> str:
    return json.dumps(
        {
            number: {
                "ruleNumber": number,
                "fragment": number.partition(".")[2],
                "ruleText": text,
                "examples": None,
                "navigation": {"previousRule": None, "nextRule": "101.2"},
            }
            for number, text in rules.items()
        }
    )


def _literal(rules: Rules) -> str:
    rows = [
        f"  {{ id: 'r', number: '{n}', officialText: {json.dumps(t)} }},\n"
        for n, t in rules.items()
    ]
    return f"// Some rules\nexport const rules: Rule[] = [\n{''.join(rows)}];\n"


def _explained(rules: Rules) -> str:
    rows = [
        f"  {{ number: '{n}', text: {json.dumps(t)}, example: 'You lend a friend the blue bucket.' }},"
        for n, t in rules.items()
    ]
    rows = ["interface Rule {", "  number: string;", "}", "const RULES = [", *rows, "];"]
    return "\n".join(rows)


def _program(rules: Rules) -> str:
    rows = [f"    # {n} {t}\n    if boat.is_wet:\n        dry(boat)" for n, t in rules.items()]
    return "import boats\n\ndef sail(boat):\n" + "\n".join(rows)


def _restructured(rules: Rules) -> str:
    rows = [f"{n}\n------\n\n{t}\n" for n, t in rules.items()]
    return ".. _coins:\n\n*****\nCoins\n*****\n\n" + "\n".join(rows)


FORMS: Mapping[str, tuple[str, Callable[[Rules], str]]] = {
    "Academy Ruins": ("export of rules", _academy),
    "a map": ("export of rules", lambda rules: json.dumps({"rules": dict(rules)})),
    "JSON lines": (
        "export of rules",
        lambda rules: "\n".join(json.dumps({"rule": n, "text": t}) for n, t in rules.items()),
    ),
    "a literal": ("export of rules", _literal),
    "examples of its own": ("export of rules", _explained),
    "comments of a program": ("excerpt", _program),
    "reStructuredText": ("excerpt", _restructured),
    "numbers alone": ("excerpt", lambda rules: "\n".join(f"{n}.\n{t}\n" for n, t in rules.items())),
    "numbers doubled": (
        "excerpt",
        lambda rules: "\n".join(f"{n}.{n}.\n{t}\n" for n, t in rules.items()),
    ),
    "numbers glued": ("excerpt", lambda rules: "\n".join(f"{n}{t}\n" for n, t in rules.items())),
    "marks of a page": (
        "excerpt",
        lambda rules: "\n".join(f"+ {n} {t} (See Rule 606)\n" for n, t in rules.items()),
    ),
    "Markdown by section": (
        "excerpt",
        lambda rules: (
            '---\ntitle: "Coins"\n---\n'
            + "".join(f'<a id="{n}"></a>\n- **{n}.** {t}\n' for n, t in rules.items())
        ),
    ),
}


@pytest.mark.parametrize("form", FORMS)
def test_common_forms(base: KnowledgeBase, form: str) -> None:
    """Rules are matched with their edition in any format."""
    rules = rules_of(base, "2025-05-30")
    layout, setting = FORMS[form]

    result = attested(base, setting(rules))

    assert (result.layout, result.matched, result.of) == (layout, len(rules), len(rules))
    assert {(passage.number, passage.verdict.value) for passage in result.passages} == {
        (number, "agrees") for number in rules
    }


def _changes(older: Rules, newer: Rules) -> Sequence[tuple[str, str, str]]:
    return [
        (text, older[text], newer[text])
        for text in older
        if newer.get(text, older[text]) != older[text]
    ]


def _differ(older: Rules, newer: Rules) -> str:
    names = {
        "old_full": "",
        "old_setcode": "2017-11-10",
        "new_full": "",
        "new_setcode": "2022-02-11",
    }
    rows = [
        {
            "old": {"ruleNum": n, "ruleText": f"old_start {a} old_end"},
            "new": {"ruleNum": n, "ruleText": b},
        }
        for n, a, b in _changes(older, newer)
    ]
    return json.dumps([{"names": names}, *rows])


def _page(older: Rules, newer: Rules) -> str:
    return "\n".join(f"{n}.\n{a}\n{n}.\n{b}" for n, a, b in _changes(older, newer))


@pytest.mark.parametrize("setting", [_differ, _page])
def test_changes(base: KnowledgeBase, setting: Callable[[Rules, Rules], str]) -> None:
    """On a page of changes, each reading is checked against its own edition."""
    older, newer = rules_of(base, "2017-11-10"), rules_of(base, "2022-02-11")
    changed = _changes(older, newer)

    result = attested(base, setting(older, newer))

    assert len(changed) > 1
    assert [passage.verdict.value for passage in result.passages] == ["agrees"] * 2 * len(changed)
    labels = [base.editions[passage.edition or 0].label for passage in result.passages]
    assert labels == ["2017-11-10", "2022-02-11"] * len(changed)


def test_translation(base: KnowledgeBase) -> None:
    """An edition's numbers with words of another language are reported as a translation."""
    numbers = [
        provision.number for provision in base.provisions("2025-05-30") if "." in provision.number
    ]
    text = "\n\n".join(f"{number} Ein Spieler wirft die Münze und gewinnt." for number in numbers)

    result = attested(base, text)

    assert result.layout == "translation"
    assert result.evidence[1].startswith("a translation of 2025-05-30? ")
    assert {passage.provision for passage in result.passages} == {None}


def test_other_games(base: KnowledgeBase) -> None:
    """Another game's rules are reported as such, even if one of them is also ours."""
    second = "Harbour Masters Complete Rulebook\n\n101.1. Boats sail where the wind of the day blows them to.\n\n"
    second += "101.2. Masters of a harbour count every barrel that lies upon their quays at dawn.\n"

    with pytest.raises(LayoutError, match="the rules of another game: Harbour Masters"):
        attested(base, second)
    assert foreign_document(["Magic Infraction Procedure Guide", "Effective May 5, 2023"])


def test_summary(base: KnowledgeBase) -> None:
    """A summary of rules in other words comes from no edition, even if a phrase matches one."""
    text = "# Coins in short\n\nOf the Comprehensive Rules, effective May 30, 2025.\n\n"
    text += "705.1. " + rules_of(base, "2025-05-30")["705.1"] + "\n\n"
    text += "".join(
        f"705.{number}. Boats with {number} masts that sail out at dusk come home at dawn.\n\n"
        for number in range(2, 5)
    )

    result = attested(base, text)

    assert (result.title, result.stated) == ("Coins in short", "May 30, 2025")
    assert (result.first, result.last, result.matched, result.of) == (None, None, 1, 4)


def test_stated_day(base: KnowledgeBase) -> None:
    """The stated day of a page is kept, and chooses among editions with all of its words."""
    rules = rules_of(base, "2010-01-22")
    text = "Coins\nUpdated 2011/05/28\n\n" + "\n\n".join(f"{n} {t}" for n, t in rules.items())

    result = attested(base, text)

    assert result.dated == "2011-05-28"
    assert {base.editions[passage.edition or 0].label for passage in result.passages} == {
        "2010-01-22"
    }


def test_broken_font_map() -> None:
    """Bars in place of quotation marks are reported as damage, and repaired."""
    runs = [[TextRun("calls ―heads‖ or ―tails,‖ and can‘t ―win‖", 0, 1, 2, 3)]]

    pages, mended = mend_quotation_marks(runs)

    assert (pages[0][0].text, mended) == ("calls “heads” or “tails,” and can’t “win”", 7)
    assert mend_quotation_marks(pages) == (pages, 0)
