"""The days on which tests search, and helpers for their results."""

from datetime import date

from variorum_kb.forms.search import HitJson, SearchJson

TODAY = date(2026, 1, 2)
LAST, OLD = "2025-05-30", "2008-06-20"


def names(result: SearchJson) -> list[str]:
    """Return the numbers or terms of the hits."""
    return [item["number"] or f"glossary: {item['heading']}" for item in result["hits"]]


def hit(result: SearchJson, number: str) -> HitJson:
    """Return the hit with a number."""
    (first,) = [item for item in result["hits"] if item["number"] == number]
    return first
