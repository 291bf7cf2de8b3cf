"""The JSON that scripts rely on."""

import json
from importlib.resources import files

import jsonschema
import pytest

from variorum_kb.build.build import load_sample
from variorum_kb.forms.edition import export_json, ledger_json
from variorum_kb.model import Edition

SAMPLE = list(load_sample())


def _schema(name: str) -> dict[str, object]:
    text = files("variorum_kb").joinpath("schemas", f"{name}.schema.json").read_text("utf-8")
    schema: dict[str, object] = json.loads(text)
    return schema


@pytest.mark.parametrize("name", ["edition", "ledger"])
def test_schemas_are_schemas(name: str) -> None:
    """Each schema is valid itself."""
    jsonschema.Draft202012Validator.check_schema(_schema(name))


@pytest.mark.parametrize("edition", SAMPLE, ids=lambda edition: str(edition.effective))
def test_exports_fit_their_schemas(edition: Edition) -> None:
    """Every export and ledger of the sample is what docs/json.md promises."""
    export = json.loads(json.dumps(export_json(edition, 1)))
    ledger = json.loads(json.dumps(ledger_json(edition)))

    jsonschema.validate(export, _schema("edition"))
    jsonschema.validate(ledger, _schema("ledger"))


def test_schema_rejects() -> None:
    """A schema that accepts anything would prove nothing."""
    export = json.loads(json.dumps(export_json(SAMPLE[0], 1)))
    export["provisions"][0]["kind"] = "paragraph"

    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate(export, _schema("edition"))
