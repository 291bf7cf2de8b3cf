"""The JSON Schemas that ship with the program, and how a test holds a value to one."""

import functools
import json
from importlib.resources import files
from typing import Any

import jsonschema


@functools.cache
def load_schema(name: str) -> dict[str, Any]:
    """Return the schema of a form; it is shared by all tests, so do not change it."""
    text = files("variorum_kb").joinpath("schemas", f"{name}.schema.json").read_text("utf-8")
    schema: dict[str, Any] = json.loads(text)
    return schema


@functools.cache
def _validator(name: str, definitions: tuple[str, ...]) -> Any:
    schema = load_schema(name)
    if definitions:
        choice = [{"$ref": f"#/$defs/{definition}"} for definition in definitions]
        schema = {"anyOf": choice, "$defs": schema["$defs"]}
    # The schemas themselves are checked by tests/kb/forms/test_schemas.py, once.
    return jsonschema.Draft202012Validator(schema)


def assert_fits(value: object, name: str, *definitions: str) -> None:
    """Check that a value fits a schema, or one of the schema's definitions.

    The value may have tuples and other things that JSON writes in a form of its own.

    Raises:
        jsonschema.ValidationError: The value does not fit.
    """
    _validator(name, definitions).validate(json.loads(json.dumps(value)))
