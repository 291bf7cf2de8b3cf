"""Settings of a site."""

from dataclasses import dataclass
from datetime import date


@dataclass(frozen=True, slots=True, kw_only=True)
class SiteSettings:
    """Settings of a site.

    Attributes:
        base_url: The address of the site, with a final slash; "" if unknown.
        day: The day that the site calls "today"; None for the day of the newest edition.
    """

    base_url: str = ""
    day: date | None = None
