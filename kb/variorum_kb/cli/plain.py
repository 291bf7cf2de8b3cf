"""Where `cr` begins: a look-up is answered before anything else is imported.

`cr 704.5k` costs little more than starting Python. For that, this module and what it imports keep
away from click, re, enum, typing, dataclasses, pathlib and all that brings them in; a test says so.
Whatever is a command, has other options or no simple answer goes to the full command.
"""

import os
import sys

from variorum_kb.cli.names import COMMANDS

_QUICK = ("show", "refs")


def main() -> None:
    """Run the command that the arguments name."""
    arguments = sys.argv[1:]
    name = arguments[0] if arguments else ""
    asked = arguments if name not in COMMANDS else arguments[1:] if name in _QUICK else []
    if asked and "_CR_COMPLETE" not in os.environ:
        from variorum_kb.cli.quick import answer_quickly

        if answer_quickly(asked, is_refs=name == "refs"):
            return
    from variorum_kb.cli.main import run

    run(arguments)
