"""The versions that a judgement depends on; if one changes, the document is judged again."""

from datetime import date
from functools import cache
from pathlib import Path

from variorum.facts import known_editions
from variorum.versions import digest_of_sources, version_of

_TRUST = Path(__file__).parent


@cache
def judged_by() -> str:
    """Return the versions that a judgement depends on: of judge, reader and facts."""
    judge = digest_of_sources([_TRUST], _TRUST)
    return f"judge {judge}, reader {version_of('reader')}, facts {version_of('facts')}"


def known_days() -> dict[str, date]:
    """Return the dates of the documents in the table of facts, by hash."""
    return {sha256: day for day, facts in known_editions().items() for sha256 in facts.issues}
