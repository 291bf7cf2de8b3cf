"""What Whoosh may unpickle: its files hold pickles, and a pickle may name any program.

Whoosh's modules for the layout of our files get readers with a list of allowed names before an
index is opened. Schemas are not unpickled at all, since ours is given.
"""

import io
import pickle
from typing import IO, Any

from whoosh.codec import whoosh3
from whoosh.filedb import structfile

ALLOWED = {
    ("whoosh.codec.whoosh3", "W3Segment"),
    ("whoosh.codec.whoosh3", "W3Codec"),
    ("collections", "defaultdict"),
    ("builtins", "int"),
    ("_codecs", "encode"),
}


class _Unpickler(pickle.Unpickler):
    def find_class(self, module: str, name: str) -> object:
        """Return what a pickle names, if it may.

        Raises:
            UnpicklingError: It may not.
        """
        if (module, name) in ALLOWED:
            return super().find_class(module, name)
        raise pickle.UnpicklingError(f"an index names {module}.{name}")


def load(file: IO[bytes]) -> object:
    """Return the value that a pickle in a file holds."""
    return _Unpickler(file).load()


def loads(data: bytes) -> object:
    """Return the value that a pickle holds."""
    return _Unpickler(io.BytesIO(data)).load()


def guard() -> None:
    """Put these readers into the place of Whoosh's own."""
    modules: tuple[tuple[Any, str, object], ...] = (
        (structfile, "load", load),
        (whoosh3, "loads", loads),
    )
    for module, name, reader in modules:
        setattr(module, name, reader)
