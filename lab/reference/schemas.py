"""The JSON Schemas that ship with the program, made from its typed forms.

Each schema is complete: its `$defs` have every object and every named
value that it uses, under its name in Python.
"""

import inspect
import json
import types
from collections.abc import Mapping, Sequence
from pathlib import Path
from types import MappingProxyType
from typing import (
    Annotated,
    Any,
    Literal,
    NamedTuple,
    NotRequired,
    Union,
    get_args,
    get_origin,
    get_type_hints,
    is_typeddict,
)

from variorum.forms import audit, edition, failure, lint, upkeep, values, witness
from variorum.forms.ask import AskJson, CardJson, CardsJson
from variorum.forms.audit import AuditJson
from variorum.forms.edition import ExportJson, LedgerJson, ListedEditionJson
from variorum.forms.failure import FailureJson
from variorum.forms.identify import IdentifyJson
from variorum.forms.lineage import (
    BlameJson,
    CrosswalkRowJson,
    DiffJson,
    HistoryJson,
    StepJson,
    WhereJson,
)
from variorum.forms.lint import LintJson
from variorum.forms.number import NumberedBearerJson, NumberJson, NumberTableJson
from variorum.forms.preview import PreviewJson
from variorum.forms.provision import (
    EntryMatchJson,
    ExplainedEntryJson,
    HeadingJson,
    MisfitJson,
    NumberedMatchJson,
    RefLineJson,
    RefsJson,
    ShownEntryJson,
)
from variorum.forms.search import ResolveJson, SearchJson
from variorum.forms.sync import SyncJson
from variorum.forms.upkeep import (
    AcceptedJson,
    ArchiveCheckJson,
    ArchiveJson,
    DecisionJson,
    DoctorJson,
)
from variorum.forms.watch import WatchedJson, WatchReportJson
from variorum.forms.witness import AttestationJson, WitnessJson

FOLDER = Path("kb/variorum/schemas")
_WIDTH = 100

Schema = dict[str, Any]
# A type at run time: a class, or an object that `typing` made.
Hint = Any


class Format(NamedTuple):
    """A format of docs/json.md: the type of its values, and the commands that print it."""

    form: Hint
    source: str


FORMATS: Mapping[str, Format] = MappingProxyType(
    {
        "accept": Format(AcceptedJson | list[DecisionJson], "`cr kb accept --json`"),
        "archive": Format(ArchiveJson, "`cr kb documents list --json`"),
        "archive_check": Format(ArchiveCheckJson, "`cr kb documents verify --json`"),
        "audit": Format(AuditJson, "`cr audit --json`"),
        "blame": Format(BlameJson, "`cr history --words --json`"),
        "crosswalk": Format(list[CrosswalkRowJson], "`cr crosswalk --json`"),
        "dangling": Format(list[MisfitJson], "`cr refs --dangling --json`"),
        "doctor": Format(DoctorJson, "`cr doctor --json`"),
        "documents": Format(
            list[ExportJson | IdentifyJson], "`cr read --json` of several documents"
        ),
        "ledgers": Format(
            list[LedgerJson],
            "`cr read --ledger --json` of several documents",
        ),
        "ref_line": Format(RefLineJson, "a line of `cr refs --jsonl`"),
        "toc": Format(list[HeadingJson], "`cr toc --json`"),
        "where": Format(list[WhereJson], "`cr where --json`"),
        "diff": Format(DiffJson, "`cr diff --json`, `cr changes --json`, `cr since --json`"),
        "edition": Format(ExportJson, "`cr read --json`, `cr export --json`"),
        "editions": Format(list[ListedEditionJson], "`cr editions --json`"),
        "failure": Format(FailureJson, "the output of any command that fails, with `--json`"),
        "glossary": Format(list[EntryMatchJson | ExplainedEntryJson], "`cr glossary --json`"),
        "history": Format(HistoryJson, "`cr history --json`"),
        "identify": Format(IdentifyJson, "`cr identify FILE --json`"),
        "ledger": Format(LedgerJson, "`cr read --ledger --json`"),
        "lint": Format(LintJson | list[LintJson], "`cr lint --json`"),
        "number": Format(NumberJson, "data/rule/NUMBER.json of the website"),
        "number_line": Format(NumberedBearerJson, "a line of `cr export --crosswalk --jsonl`"),
        "number_table": Format(NumberTableJson, "`cr export --crosswalk`"),
        "preview": Format(PreviewJson, "`cr diff current FILE --json`"),
        "refs": Format(RefsJson, "`cr refs --json`"),
        "resolve": Format(ResolveJson, "`cr identify WORDS --json`"),
        "ask": Format(AskJson, "`cr ask --json`"),
        "card": Format(CardJson, "`cr card --json`"),
        "cards": Format(CardsJson, "`cr cards --json`"),
        "search": Format(SearchJson, "`cr search --json`"),
        "show": Format(list[NumberedMatchJson | ShownEntryJson], "`cr show --json`"),
        "sync": Format(SyncJson, "`cr sync --json`"),
        "watch": Format(list[WatchedJson] | WatchReportJson, "`cr watch --json`"),
        "why": Format(list[StepJson], "`cr history --evidence --json`"),
        "witnesses": Format(list[WitnessJson | AttestationJson], "`cr history --witnesses --json`"),
    }
)

