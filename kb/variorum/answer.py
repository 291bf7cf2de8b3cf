"""Answers of the library: named values, made from a JSON form and convertible back to it."""

import types
from dataclasses import dataclass, field, fields
from functools import cache
from typing import TYPE_CHECKING, Generic, Self, TypeVar, cast, get_args, get_origin, get_type_hints

import msgspec

if TYPE_CHECKING:
    from collections.abc import Mapping

Form = TypeVar("Form")


@dataclass(frozen=True)
class Answer(Generic[Form]):
    """An answer, or a part of one; its fields have the names of docs/json.md.

    Names that Python reserves end in an underscore: `from_`, `class_`. A field that the form omits
    is None. Any thread may use an answer, even after the base is closed.
    """

    form: Form = field(repr=False, compare=False)

    @classmethod
    def of(cls, form: Form, **more: object) -> Self:
        """Return the answer that a JSON form holds.

        Args:
            form: As docs/json.md describes it.
            more: Values for fields that the form lacks.
        """
        kind: type = cls
        cells = {**cast("Mapping[str, object]", form), **more}
        made = {name: _made(hint, cells.get(key)) for name, key, hint in _fields_of(kind)}
        return cls(form, **made)

    def as_json(self) -> Form:
        """Return a copy of the JSON form."""
        return cast("Form", msgspec.to_builtins(self.form))


@dataclass(frozen=True)
class Piece:
    """A piece of a word diff.

    Attributes:
        sign: "=" for words that stayed, "-" for removed ones, "+" for added ones.
        text: The words.
    """

    sign: str
    text: str


@cache
def _fields_of(kind: type) -> tuple[tuple[str, str, object], ...]:
    """Return the fields of an answer: names, the keys of the form, and types."""
    hints = get_type_hints(kind)
    names = [field.name for field in fields(kind) if field.name != "form"]
    return tuple([(name, name.rstrip("_"), hints[name]) for name in names])


def _made(hint: object, value: object) -> object:
    """Convert a value of a form to the type of its field."""
    if value is None:
        return None
    if isinstance(hint, types.UnionType):  # `Place | None`
        hint = next(member for member in get_args(hint) if member is not types.NoneType)
    origin, inner = get_origin(hint), get_args(hint)
    if origin is list:
        return [_made(inner[0], item) for item in cast("list[object]", value)]
    if origin is dict:
        return {
            key: _made(inner[1], item) for key, item in cast("dict[str, object]", value).items()
        }
    if hint is Piece:
        return Piece(*cast("tuple[str, str]", value))
    if isinstance(hint, type) and issubclass(hint, Answer):
        return cast("type[Answer[object]]", hint).of(value)
    return value
