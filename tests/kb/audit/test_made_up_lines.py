"""Invented lines with citations of every form, audited and rewritten."""

import random
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

from tests.kb.audit.audited import Cr, write
from variorum_kb.answers.knowledge_base import KnowledgeBase
from variorum_kb.rows import text_of

FORMS = """\
// CR {0}: {words}
// {words} (CR {0}, {1})
# rule {0} and {1}: {words}
See rules {0}, {1}, or {2}.
see rule {0}–{1}; {words}
CR {0}a-c, {words}
CR {0}(a)(b) {words}
[CR {0}](https://rules.example/{1}#{2}) {words}
| {0} | {words} | CR {1} |
*CR* {0} -> {1}
<rule>{0}</rule> {words}
rule_{0}_holds = "{words}"
assert cr({0}) < {1}  # {words}
CR {0}/{1}/c
CR {0}a/b {words}
Comprehensive Rules, {0} (“{words}”)
section {0}, and CR {1} to {2}
{0}. {words}
CR {0}, {0} and {1}, {words}
- **CR {0}**: {words} (formerly {1})
""".splitlines()
COUNT = 60
RUNS: tuple[list[str], ...] = (
    ["--as-of", "2008-06-20"],
    ["--as-of", "first", "--to", "2017-11-10", "--bare"],
    ["--bare"],
    [],
    ["--as-of", "2017-11-10"],
)


def made_up(chance: random.Random, numbers: Sequence[str], texts: Sequence[str]) -> str:
    """Return a line with citations and with words of a rule."""
    words = chance.choice(texts).split("\n")[0].split()
    some = words[: chance.randrange(4, 18)]
    return chance.choice(FORMS).format(*chance.sample(numbers, 3), words=" ".join(some))


@pytest.mark.parametrize("run", range(len(RUNS)))
def test_made_up_lines(
    base: KnowledgeBase, cr: Cr, golden: Callable[[str, object], None], run: int
) -> None:
    """Findings, messages and rewritten lines are unchanged."""
    states = [provision.state for day in base.editions for provision in base.provisions(day)]
    numbers = sorted({state.number for state in states if len(state.number) > 1})
    texts = sorted({text_of(state.body) for state in states if len(state.body) > 40})
    chance = random.Random(run)
    lines = [made_up(chance, numbers, texts) for _ in range(COUNT)]
    write({"a.txt": "".join(f"{line}\n" for line in lines)})

    told = cr(*RUNS[run], "a.txt").output
    fixed = cr(*RUNS[run], "--fix=all", "a.txt").stderr

    rewritten = Path("a.txt").read_text("utf-8").splitlines()
    changed = [
        f"- {old}\n+ {new}\n" for old, new in zip(lines, rewritten, strict=True) if old != new
    ]
    cited = "".join(f"{place}: {line}\n" for place, line in enumerate(lines, start=1))
    golden(f"audit/made-up-{run}.txt", "\n".join([cited, told, fixed, "".join(changed)]))
