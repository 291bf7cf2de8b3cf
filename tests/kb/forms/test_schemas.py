"""The JSON Schemas agree with the typed forms, and have what scripts rely on."""

import json
from enum import Enum
from importlib.resources import files

import jsonschema
import pytest

from lab.reference.schemas import FORMATS, Definitions, schema_of, text_of
from tests.support.schemas import assert_fits
from variorum_kb.answers.refs import DANGLING, RESOLVED
from variorum_kb.build.build import load_sample
from variorum_kb.forms import document, values, witness
from variorum_kb.forms.edition import EditionRole
from variorum_kb.history.steps import StepKind
from variorum_kb.history.word_diffs.changes import ChangeClass
from variorum_kb.model import Condition, Edition, Kind, Role
from variorum_kb.reading.as_json import export_json, ledger_json
from variorum_kb.sources.comparing.attestation_types import PassageVerdict
from variorum_kb.sources.reading.bulletins.announcements import AnnouncementKind, BulletinRole
from variorum_kb.sources.reading.passages.passages import (
    LineRole,
    Markup,
    PassageKind,
    SourceLayout,
)
from variorum_kb.stored_rows import BULLETIN_LAYOUT

SAMPLE = list(load_sample())


@pytest.mark.parametrize("name", FORMATS)
def test_schemas_are_schemas(name: str) -> None:
    """Each schema agrees with its form, and is valid."""
    path = files("variorum_kb").joinpath("schemas", f"{name}.schema.json")
    schema = schema_of(name)

    assert path.read_text("utf-8") == text_of(schema) + "\n"
    jsonschema.Draft202012Validator.check_schema(schema)


def values_of(*kinds: type[Enum]) -> list[str]:
    """Return the values of closed choices, each once, in order."""
    return list(dict.fromkeys(enum.value for kind in kinds for enum in kind))


CHOICES: list[tuple[object, list[str]]] = [
    (values.ProvisionKind, values_of(Kind)),
    (values.NumberedKind, [text for text in values_of(Kind) if text != Kind.GLOSSARY.value]),
    (values.StepKind, values_of(StepKind)),
    (values.ChangeClass, values_of(ChangeClass)),
    (values.CitationStatus, [RESOLVED, DANGLING]),
    (values.Condition, values_of(Condition)),
    (EditionRole, values_of(Role)),
    (witness.Verdict, values_of(PassageVerdict)),
    (document.AnnouncementKind, values_of(AnnouncementKind)),
    (document.DocumentLayout, [*values_of(SourceLayout), BULLETIN_LAYOUT]),
    (document.DocumentRole, values_of(LineRole, BulletinRole)),
    (document.Markup, values_of(Markup)),
    (document.PassageKind, values_of(PassageKind)),
]


@pytest.mark.parametrize(("choice", "expected"), CHOICES)
def test_choices_are_those_of_the_model(choice: object, expected: list[str]) -> None:
    """The choices in a form are the program's own enumerations."""
    schema = Definitions().in_full(choice)

    assert schema == {"enum": expected}


@pytest.mark.parametrize("edition", SAMPLE, ids=lambda edition: str(edition.effective))
def test_exports_fit_their_schemas(edition: Edition) -> None:
    """Every export and ledger of the sample fits the schemas of docs/json.md."""
    assert_fits(export_json(edition, 1), "edition")
    assert_fits(ledger_json(edition), "ledger")


def test_schema_rejects() -> None:
    """Schemas reject wrong values."""
    export = json.loads(json.dumps(export_json(SAMPLE[0], 1)))
    export["provisions"][0]["kind"] = "paragraph"

    with pytest.raises(jsonschema.ValidationError):
        assert_fits(export, "edition")
