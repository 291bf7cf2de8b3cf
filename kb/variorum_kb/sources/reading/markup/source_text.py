"""Reads the source of programs and documentation, without lines that are not for readers."""

import re
from collections.abc import Iterator, Sequence

from variorum_kb.sources.reading.passages.openers import open_numbered

_FEWEST = 2
_COMMENT = re.compile(r"\s*(?://[/!]?|#(?![#!])|--|\*(?!/)|;)\s+(?P<words>\S.*)")
_OPENS, _CLOSES = re.compile(r"/\*|\"\"\"|'''|=begin\b"), re.compile(r"\*/|\"\"\"|'''|=end\b")
_STATEMENT = re.compile(
    r"\s*(?:package|import|from|using|namespace|(?:export |public |private |static |async )*"
    r"(?:func|fn|def|class|struct|enum|const|let|var|void|interface|type)) ?[\w\"<{(*].*"
    r"|.*[;{]\s*|\s*[})\]]+[;,]?\s*"
)
# reStructuredText: ".. _multiplayer:", ".. glossary::", ":tocdepth: 2".
_DIRECTIVE = re.compile(r"\s*\.\. (?:_[\w-]+:|(?P<name>[\w-]+)::(?P<words>.*))\s*")
_FIELD = re.compile(r":[a-z]+: .*|:[a-z]+:")
_ROLE = re.compile(r":[a-z]+:`(?P<words>[^`<]+?)(?: <[^`]*>)?`")


def without_code(texts: Sequence[str]) -> list[str]:
    """Return the lines of a text; if it is a program that quotes rules in comments, only these.

    Rules engines quote rules above the code that implements them.

    >>> without_code(["x = 1;", "# 101.2 A lamp burns.", "y = 2;", "// 101.3 It is lit.", "}"])
    ['', '101.2 A lamp burns.', '', '101.3 It is lit.', '']
    """
    comments = dict(_comments(texts))
    quoted = sum(open_numbered(comment) is not None for comment in comments.values())
    if quoted < _FEWEST or not any(map(_STATEMENT.fullmatch, texts)):
        return list(texts)
    rest = [text for place, text in enumerate(texts) if place not in comments]
    if any(open_numbered(text.strip(" #*->\t")) is not None for text in rest):
        return list(texts)
    return [comments.get(place, "") for place in range(len(texts))]


def _comments(texts: Sequence[str]) -> Iterator[tuple[int, str]]:
    """Yield the places of comments with their words."""
    is_inside = False
    for place, text in enumerate(texts):
        if is_inside or _OPENS.match(text.lstrip()):
            opened = _OPENS.match(text.lstrip()) if not is_inside else None
            rest = text.lstrip()[opened.end() :] if opened else text
            closed = _CLOSES.search(rest)
            is_inside = closed is None
            yield place, rest[: closed.start()] if closed else rest
        elif match := _COMMENT.fullmatch(text):
            yield place, match["words"]


def without_directives(texts: Sequence[str]) -> list[str]:
    """Return the shown lines of a reStructuredText page; other texts unchanged.

    >>> without_directives([".. _boats:", ".. admonition:: Example", "", "    A boat leaks."])
    ['', '', '', '    Example: A boat leaks.']
    """
    if not any(map(_DIRECTIVE.fullmatch, texts)):
        return list(texts)
    shown: list[str] = []
    is_example = False
    for text in texts:
        directive = _DIRECTIVE.fullmatch(text)
        if directive or _FIELD.fullmatch(text.strip()):
            is_example = directive is not None and (directive["words"] or "").strip() == "Example"
            shown.append("")
            continue
        line = _ROLE.sub(lambda role: role["words"], text)
        if is_example and line.strip():
            indent = len(line) - len(line.lstrip())
            line, is_example = f"{line[:indent]}Example: {line[indent:]}", False
        shown.append(line)
    return shown
