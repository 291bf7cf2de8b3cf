"""The program's JSON Schemas, and a check of values with them."""

import functools
import json
from importlib.resources import files
from typing import Any

import jsonschema


@functools.cache
def load_schema(name: str) -> dict[str, Any]:
    """Return the schema of a form; all tests share it, so do not change it."""
    text = files("variorum_kb").joinpath("schemas", f"{name}.schema.json").read_text("utf-8")
    schema: dict[str, Any] = json.loads(text)
    return schema


@functools.cache
def _validator(name: str, definitions: tuple[str, ...]) -> Any:
    schema = load_schema(name)
    if definitions:
        choice = [{"$ref": f"#/$defs/{definition}"} for definition in definitions]
        schema = {"anyOf": choice, "$defs": schema["$defs"]}
    # tests/kb/forms/test_schemas.py checks the schemas themselves.
    return jsonschema.Draft202012Validator(schema)


def assert_fits(value: object, name: str, *definitions: str) -> None:
    """Check that a value fits a schema, or one of the schema's definitions.

    The value may have tuples and other values that JSON writes in another form.

    Raises:
        jsonschema.ValidationError: The value does not fit.
    """
    _validator(name, definitions).validate(json.loads(json.dumps(value)))
