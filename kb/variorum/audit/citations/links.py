"""Finds links to rules: Yawgatog's anchors, Academy Ruins' addresses, and our own permalinks."""

import re
from collections.abc import Iterator

from variorum.audit.citations.number_lists import ANCHOR, FULL, Citation, PrintedNumber
from variorum.rule_numbers import DOTTED, SECTION

_NUMBER = rf"(?P<number>{DOTTED}|{SECTION})(?![\w-]|\.\d)"
_PATH = r"[^\s\"'`<>()\[\]{}#?]"
_LINK = re.compile(
    rf"""
    yawgatog\.com/ {_PATH}{{0,80}} \#R (?P<anchor> (?P<section>[1-9]\d\d) (?P<rule>\d{{0,3}})
        (?P<letters>[a-z]{{0,2}}) ) (?!\w)
    | academyruins\.com/ (?:{_PATH}{{0,80}}[/])? (?:[?\#](?:\w+=)?)? {_NUMBER}
    """,
    re.VERBOSE | re.IGNORECASE | re.ASCII,
)
# "rule/704.5k/" is today's rule with a number, "2007-10-01/6/#600.4a" that of an edition.
_OURS = re.compile(
    rf"(?:(?<=/rule/)|(?P<day>\d{{4}}-\d\d-\d\d(?:\.\d)?)/[1-9]/\#){_NUMBER}", re.ASCII
)
_ADDRESS = re.compile(r"https?://[^\s\"'`<>()\[\]{}]{0,300}\Z")
_LONGEST = 320


def find_links(text: str) -> Iterator[Citation]:
    """Yield the links to rules in a text."""
    if "/" not in text:
        return
    for link in _LINK.finditer(text):
        if link["anchor"]:
            rule = f".{link['rule']}" if link["rule"] else ""
            number, form, group = f"{link['section']}{rule}{link['letters']}", ANCHOR, "anchor"
            if link["letters"] and not rule:
                continue
        else:
            number, form, group = link["number"], FULL, "number"
        yield _citation(number.casefold(), *link.span(group), form)
    for link in _OURS.finditer(text):
        if _ADDRESS.search(text, max(0, link.start() - _LONGEST), link.start()):
            found = _citation(link["number"], *link.span("number"), FULL)
            yield found._replace(edition=link["day"] or "")


def _citation(number: str, start: int, end: int, form: str) -> Citation:
    return Citation(PrintedNumber(number, start, end, form), None, start, end)
