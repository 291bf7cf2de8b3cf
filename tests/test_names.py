"""The names of modules, classes and functions: one meaning each, no metaphors, few in a folder."""

import ast
import re
from collections import Counter
from collections.abc import Iterator, Sequence

import pytest

from tests.test_architecture import CODE, Module, made_up

# Metaphors for which the field has a word.
WORDS = "atlas desk fate lives outlet sheet shelf shelves spool tenure told trail"
PICTURES = {f"{word}{end}" for word in WORDS.split() for end in ("", "s")}

# The most modules in a folder, so that a reader can guess one from its name.
MOST_MODULES = 20
# These folders have a module for each command, named after it.
BY_COMMAND = {"kb/variorum_kb/cli/commands", "kb/variorum_kb/cli/pages"}


def find_pictures(module: Module) -> Iterator[str]:
    """Yield the modules, classes and functions with a metaphor in their name."""
    names = [(module.name.rpartition(".")[2], 1)]
    for node in module.walk():
        match node:
            case ast.ClassDef(name=name) | ast.FunctionDef(name=name):
                names.append((name, node.lineno))
            case _:
                pass
    for name, line in names:
        for word in re.findall(r"[A-Z]?[a-z]+|[A-Z]+", name):
            if word.lower() in PICTURES:
                yield f"{module.path}:{line}: {name} is named after a picture: {word.lower()}"


def find_doubled(modules: Sequence[Module]) -> Iterator[str]:
    """Yield the classes of the knowledge base with the name of an earlier one."""
    places: dict[str, str] = {}
    for module in modules:
        if module.package != "variorum_kb":
            continue
        for node in module.walk():
            match node:
                case ast.ClassDef(name=name):
                    place = f"{module.path}:{node.lineno}"
                    first = places.setdefault(name, place)
                    if first != place:
                        yield f"{place}: the class {name} stands in {first} already"
                case _:
                    pass


def find_crowded(modules: Sequence[Module]) -> Iterator[str]:
    """Yield the folders with too many modules."""
    folders = Counter(module.path.rpartition("/")[0] for module in modules)
    for folder, count in folders.items():
        if count > MOST_MODULES and folder not in BY_COMMAND:
            yield f"{folder}: {count} modules, at most {MOST_MODULES}"


def test_names_are_no_pictures() -> None:
    """Modules, classes and functions have the field's own nouns."""
    assert [broken for module in CODE for broken in find_pictures(module)] == []


def test_class_names_stand_once() -> None:
    """A class name has one meaning in the knowledge base."""
    assert list(find_doubled(CODE)) == []


def test_folders_are_not_crowded() -> None:
    """No folder has more modules than a reader can take in, but for one a command."""
    assert list(find_crowded(CODE)) == []


@pytest.mark.parametrize(
    ("name", "source", "expected"),
    [
        ("variorum_kb.search.shelf", "", "shelf.py:1: shelf is named after a picture: shelf"),
        ("variorum_kb.reading.lines", "x = 1\nclass WideSheet: ...", "lines.py:2: WideSheet"),
        ("variorum_kb.history.steps", "def _fates_of(): ...", "steps.py:1: _fates_of"),
    ],
)
def test_error_picture(name: str, source: str, expected: str) -> None:
    """A name with a metaphor is found once, with its line."""
    (broken,) = find_pictures(made_up(name, source))

    assert expected in broken


def test_error_class_name_doubled() -> None:
    """A repeated class name in the knowledge base is found; other packages are free."""
    names = ["variorum_kb.search.rank", "variorum_kb.audit.find", "variorum_site.pages"]
    modules = [made_up(name, "class Part: ...") for name in names]

    assert list(find_doubled(modules)) == [
        "variorum_kb/audit/find.py:1: the class Part stands in variorum_kb/search/rank.py:1 already"
    ]


def test_error_folder_is_crowded() -> None:
    """A folder with a module too many is found; one with the most that it may have is not."""
    full = [made_up(f"kb.variorum_kb.store.part{number}", "") for number in range(MOST_MODULES + 1)]
    commands = [made_up(f"kb.variorum_kb.cli.commands.part{number}", "") for number in range(30)]

    assert list(find_crowded([*full, *commands])) == [
        "kb/variorum_kb/store: 21 modules, at most 20"
    ]
    assert list(find_crowded(full[1:])) == []
