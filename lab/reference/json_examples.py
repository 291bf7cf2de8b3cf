"""The examples of docs/json.md: shortened output of commands on the sample rulebook.

A comment above each example names its command. `make reference` writes the example below it.
"""

import json
import re
import shlex
import tempfile
from contextlib import chdir
from pathlib import Path

from tests.support.command import run
from tests.test_transcripts import laid_out
from variorum.build.build import Builder

PAGE = Path("docs/json.md")

Json = dict[str, "Json"] | list["Json"] | str | float | bool | None

# The files that the commands read.
_FILES = {
    "rules.py": "# CR 511.2: nobody calls the toss.\n",
    "excerpt.txt": (
        "511.2. If a card cares only which side lands upward, the coin is tossed without a call, and"
        " nobody wins or loses the flip.\n"
    ),
}
_EXAMPLE = re.compile(
    r"(<!-- Made by `make reference`: cr ([^\n]+) -->\n)```json\n.*?```\n", re.DOTALL
)
# Longer words are cut. Lists show this many items; objects with many keys show one item.
_LONGEST = 36
_ITEMS = 2
_KEYS = 40


def write_examples(root: Path) -> None:
    """Write the examples of docs/json.md."""
    path = root / PAGE
    with tempfile.TemporaryDirectory() as name:
        for _ in Builder(Path(name), now="", jobs=1).build([Path("kb/variorum/sample")]):
            pass
        page = with_examples(path.read_text("utf-8"), Path(name))
    path.write_text(page, encoding="utf-8", newline="\n")


def with_examples(page: str, kb: Path) -> str:
    """Return docs/json.md with the examples for its comments, from a base of the sample rulebook."""

    def example(match: re.Match[str]) -> str:
        answer = json.loads(run([*shlex.split(match[2]), "--kb", str(kb)]).out)
        return f"{match[1]}```json\n{laid_out(json.dumps(shortened(answer))).rstrip()}\n```\n"

    with tempfile.TemporaryDirectory() as name, chdir(name):
        for file, words in _FILES.items():
            Path(file).write_text(words, "utf-8")
        return _EXAMPLE.sub(example, page)


def shortened(value: Json) -> Json:
    """Return a value with long words cut and only the first items of its lists.

    >>> shortened({"sha256": "0" * 64, "numbers": ["1", "2", "3"], "rows": [{"a": 1}, {"a": 2}]})
    {'sha256': '…', 'numbers': ['1', '2', '…'], 'rows': [{'a': 1}]}
    """
    if isinstance(value, str):
        return "…" if len(value) > _LONGEST else value
    if isinstance(value, dict):
        items = list(value.items())[: 1 if len(value) > _KEYS else None]
        return {key: shortened(item) for key, item in items}
    if isinstance(value, list):
        if value and isinstance(value[0], dict):
            return [shortened(value[0])]
        more: list[Json] = ["…"] if len(value) > _ITEMS and isinstance(value[0], str) else []
        return [*map(shortened, value[:_ITEMS]), *more]
    return value
