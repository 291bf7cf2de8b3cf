"""The script of the website: modules joined into one file, and the service worker.

Browsers load modules only from a server, but the site must also open from the file system. So the
build removes imports and exports, and writes the modules into one function, each after those that
it imports.
"""

import json
import re
from collections import Counter
from collections.abc import Iterator, Mapping
from functools import cache
from importlib import resources

MAIN = "main.js"
_IMPORT = re.compile(r'^import \{([^}]*)\} from "\./(\w+\.js)";\n', re.MULTILINE)
_EXPORT = re.compile(r"^export (?=(?:async )?(?:function|class|const|let)\b)", re.MULTILINE)
_DEFINITION = re.compile(
    r"^(export )?(?:async )?(function(?=\W)|class|const|let)\*? (.*)", re.MULTILINE
)
# The names in a line of constants, and values that may contain commas.
_CONSTANT = re.compile(r"(?:^|, )(\w+) = ")
_VALUES = re.compile(r"\(.*\)|\{.*\}|\[.*\]|\"[^\"]*\"")
# Comments on lines of their own; no string of a module has several lines.
_COMMENT = re.compile(r"^ *(?://.*|/\*\*(?:[^*]|\*(?!/))*\*/ *)\n", re.MULTILINE)
# Unlike JSON, JavaScript treats these characters as line ends.
_LINE_ENDS = str.maketrans({"\u2028": "\\u2028", "\u2029": "\\u2029"})


class ScriptError(ValueError):
    """Modules cannot be joined; the message says which and why."""


@cache
def modules() -> Mapping[str, str]:
    """Return the text of each module by its file's name."""
    folder = resources.files("variorum_site") / "assets" / "script"
    files = (file for file in folder.iterdir() if file.name.endswith(".js"))
    return {file.name: file.read_text("utf-8") for file in files}


def site_script(site: object) -> bytes:
    """Return the script that every page loads.

    Args:
        site: Facts about the build, in the form of `SiteFacts` in `types.d.ts`.
    """
    return f'"use strict";\n(() => {{\nconst SITE = {_encoded(site)};\n{joined(modules(), MAIN)}}})();\n'.encode()


def worker(build: object) -> bytes:
    """Return the service worker of a build.

    Args:
        build: Facts about the build, in the form of `Build` in `assets/worker.js`.
    """
    facts = _encoded(build)
    text = (resources.files("variorum_site") / "assets" / "worker.js").read_text("utf-8")
    return f'"use strict";\nconst BUILD = {facts};\n{_COMMENT.sub("", text)}'.encode()


def _encoded(facts: object) -> str:
    return json.dumps(facts).translate(_LINE_ENDS)


def joined(texts: Mapping[str, str], *entries: str) -> str:
    """Return modules and everything they import as statements in one scope.

    Args:
        texts: The texts of all modules, by name.
        entries: The modules wanted.

    Raises:
        ScriptError: A module or an export is missing, modules import each other, or two of them
            define the same name.
    """
    order = list(_in_order(texts, entries))
    parts = {name: _IMPORT.sub("", texts[name]) for name in order}
    _check_names(parts)
    for name, part in parts.items():
        if re.search(r"^import\b", part, re.MULTILINE):
            raise ScriptError(f"{name}: imports in a form that cannot be joined")
    return "\n".join(
        _COMMENT.sub("", _EXPORT.sub("", part)).strip("\n") + "\n" for part in parts.values()
    )


def _in_order(texts: Mapping[str, str], entries: tuple[str, ...]) -> Iterator[str]:
    """Yield modules, each after those that it imports."""
    done: set[str] = set()
    under_way: list[str] = []

    def visit(name: str) -> Iterator[str]:
        if name in under_way:
            raise ScriptError(f"{' imports '.join([*under_way, name])}")
        if name in done:
            return
        under_way.append(name)
        for names, imported in _IMPORT.findall(_text(texts, name)):
            _check_exports(name, imported, names, _text(texts, imported))
            yield from visit(imported)
        under_way.pop()
        done.add(name)
        yield name

    for entry in entries:
        yield from visit(entry)


def _text(texts: Mapping[str, str], name: str) -> str:
    if name not in texts:
        raise ScriptError(f"{name}: no such module")
    return texts[name]


def _check_exports(name: str, imported: str, wanted: str, text: str) -> None:
    exported = set(names_of(text, exported=True))
    missing = {listed.strip() for listed in wanted.split(",") if listed.strip()} - exported
    if missing:
        raise ScriptError(f"{name}: {imported} does not export {', '.join(sorted(missing))}")


def _check_names(parts: Mapping[str, str]) -> None:
    counts = Counter(defined for part in parts.values() for defined in names_of(part))
    doubled = sorted(name for name, count in counts.items() if count > 1)
    if doubled:
        raise ScriptError(f"several modules define {', '.join(doubled)}")


def names_of(text: str, *, exported: bool = False) -> Iterator[str]:
    r"""Yield the names that a module defines at top level.

    >>> list(names_of("export const A = 1, B = 2;\nfunction c() {}\n"))
    ['A', 'B', 'c']

    Args:
        text: The module.
        exported: Whether to yield only exported names.
    """
    for is_exported, kind, rest in _DEFINITION.findall(text):
        if exported and not is_exported:
            continue
        if kind in {"const", "let"}:
            yield from _CONSTANT.findall(_VALUES.sub("", rest))
        else:
            yield rest.partition("(")[0].split()[0]
