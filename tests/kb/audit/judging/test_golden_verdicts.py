"""What audits say of citations of many forms in the sample rulebook, with and without a date."""

import json
import random
from collections.abc import Callable
from pathlib import Path

from variorum_kb.answers.knowledge_base import KnowledgeBase
from variorum_kb.audit.run import Auditor
from variorum_kb.audit.settings import Settings

# Each has the numbers and the words of two rules: those of `b` are often beside the number of `a`.
FORMS = """\
// CR {a}: {b_words}
// CR {a} / CR {b}: {a_words}
// {b_words}\\n// {a_few} (CR {a}), see CR {b}.
| CR {a} | {b_words} | {a_words} |
| {b_words} (CR {a}) | {a_few} |
/**\\n * CR {a}\\n * {b_words}\\n * {a_words}\\n */
x = 1;  // CR {a}: {b_few}\\n        // {b_words}\\nlet {a_few} = 2;
Per CR {a}-{b}, {a_words}
{b_name} and {a_name}: CR {a}, CR {b}. {b_few}
“{b_words}” (CR {a}); {a_few}
{b_name} (CR {a})\\n\\n# CR {a}: {a_few}
.push("{b_few} (CR {a})".to_string()); // {a_words}
- CR {a}\\n  {b_words}\\n- CR {b}\\n  {b_few}
# {b_words} CR {a}. {a_words}
CR {a} ({b_name}), CR {b} ({a_name})
// CR {a}: {b_name}; Keeper::{b_few}. {B_words}
CR {a} (of 2003-02): {b_words} CR {b}: {b_name}
rules {a}, {b} and 999.9: {b_words}""".splitlines()
DAYS = ("", "2003-02-10", "2008-06-20", "2025-05-30")
SHOWN = ("number", "last", "status", "heirs", "confidence", "since", "why", "sure", "rewrite")


def texts(base: KnowledgeBase, count: int) -> list[str]:
    """Return texts with citations: most pair the number of one rule with the words of another."""
    chance = random.Random(3)
    rules = [
        rule
        for edition in base.editions[::2]
        for rule in base.provisions(edition)
        if "." in rule.number and "#" not in rule.address and rule.text
    ]
    made: list[str] = []
    for place in range(count):
        a, b = chance.sample(rules, 2)
        if place % 3 == 0:  # a subrule's neighbour
            b = rules[(rules.index(a) + 1) % len(rules)]
        a_words, b_words = a.text.split(), b.text.split()
        start = chance.randrange(max(1, len(b_words) - 9))
        words = " ".join(b_words[start : start + 9])
        made.append(
            FORMS[place % len(FORMS)]
            .replace("\\n", "\n")
            .format(
                a=a.number,
                b=b.number,
                a_words=" ".join(a_words[:8]),
                b_words=words,
                B_words=words.capitalize(),
                a_few=" ".join(a_words[1:6:2]),
                b_few=" ".join(b_words[1:9:2]),
                a_name=a.heading or "Keeper",
                b_name=b.heading or "Escort",
            )
        )
    return made


def test_verdicts(base: KnowledgeBase, golden: Callable[[str, object], None]) -> None:
    """Statuses, heirs, chances and reasons are unchanged."""
    auditors = [Auditor(base, Settings(as_of=day, to="latest")) for day in DAYS]
    lines: list[str] = []
    for place, text in enumerate(texts(base, 20 * len(FORMS))):
        lines.append(repr(text))
        for auditor in (auditors[0], auditors[1 + place % 3]):
            report = auditor.audit_text(text, Path("a.rs"), with_current=True)
            for finding, *_ in report.findings:
                fields = dict[str, object](finding)
                shown = [fields[name] for name in SHOWN if fields[name] not in (None, "", [])]
                was = [(finding["was"] or "")[:12], (finding["now_means"] or "")[:12]]
                lines.append(f"  {json.dumps([*shown, *was, len(finding['meanings'])])}")

    golden("audit/verdicts.txt", "".join(f"{line}\n" for line in lines))
