"""The library of Variorum, described in docs/library.md; each name is imported on first use.

The names in this package are public: none is removed or renamed before the next major version.
Everything in other modules is private and may change at any time.
"""

TYPE_CHECKING = False
if TYPE_CHECKING:  # type checkers would otherwise accept every misspelt name
    from variorum.base import *

    __version__: str
else:

    def __getattr__(name: str) -> object:
        """Return the object with a name."""
        if name == "__version__":
            from importlib.metadata import version  # noqa: PLC0415 - only where it is asked for

            return version("variorum")
        if name[0].isupper() or name in {"open", "schema"}:  # not for a module of ours
            from variorum.base import NAMES  # noqa: PLC0415 - likewise

            if name in NAMES:
                return NAMES[name]
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    """Return the public names."""
    from variorum.base import NAMES  # noqa: PLC0415 - likewise

    return sorted(["__version__", *NAMES])