_PLAIN: Mapping[Hint, str] = MappingProxyType(
    {str: "string", int: "integer", float: "number", bool: "boolean", types.NoneType: "null"}
)
# The names of types that are not classes: `Label`, `StepKind`.
_ALIASES: Mapping[Hint, str] = MappingProxyType(
    {
        value: name
        for module in (audit, edition, failure, lint, upkeep, values, witness)
        for name, value in vars(module).items()
        if get_origin(value) in {Annotated, Literal, tuple}
    }
)


class Definitions:
    """Collects the definitions that the schema of a format refers to."""

    def __init__(self) -> None:
        """Start with none."""
        self.found: dict[str, Schema] = {}

    def of(self, hint: Hint) -> Schema:
        """Return the schema of a type: a reference if the type has a name."""
        if is_typeddict(hint):
            return self._named(hint.__name__.removesuffix("Json"), hint)
        if hint in _ALIASES:
            return self._named(_ALIASES[hint], hint)
        return self.in_full(hint)

    def _named(self, name: str, hint: Hint) -> Schema:
        if name not in self.found:
            self.found[name] = {}  # a type that refers to itself ends here
            self.found[name] = self.in_full(hint)
        return {"$ref": f"#/$defs/{name}"}

    def in_full(self, hint: Hint) -> Schema:
        """Return the schema of a type in full, even if it has a name."""
        if is_typeddict(hint):
            return self._object(hint)
        if hint in _PLAIN:
            return {"type": _PLAIN[hint]}
        return self._made(get_origin(hint), get_args(hint))

    def _made(self, origin: Hint, arguments: Sequence[Hint]) -> Schema:
        """Return the schema of a type composed of others."""
        if origin is Annotated:
            held: Schema = json.loads(json.dumps(dict(arguments[1:])))  # tuples are lists
            # A list of values is more exact than their type.
            return held if "enum" in held else {**self.in_full(arguments[0]), **held}
        if origin is Literal:
            return {"enum": list(arguments)}
        several = [self.of(argument) for argument in arguments]
        if origin in {Union, types.UnionType}:
            is_plain = all(schema.keys() == {"type"} for schema in several)
            return (
                {"type": [schema["type"] for schema in several]} if is_plain else {"anyOf": several}
            )
        if origin is dict:
            key, value = several
            return {"type": "object", "propertyNames": key, "additionalProperties": value}
        whole = {"prefixItems": several, "items": False, "minItems": len(several)}
        return {"type": "array", **({"items": several[0]} if origin is list else whole)}

    def _object(self, form: Hint) -> Schema:
        hints = get_type_hints(form, include_extras=True)
        properties = {
            key: self.of(get_args(hint)[0] if get_origin(hint) is NotRequired else hint)
            for key, hint in hints.items()
        }
        about = inspect.getdoc(form) or ""
        return {
            **({"description": " ".join(about.split())} if not about.startswith("dict(") else {}),
            "type": "object",
            "required": [key for key in properties if key in form.__required_keys__],
            "additionalProperties": False,
            "properties": properties,
        }


def schema_of(name: str) -> Schema:
    """Return the JSON Schema of a format, by name."""
    form, source = FORMATS[name]
    definitions = Definitions()
    schema = definitions.in_full(form)
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": name,
        **schema,
        "description": f"{source}; docs/json.md explains it.",
        "$defs": dict(sorted(definitions.found.items())),
    }


def text_of(value: Any, indent: int = 0) -> str:
    """Return JSON with lists and objects on one line if they fit; lists of words are always on one line.

    >>> text_of({"type": "string"})
    '{"type": "string"}'
    """
    line = json.dumps(value, ensure_ascii=False)
    margin = " " * (indent + 2)
    if len(line) + indent <= _WIDTH or not line.startswith(("{", "[{")):
        return line
    if line[0] == "{":
        parts = [f"{json.dumps(key)}: {text_of(item, indent + 2)}" for key, item in value.items()]
    else:
        parts = [text_of(item, indent + 2) for item in value]
    lines = ",\n".join(margin + part for part in parts)
    return f"{line[0]}\n{lines}\n{' ' * indent}{line[-1]}"


def schemas() -> dict[Path, str]:
    """Return the files of all schemas."""
    return {FOLDER / f"{name}.schema.json": text_of(schema_of(name)) + "\n" for name in FORMATS}
