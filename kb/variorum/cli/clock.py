"""The clock: the only place where commands read the time; imports next to nothing."""

import time

TYPE_CHECKING = False
if TYPE_CHECKING:
    from datetime import date


def today_words() -> str:
    """Return the user's own day, in the form YYYY-MM-DD."""
    return time.strftime("%Y-%m-%d")


def today() -> "date":
    """Return the user's own day."""
    from datetime import date

    return date.fromisoformat(today_words())


def now_words() -> str:
    """Return the moment in UTC, to the second."""
    return time.strftime("%Y-%m-%dT%H:%M:%S+00:00", time.gmtime())
