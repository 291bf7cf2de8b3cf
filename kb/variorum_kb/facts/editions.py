"""What is known about editions beyond their own text: sets, and the order of issues."""

import tomllib
from dataclasses import dataclass
from datetime import date
from functools import cache
from importlib.resources import files


@dataclass(frozen=True, slots=True)
class EditionFacts:
    """What is known about the editions of one effective date.

    Attributes:
        issues: SHA-256 of their documents, in order of publication.
    """

    effective: date
    set_code: str
    set_name: str
    issues: tuple[str, ...]


@cache
def known_editions() -> dict[date, EditionFacts]:
    """Return the facts by effective date, oldest first."""
    text = files("variorum_kb.facts").joinpath("editions.toml").read_text("utf-8")
    entries = [
        EditionFacts(one["effective"], one["set_code"], one["set_name"], tuple(one["issues"]))
        for one in tomllib.loads(text)["edition"]
    ]
    return {entry.effective: entry for entry in sorted(entries, key=lambda one: one.effective)}


def issue_of(effective: date, sha256: str) -> int:
    """Return which issue of its date a document is, from 1; an unknown document is the first."""
    facts = known_editions().get(effective)
    if facts is None or sha256 not in facts.issues:
        return 1
    return facts.issues.index(sha256) + 1
