"""Which editions a bulletin can announce, by its day."""

from collections.abc import Iterable
from datetime import date, timedelta

_REACH = timedelta(days=730)


def latest_of(day: date, days: Iterable[date]) -> date:
    """Return the day of the last edition that a bulletin of a given day can announce.

    Args:
        day: The day of the bulletin.
        days: The days of all editions. The next edition counts, however late it is.
    """
    following = min([effective for effective in days if effective >= day], default=day)
    return max(day + _REACH, following)
