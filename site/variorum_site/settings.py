"""What the person who builds a site decides."""

from dataclasses import dataclass
from datetime import date


@dataclass(frozen=True, slots=True, kw_only=True)
class SiteSettings:
    """What the person who builds a site decides.

    Attributes:
        base_url: Under which the site will stand, with a slash behind; "" where nobody said.
        day: The day that is "today" on it; None for that of the newest edition.
        has_feeds: Sections and rules have feeds of their own.
        has_academy: It also answers the addresses of Academy Ruins' API.
    """

    base_url: str = ""
    day: date | None = None
    has_feeds: bool = False
    has_academy: bool = False
