"""Whether to show a progress bar."""

import os
import sys


def has_bar() -> bool:
    """Return whether stderr is a terminal that can redraw a line."""
    return sys.stderr.isatty() and os.environ.get("TERM") != "dumb"
