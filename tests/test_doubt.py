"""A step that is not certain is told as "probably" or "perhaps" wherever it is printed.

In 2010, 201.1 became 200.3 (90 %), 510 with its rules was removed (70 %), 217 perhaps (45 %); 119 is new (70 %).
"""

import re
from collections.abc import Callable
from html import unescape
from pathlib import Path

import pytest

import variorum
from tests.support.command import run
from tests.test_mcp import calls, talk

BECAME = r"probably renumbered, reworded \(90 %\)"
COMMANDS = {
    "where 201.1 --from 2008-06-20": r"probably 200\.3 since 2010-01-22 \(90 %, reworded\)",
    "where 217 --from 2008-06-20": r"perhaps removed on 2010-01-22 \(45 %\)",
    "show 201.1": r"was about what a card shows, probably now 200\.3 \(90 %\)",
    "show 201.1 --on 2008-06-20": r"this is probably 200\.3 today \(90 %\)",
    "show 510 --on 2008-06-20": r"this was probably removed on 2010-01-22 \(70 %\)",
    "show 510.3": r"probably removed on 2010-01-22 \(90 %\)",
    "history 200.3": rf"200\.3 +{BECAME}",
    "history 200": r"1 from elsewhere \(probably 201\.1 → 200\.3 \(90 %\)\)",
    "diff 2008-06-20 2010-01-22 201.1 --on 2008-06-20": rf"201\.1 → 200\.3  {BECAME}",
    "diff 2008-06-20 2010-01-22 201.1": r"\(probably 200\.3 in the other edition \(90 %\)\)",
    "diff 2010-01-22 2008-06-20 119": r"- 119  probably removed \(70 %\)",
    "changes 2010-01-22": r"New sections: probably 119 Flame \(70 %\); perhaps 300 General \(45 %\)",
    "changes 2010-01-22 --all": r"\+ 119  probably new \(70 %\)",
    "since 2009 119": r"\(probably not in 2008-06-20\)",
    "crosswalk 2008-06-20 2010-01-22": r"probably 102 → 104 How It Ends \(90 %\)",
    "crosswalk 2008-06-20 2010-01-22 201": rf"201\.1 +200\.3 +{BECAME}",
    "search --ever shows its name oil": r"probably since 1999-05-14 \(90 %\)",
    "identify A card shows its name": r"probably 200\.3 since 2010-01-22 \(90 %\)",
    "audit - --as-of 2008-06-20": r"CR 201\.1: probably now 200\.3 \(90 %, too uncertain for --fix\)",
    "audit - --as-of 2008-06-20 --notes": r"CR 510: uncertain, probably gone since .* \(70 %\)",
    "audit - --changed-since 2008-06-20": r"201\.1 → 200\.3, probably \(90 %\): ",
}
PAGES = {
    "rule/510/": r"probably removed on 22 January 2010 \(70 %\)",
    "rule/200.3/": rf"200\.3: {BECAME}",
    "rule/201.1/": r"probably now 200\.3 \(90 %\)",
    "changes/2010-01-22/": r"217 perhaps removed \(45 %\)",
}


@pytest.mark.parametrize("command", COMMANDS)
def test_a_command_tells_it(command: str, bases: Callable[[str], Path]) -> None:
    """Each command says how likely a step is."""
    told = run([*command.split(), "--kb", str(bases("sample"))], given=b"CR 201.1 and CR 510")

    assert re.search(COMMANDS[command], told.out + told.err)


@pytest.mark.parametrize("page", PAGES)
def test_a_page_tells_it(page: str, sites: Callable[[str], Path]) -> None:
    """Each page of the website does."""
    markup = (sites("sample") / page / "index.html").read_text("utf-8")

    assert re.search(PAGES[page], " ".join(unescape(re.sub("<[^>]*>", "", markup)).split()))


def test_records_have_the_chance(bases: Callable[[str], Path]) -> None:
    """The library and the server give the figure."""
    folder, ends = bases("sample"), ("2008-06-20", "2010-01-22")
    with variorum.open(folder) as base:
        chances = {it.new: it.confidence for it in base.diff(*ends).changes}
    asked = {"from": ends[0], "to": ends[1], "section": "119"}
    told = talk(folder, calls([("history", {"number": "200.3"}), ("changes", asked)]))
    history, changes = (it["result"]["structuredContent"]["answer"] for it in told)

    assert (chances["200.3"], chances["119"]) == pytest.approx((0.9, 0.7))
    assert history["steps"][-1]["confidence"] == pytest.approx(0.9)
    assert changes["changes"][0]["confidence"] == pytest.approx(0.7)
