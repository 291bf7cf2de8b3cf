"""A step that is not certain is told as "probably" or "perhaps" wherever it is printed.

In 2010, 404 became 603 (90 %), 510 with its rules was removed (70 %), 406 perhaps (45 %); 300 is new (70 %).
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
    "where 404 --from 2008-06-20": r"probably 603 since 2010-01-22 \(90 %, reworded\)",
    "where 406 --from 2008-06-20": r"perhaps removed on 2010-01-22 \(45 %\)",
    "show 404": r"was about abilities that wait, probably now 603 \(90 %\)",
    "show 404 --on 2008-06-20": r"this is probably 603 today \(90 %\)",
    "show 510 --on 2008-06-20": r"this was probably removed on 2010-01-22 \(70 %\)",
    "show 510.3": r"probably removed on 2010-01-22 \(90 %\)",
    "history 603": rf"603 +{BECAME}",
    "history 4": r"1 new \(perhaps 400 \(45 %\)\)",
    "diff 2008-06-20 2010-01-22 404 --on 2008-06-20": rf"404 → 603  {BECAME}",
    "diff 2008-06-20 2010-01-22 404": r"\(probably 603 in the other edition \(90 %\)\)",
    "diff 2010-01-22 2008-06-20 300": r"- 300  probably removed \(70 %\)",
    "changes 2010-01-22": r"New sections: probably 300 General \(70 %\); perhaps 400 General \(45 %\)",
    "changes 2010-01-22 --all": r"\+ 300  probably new \(70 %\)",
    "since 2009 300": r"\(probably not in 2008-06-20\)",
    "crosswalk 2008-06-20 2010-01-22": r"probably 404 → 603 Waiting Abilities \(90 %\)",
    "crosswalk 2008-06-20 2010-01-22 404": rf"404 +603 +{BECAME}",
    "search --ever Harbor": r"probably from 1999-05-14 to 2008-06-20 \(90 %\)",
    "identify Harbor": r"probably now 403 \(90 %\)",
    "audit - --as-of 2008-06-20": r"CR 404: probably now 603 \(90 %, too uncertain for --fix\)",
    "audit - --as-of 2008-06-20 --notes": r"CR 510: uncertain, probably gone since .* \(70 %\)",
    "audit - --changed-since 2008-06-20": r"404 → 603, probably \(90 %\): ",
}
PAGES = {
    "rule/510/": r"probably removed on 22 January 2010 \(70 %\)",
    "rule/603/": rf"603: {BECAME}",
    "rule/404/": r"probably now 603 \(90 %\)",
    "changes/2010-01-22/": r"406 perhaps removed \(45 %\)",
}


@pytest.mark.parametrize("command", COMMANDS)
def test_a_command_tells_it(command: str, bases: Callable[[str], Path]) -> None:
    """Each command says how likely a step is."""
    told = run([*command.split(), "--kb", str(bases("sample"))], given=b"CR 404 and CR 510")

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
    asked = {"from": ends[0], "to": ends[1], "section": "300"}
    told = talk(folder, calls([("history", {"number": "603"}), ("changes", asked)]))
    history, changes = (it["result"]["structuredContent"]["answer"] for it in told)

    assert (chances["603"], chances["300"]) == pytest.approx((0.9, 0.7))
    assert history["steps"][-1]["confidence"] == pytest.approx(0.9)
    assert changes["changes"][0]["confidence"] == pytest.approx(0.7)
