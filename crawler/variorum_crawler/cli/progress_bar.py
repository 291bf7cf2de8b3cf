"""Whether progress is shown."""

import os
import sys


def has_bar() -> bool:
    """Say whether stderr is a terminal that can draw a bar over what it drew before."""
    return sys.stderr.isatty() and os.environ.get("TERM") != "dumb"
