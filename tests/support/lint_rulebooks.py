"""Small rulebooks of citations, and the findings in them."""

from pathlib import Path

from tests.support.edition_texts import CREDITS, HEAD, page
from tests.support.small_bases import DAYS, build
from variorum_kb.answers.knowledge_base import KnowledgeBase
from variorum_kb.answers.lint.finder import find_findings
from variorum_kb.answers.lint.finding import as_found
from variorum_kb.answers.lint.linter import lint_editions
from variorum_kb.build.outcomes import AlreadyKnown, Doubted, Taken
from variorum_kb.forms.lint import LintFindingJson, LintJson

# The texts by printed number: sections with headings, and rules.
Rules = dict[str, str]

TIDE = "A keeper who rows against the tide loses an oar (see rule 101.2)."
WICK = "A lamp with no wick stays dark until somebody trims it."
OARS = "Oars that were lost drift towards the harbour wall and stay there."
FERRY = "A boat without oars waits for the ferry master to tow it home."
BELLS = "Bells ring at dusk when fog has hidden every buoy of the bay."
RULES: Rules = {
    "100.": "General",
    "100.1.": "Two keepers play, each with a boat and a lamp of brass.",
    "100.2.": "The flag on the western pier shows whose turn begins.",
    "100.3.": TIDE,
    "101.": "Lamps",
    "101.1.": WICK,
    "101.2.": OARS,
    "101.3.": FERRY,
}
# A rule was inserted before the target of 100.3.
MOVED: Rules = RULES | {"101.1.": BELLS, "101.2.": WICK, "101.3.": OARS, "101.4.": FERRY}
GLOSSARY = "Boat\nWhat a keeper has.\n\n"


def rulebook(day: str, rules: Rules, glossary: str) -> bytes:
    """Return an edition of one chapter."""
    titles = [f"{number} {text}" for number, text in rules.items() if is_section(number)]
    head = HEAD.replace("100. General\n101. Lamps", "\n".join(titles)).replace(DAYS[0], day)
    message = "".join(f"{number} {text}\n\n" for number, text in rules.items())
    return page(
        head=head,
        rules=f"1. Game Concepts\n\n{message}",
        glossary=glossary,
        credits_=CREDITS.replace(DAYS[0], day),
    )


def is_section(number: str) -> bool:
    """Return whether a number with its period is a section's or a chapter's."""
    return number.count(".") == 1 and number.endswith(".")


def lint(folder: Path, *editions: Rules, glossary: str = GLOSSARY) -> list[LintJson]:
    """Build a base of editions in a folder; return the findings in each edition."""
    folder.mkdir(exist_ok=True)
    paths = [folder / f"{place}.txt" for place, _ in enumerate(editions)]
    for path, day, rules in zip(paths, DAYS, editions, strict=False):
        path.write_bytes(rulebook(day, rules, glossary))
    events = build(folder / "kb", paths)
    assert [
        event for event in events if not isinstance(event, Taken | Doubted | AlreadyKnown)
    ] == []
    with KnowledgeBase.open(folder / "kb") as base:
        return lint_editions(base, base.editions)


def find_anew(folder: Path) -> LintJson:
    """Return the findings of the latest edition, computed again instead of read from the base."""
    with KnowledgeBase.open(folder / "kb") as base:
        (known,) = lint_editions(base, ["latest"])
        *_, last = find_findings(base)
        return {**known, "findings": [as_found(finding, base.labels) for finding in last.findings]}


def without(number: str, rules: Rules) -> Rules:
    """Return rules without one of them."""
    return {key: text for key, text in rules.items() if key != number}


def under(section: str, rules: Rules) -> Rules:
    """Return rules with the numbers of another section."""
    return {f"{section}{number}": text for number, text in rules.items()}


def of(kind: str, answer: LintJson) -> list[LintFindingJson]:
    """Return the findings of a kind."""
    return [finding for finding in answer["findings"] if finding["kind"] == kind]
