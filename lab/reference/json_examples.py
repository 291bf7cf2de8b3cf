"""The examples of docs/json.md: shortened output of commands on the sample rulebook.

A comment above each example names its command. `make reference` writes the example below it.
"""

import json
import re
import shlex
import tempfile
from contextlib import chdir
from pathlib import Path

from click.testing import CliRunner

from variorum.build.build import Builder
from variorum.cli.main import main

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
_WIDTH = 120
# Longer words are cut. Lists show this many items; objects with many keys show one item.
_LONGEST = 36
_ITEMS = 2
_KEYS = 40


def write_examples(root: Path) -> None:
    """Write the examples of docs/json.md."""
    path = root / PAGE
    with tempfile.TemporaryDirectory() as name:
        for _ in Builder(Path(name), now="", jobs=1).build_sample():
            pass
        page = with_examples(path.read_text("utf-8"), Path(name))
    path.write_text(page, encoding="utf-8", newline="\n")


def with_examples(page: str, kb: Path) -> str:
    """Return docs/json.md with the examples for its comments.

    Args:
        page: The present page.
        kb: The knowledge base of the sample rulebook.
    """

    def example(match: re.Match[str]) -> str:
        result = CliRunner().invoke(main, shlex.split(match[2]), env={"VARIORUM_KB": str(kb)})
        return f"{match[1]}```json\n{text_of(shortened(json.loads(result.stdout)))}\n```\n"

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


def text_of(value: Json, indent: int = 0, before: int = 0) -> str:
    """Return JSON in lines of at most 120 characters, as many items on a line as fit.

    Args:
        value: The value, without long words.
        indent: The indent of its first and last lines.
        before: How many characters precede it on its first line.
    """
    line = json.dumps(value, ensure_ascii=False)
    if indent + before + len(line) < _WIDTH or not isinstance(value, dict | list):
        return line
    if isinstance(value, dict):
        heads = [f"{json.dumps(key)}: " for key in value]
        items = list(value.values())
    else:
        heads, items = [""] * len(value), value
    lines = [""]
    for head, item in zip(heads, items, strict=True):
        text = f"{head}{text_of(item, indent + 2, len(head))},"
        joined = f"{lines[-1]} {text}".lstrip()
        if "\n" in joined or indent + 2 + len(joined) > _WIDTH:
            lines.append(text)
        else:
            lines[-1] = joined
    space = " " * (indent + 2)
    body = "\n".join(f"{space}{line}" for line in lines if line).removesuffix(",")
    return f"{line[0]}\n{body}\n{' ' * indent}{line[-1]}"
