"""Reads exports of rules in JSON, or as a literal in a program, as shown lines.

The keys of an object tell what it is: a number with words, a term with a definition, or `old` and
`new` readings of a rule. Academy Ruins, Venser's Journal and small projects use different keys.
"""

import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from variorum_kb.errors import LayoutError
from variorum_kb.reading.ledger import without_blanks
from variorum_kb.reading.unwrap import EXAMPLE
from variorum_kb.rule_numbers import CHAPTER, PRINTED, SECTION
from variorum_kb.sources.reading.markup.shown_lines import Line, MarkedProvision, ShownText
from variorum_kb.sources.reading.passages.passages import LineRole, Markup, PassageKind
from variorum_kb.text.days import find_day
from variorum_kb.text.words import set_of

_BEGINS = re.compile(
    r"\s*(?:(?://|#|import\s)[^\n]*\s+|/\*.*?\*/\s*|\"\"\".*?\"\"\"\s*"
    r"|(?:export\s+)?(?:interface|type)\s+\w+[\s=]*\{[^{}]*\}[\s;]*)*"
    r"(?:(?:export\s+)?(?:default\s+|(?:const|let|var)\s+)?[\w.]*(?:\s*:[^=\n]{1,80})?\s*=\s*)?"
    r"[\[{]\s*(?:[\[{]\s*)*(?:\"|'|\w+\s*:|//|#)",
    re.DOTALL,
)
_TOKEN = re.compile(
    r"(?P<remark>//[^\n]*|/\*.*?\*/|\#[^\n]*)"
    r"|\"(?P<double>(?:[^\"\\]++|\\.)*+)\"|'(?P<single>(?:[^'\\]++|\\.)*+)'"
    r"|(?P<sign>[\[\]{}:])|,|(?P<word>[^\s\[\]{},:\"'/#]++|[/#\"'])",
    re.DOTALL,
)
_NUMBER = re.compile(rf"(?:CR |[Rr]ule )?(?P<number>{PRINTED}|{SECTION}|{CHAPTER})\.?")


def _in_order(keys: str) -> list[str]:
    return keys.split()


_NUMBER_KEYS = _in_order("rulenumber rulenum number num rule ruleid id section subsection code")
_WORDS_KEYS = _in_order(
    "ruletext text content body officialtext fulltext rulestext contents description value rule "
    "title name heading"
)
_HEADING_KEYS = _in_order("heading title name text content ruletext")
_TERM_KEYS = _in_order("term headword word keyword name title")
_DEFINITION_KEYS = _in_order("definition description text content body meaning")
_DAY_KEYS = set_of(
    "effective effectivedate effectiveas asof date version edition release releasedate updated"
)
_TITLE_KEYS = set_of("title source")
# Marks that both sites put around added and removed words.
_MARK = re.compile(r"\s*\b(?:old|new)_(?:start|end)\b")
_SET_KEYS = {
    "old": (("oldfull", "sourceset"), ("oldsetcode", "sourcecode")),
    "new": (("newfull", "destset"), ("newsetcode", "destcode")),
}
_DEEPEST = 60
# The most objects searched for an export's metadata.
_MOST_HEADS = 12


@dataclass(slots=True)
class _Value:
    """A value of an export, with its key.

    Attributes:
        key: The key, as printed; "" in a list.
        line: The number of its first line, from 1.
        text: The text of a string, number or word.
        items: The values in an object or list; None for any other value.
    """

    key: str
    line: int
    text: str = ""
    items: "list[_Value] | None" = None

    def leaf(self, names: Sequence[str]) -> "_Value | None":
        """Return the first plain value with one of some keys, in the order of the keys."""
        here = {_plain_key(item.key): item for item in reversed(self.items or ()) if item.key}
        leaves = (here[name] for name in names if name in here)
        return next((leaf for leaf in leaves if leaf.items is None or _strings(leaf)), None)


