"""The base of all answers, and how a record becomes JSON or a JSON Schema."""

import json
from typing import Any, dataclass_transform

import msgspec


@dataclass_transform(frozen_default=True, field_specifiers=(msgspec.field,))
class Answer(
    msgspec.Struct,
    frozen=True,
    omit_defaults=True,
    forbid_unknown_fields=True,
    rename=lambda name: name.rstrip("_"),
):
    """An answer, or a part of one; its fields are the keys of docs/json.md, in their order.

    Names that Python reserves end in an underscore: `from_`, `class_`. A field with a default is left out
    of the JSON if it has that value. Answers outlive the base, and any thread may use them.
    """

    def as_json(self) -> Any:  # noqa: ANN401 - each record has its own keys
        """Return the answer as dictionaries and lists."""
        return msgspec.to_builtins(self)


def json_text(value: object, indent: int | None = None, *, is_compact: bool = False) -> str:
    """Return a record, or dictionaries and lists of them, as JSON; compact means without blanks."""
    return json.dumps(
        value,
        ensure_ascii=False,
        indent=indent,
        separators=(",", ":") if is_compact else None,
        default=msgspec.to_builtins,
    )
