"""Where `cr` begins: as little as possible is imported before it is known what is asked."""

import sys


def main() -> None:
    """Run the command that the arguments name."""
    from variorum_kb.cli.main import run

    run(sys.argv[1:])
