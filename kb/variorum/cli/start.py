"""The start of `cr`: answers a look-up before anything else is imported.

`cr 704.5k` costs little more than starting Python. For that, this module imports nothing that loads
click, re, enum, typing, dataclasses or pathlib; a test checks this. The full command answers
whatever this module cannot.
"""

import gc
import os
import sys

from variorum.cli.command_table import COMMANDS, arranged
from variorum.system.terminal import take_terminal_options

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from types import ModuleType

_THROUGH_TIME = ("history", "search", "where")
_QUICK = ("show", "refs", *_THROUGH_TIME)


def process() -> None:
    """Run the command as a process of its own.

    It ends without unloading its imports, which would take a sixth of a look-up's time. By then,
    everything has been written and closed.
    """
    for name in ("stdout", "stderr"):
        if getattr(sys, name) is None:  # the stream was closed
            setattr(sys, name, open(os.devnull, "w", encoding="utf-8"))  # noqa: PTH123, SIM115
    code = 0
    try:
        main()
    except SystemExit as end:
        if end.code and not isinstance(end.code, int):
            raise
        code = end.code or 0
    except KeyboardInterrupt:
        from variorum.cli.failures import fail
        from variorum.exit_codes import INTERRUPTED
        from variorum.records.failure import Failure

        failure = Failure("interrupted", "interrupted", INTERRUPTED)
        code = fail(failure, sys.argv[1:], line="cr: interrupted")
    try:
        sys.stdout.flush()
        sys.stderr.flush()
    except OSError:
        from variorum.exit_codes import INPUT_OUTPUT

        sys.exit(code or INPUT_OUTPUT)  # the answer could not be written
    os._exit(code)


def main() -> None:
    """Run the command that the arguments name."""
    arguments = arranged(take_terminal_options(sys.argv[1:]))
    name = arguments[0] if arguments else ""
    asked = arguments if name not in COMMANDS else arguments[1:] if name in _QUICK else []
    # Imported modules stay, so it is useless to collect garbage while importing. The full command
    # turns collection on again once it is imported.
    gc.disable()
    if asked and "_CR_COMPLETE" not in os.environ:
        _import_sqlite_alone()
        if _is_answered(name, asked):
            return
    from variorum.cli.main import run

    run(sys.argv[1:])


def _is_answered(name: str, asked: "list[str]") -> bool:
    """Answer without the full command; return whether that was possible."""
    if name not in _THROUGH_TIME:
        from variorum.cli.fast_path import answer_quickly

        return answer_quickly(asked, is_refs=name == "refs")
    from variorum.cli.fast_answers import ANSWERED

    return ANSWERED[name](asked)


def _import_sqlite_alone() -> None:
    """Import `_sqlite3` without `functools`, whose import takes a tenth of a look-up's time.

    `_sqlite3` needs only `lru_cache` from there, to remember statements. While it is imported, a
    module that has only `lru_cache` takes the place of `functools`.
    """
    try:
        from _functools import _lru_cache_wrapper  # type: ignore[import-not-found]
    except ImportError:
        return  # not CPython
    if "functools" in sys.modules:
        return
    sys.modules["functools"] = _with_cache_alone(_lru_cache_wrapper)
    try:
        __import__("_sqlite3")
    except (AttributeError, TypeError):
        return  # another version of Python needs more; it is imported again as usual
    finally:
        del sys.modules["functools"]


def _with_cache_alone(wrapper: "Callable[..., object]") -> "ModuleType":
    """Return a module that has `lru_cache` and nothing else."""

    def lru_cache(size: int) -> "Callable[[object], object]":
        return lambda called: wrapper(called, size, False, tuple)

    module = type(sys)("functools")
    vars(module)["lru_cache"] = lru_cache
    return module