@dataclass(slots=True)
class _Lines:
    """Collects the shown lines of an export."""

    lines: list[Line] = field(default_factory=list[Line])
    place: int = 0

    def put(
        self, value: _Value, kind: PassageKind, first: str, rest: Sequence[str], words: str = ""
    ) -> None:
        """Add a provision; `words` names its edition."""
        self.place += 1
        number = first.partition(" ")[0] if kind is not PassageKind.GLOSSARY else ""
        part = MarkedProvision(self.place, kind, number, words)
        tag = "h3" if kind is PassageKind.HEADING else ""
        for text in (first, *rest):
            shown = " ".join(text.split())
            if shown:
                self.lines.append(
                    Line(shown, value.line, value.line, after_blank=True, tag=tag, part=part)
                )

    def say(self, value: _Value, role: LineRole, text: str) -> None:
        """Add a line of metadata."""
        self.lines.append(Line(text, value.line, value.line, after_blank=True, role=role))


def is_export(text: str) -> bool:
    """Say whether a text begins like JSON or a literal in a program."""
    return _BEGINS.match(text[:4000]) is not None


def read_export(text: str, file: str) -> ShownText | None:
    """Read an export of rules; None if it has no rule or definition.

    Raises:
        LayoutError: The export is nested too deep.
    """
    root = _parse(text, file)
    shown_lines = _Lines()
    _put_all(root, shown_lines)
    parts = {line.part.place for line in shown_lines.lines if line.part is not None}
    if not parts:
        return None
    title = next((head.text for head in _heads(root) if _plain_key(head.key) in _TITLE_KEYS), "")
    title = "" if title.endswith(";") else title  # the type of a field
    title = title or next(
        (leaf.text for leaf in _outermost(root) if _plain_key(leaf.key) == "name"), ""
    )
    shown = sum(len(without_blanks(line.text)) for line in shown_lines.lines)
    return ShownText(
        markup=Markup.JSON,
        lines=tuple(shown_lines.lines),
        count=text.count("\n") + 1,
        hidden=max(0, len(without_blanks(text)) - shown),
        title=title,
    )


def _parse(text: str, file: str) -> _Value:
    """Return the values of a text as a tree; several values at the top are JSON lines."""
    root = _Value("", 1, items=[])
    open_ = [root]
    key, line, last, is_key = "", 1, 0, False
    for match in _TOKEN.finditer(text):
        line += text.count("\n", last, match.start())
        last = match.start()
        sign = match["sign"]
        holder = open_[-1].items
        if sign == ":":
            pending = holder.pop() if holder and not is_key else None
            key = pending.text if pending is not None else ""
            is_key = True
            continue
        if match["remark"] or holder is None:
            continue
        if sign in {"]", "}"}:
            if len(open_) > 1:
                open_.pop()
        elif sign:
            value = _Value(key, line, items=[])
            holder.append(value)
            open_.append(value)
            if len(open_) > _DEEPEST:
                raise LayoutError(f"nested more than {_DEEPEST} deep", file, line)
        elif match[0] != ",":
            holder.append(_Value(key, line, _string(match)))
        key, is_key = "", False
    return root


def _string(match: re.Match[str]) -> str:
    """Return the value of a string literal."""
    if match["word"] is not None:
        return "" if match["word"] in {"null", "None", "undefined", "true", "false"} else match[0]
    text: str = match["double"] if match["double"] is not None else match["single"]
    if "\\" not in text:
        return text
    try:
        quoted = text.replace("\\'", "'").replace('"', '\\"') if match["double"] is None else text
        return str(json.loads(f'"{quoted}"', strict=False))
    except ValueError:
        return text


def _strings(value: _Value) -> list[str]:
    """Return the strings of a list of strings; none for other values."""
    items = value.items or []
    return [item.text for item in items] if all(item.items is None for item in items) else []


def _texts(value: _Value | None) -> list[str]:
    """Return the paragraphs of a value: a string, or a list of strings."""
    if value is None:
        return []
    texts = _strings(value) if value.items is not None else [value.text]
    lines = [line for text in texts for line in _MARK.sub("", text).split("\n")]
    return [line.strip() for line in lines if any(map(str.isalpha, line)) and not _number(line)]


def _plain_key(key: str) -> str:
    return "".join([sign for sign in key.casefold() if sign.isalnum()])


def _number(text: str) -> str:
    match = _NUMBER.fullmatch(text.strip())
    return match["number"] if match else ""


