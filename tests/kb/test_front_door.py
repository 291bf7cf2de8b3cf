"""`import variorum` gives the public library, and is quick."""

import ast
import importlib.metadata
import inspect
import subprocess
import sys
from typing import get_args, is_typeddict

import pytest

import variorum
from lab.reference.schemas import FORMATS
from variorum_kb import errors


@pytest.mark.parametrize("name", sorted({*dir(variorum)} - {"__version__"}))
def test_names_lead_somewhere(name: str) -> None:
    """Each public name leads to its object, and occurs once."""
    result = getattr(variorum, name)

    assert result.__name__ == name
    assert vars(variorum)[name] is result


def test_checkers_see_the_same() -> None:
    """Type checkers import the same public names, from the same modules."""
    tree = ast.parse(inspect.getsource(variorum))
    imports = [node for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)]

    seen = {
        (f"{import_from.module}", alias.name)
        for import_from in imports
        for alias in import_from.names
        if f"{import_from.module}".startswith("variorum")
    } - {("variorum.base", "open_base")}

    assert {name for _, name in seen} | {"__version__", "open"} == set(dir(variorum))
    for module, name in seen:
        assert getattr(variorum, name).__module__ == module


def test_every_error_is_public() -> None:
    """Every error that the library raises can be caught by a public name."""
    ours = {name for name, var in vars(errors).items() if inspect.isclass(var)}

    assert {name for name in ours if name.endswith("Error")} <= set(dir(variorum))


def _forms(hint: object) -> set[str]:
    if is_typeddict(hint):
        return {str(getattr(hint, "__name__", ""))}
    return {name for arg in get_args(hint) for name in _forms(arg)}


@pytest.mark.parametrize("name", FORMATS)
def test_every_format_is_public(name: str) -> None:
    """The type of each format of docs/json.md has a public name."""
    assert _forms(FORMATS[name].form) <= set(dir(variorum))


def test_version_is_that_of_the_package() -> None:
    """The library has the version of the package."""
    assert variorum.__version__ == importlib.metadata.version("variorum")


def test_error_no_such_name() -> None:
    """An unknown name gives the usual error."""
    missing = "Knowledge"

    with pytest.raises(AttributeError, match="module 'variorum' has no attribute 'Knowledge'"):
        getattr(variorum, missing)


def test_import_is_cheap() -> None:
    """The import alone loads no other module of the program."""
    program = "import sys, variorum; print([one for one in sys.modules if 'variorum' in one])"

    done = subprocess.run(
        [sys.executable, "-P", "-c", program], check=True, capture_output=True, encoding="utf-8"
    )

    assert done.stdout == "['variorum']\n"
