"""All names of the library: its records, its errors, and the open base."""

import msgspec

from variorum.base import Base as Base
from variorum.base import open as open  # noqa: A004 - as webbrowser.open
from variorum.errors import *
from variorum.records.answer import Answer as Answer
from variorum.records.answer import Piece as Piece
from variorum.records.audit import *
from variorum.records.document import *
from variorum.records.edition import *
from variorum.records.lineage import *
from variorum.records.schemas import schema as schema
from variorum.records.search import *
from variorum.records.upkeep import *
from variorum.search.query import QueryError as QueryError

# The records also use types such as `Label`, which are no names of the library.
NAMES: dict[str, object] = {
    name: value
    for name, value in globals().items()
    if isinstance(value, type) and issubclass(value, (msgspec.Struct, Base, Exception, Piece))
} | {"open": open, "schema": schema}