def _heads(root: _Value) -> Iterator[_Value]:
    """Yield the metadata of an export: values of its first objects without a number."""
    waiting = [root]
    for _ in range(_MOST_HEADS):
        if not waiting:
            return
        value = waiting.pop(0)
        if not _number_of(value):
            yield from [item for item in value.items or () if item.key and item.items is None]
        below = [item for item in value.items or () if item.items is not None]
        waiting += below[:_MOST_HEADS]


def _outermost(root: _Value) -> Iterator[_Value]:
    """Yield the values of the outermost objects; deeper values belong to provisions."""
    for item in root.items or ():
        yield from [leaf for leaf in item.items or () if leaf.key and leaf.items is None]


def _put_all(root: _Value, lines: _Lines) -> None:
    """Collect all provisions of an export, in printed order."""
    heads = list(_heads(root))
    names = {side: _set_name(heads, *keys) for side, keys in _SET_KEYS.items()}

    for head in heads:
        day = find_day(head.text) if _plain_key(head.key) in _DAY_KEYS else None
        if day is not None and not any(names.values()):
            lines.say(head, LineRole.STAMP, head.text)
    waiting = [(root, "", False)]
    while waiting:
        value, words, in_glossary = waiting.pop()
        in_glossary = in_glossary or "glossary" in _plain_key(value.key)
        side = value.key if value.key in names else ""
        words = names.get(side, "") or words
        _put(value, lines, words, is_entry=in_glossary)
        below = [item for item in value.items or () if item.items is not None]
        waiting += [(item, words, in_glossary) for item in reversed(below)]


def _set_name(heads: Sequence[_Value], full: Sequence[str], code: Sequence[str]) -> str:
    """Return the name of the set on one side of a difference: "Fallout (PIP)"."""
    texts = {_plain_key(head.key): head.text for head in heads}
    name = next((texts[key] for key in full if texts.get(key)), "")
    short = next((texts[key] for key in code if texts.get(key)), "")
    return f"{name} ({short})" if name and short else name or short


def _put(value: _Value, lines: _Lines, words: str, *, is_entry: bool) -> None:
    """Collect an object: a rule, a heading, an entry, or a table of these."""
    items = value.items or []
    number = _number_of(value)
    if number:
        _put_numbered(value, number, lines, words)
    elif is_entry or value.leaf(("definition",)) is not None:
        term, meaning = value.leaf(_TERM_KEYS), value.leaf(_DEFINITION_KEYS)
        if term is not None and term.text and meaning is not None:
            lines.put(term, PassageKind.GLOSSARY, term.text, _texts(meaning), words)
            return
    for item in items:
        own = _number(item.key)
        texts = _texts(item) if own or is_entry else []
        if texts and own:
            kind = PassageKind.RULE if "." in own else PassageKind.HEADING
            lines.put(item, kind, f"{own} {texts[0]}", texts[1:], words)
        elif texts and item.key and not number:
            lines.put(item, PassageKind.GLOSSARY, item.key, texts, words)


def _number_of(value: _Value) -> str:
    """Return the number of an object, from a field or from its key."""
    for name in _NUMBER_KEYS:
        leaf = value.leaf((name,))
        number = _number(leaf.text) if leaf is not None else ""
        if "." in number or (number and len(number) > 1):
            return number
    return _number(value.key)


def _put_numbered(value: _Value, number: str, lines: _Lines, words: str) -> None:
    if "." not in number:
        heading = value.leaf(_HEADING_KEYS)
        if heading is not None and _texts(heading):
            text = heading.text.removeprefix(number).lstrip(". ")
            lines.put(heading, PassageKind.HEADING, f"{number} {text}", (), words)
        return
    texts = [_texts(value.leaf((name,))) for name in _WORDS_KEYS]
    paragraphs = max(texts, key=bool)
    if not paragraphs:
        return
    first = (
        paragraphs[0].removeprefix(number).lstrip(". ")
        if paragraphs[0].startswith(number)
        else paragraphs[0]
    )
    examples = [item for item in value.items or () if _plain_key(item.key).startswith("example")]
    more = [
        text if EXAMPLE.match(text) else f"Example: {text}"
        for example in examples
        for text in _texts(example)
    ]
    lines.put(value, PassageKind.RULE, f"{number} {first}", [*paragraphs[1:], *more], words)
