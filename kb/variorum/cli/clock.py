"""The clock: the only place where commands read the time."""

import time
from datetime import date


def today() -> date:
    """Return the user's own day."""
    return date.fromisoformat(time.strftime("%Y-%m-%d"))


def now_words() -> str:
    """Return the moment in UTC, to the second."""
    return time.strftime("%Y-%m-%dT%H:%M:%S+00:00", time.gmtime())
