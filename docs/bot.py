"""Answer [[704.5k]], [[511.2 @ 2008-01-01]] and !since 2022-02-11."""

import re
import sys
from collections.abc import Iterator
from datetime import date

import variorum

ASKED = re.compile(r"\[\[([^]@]+)(?:@([^]]+))?\]\]")
SINCE = re.compile(r"!since (\S+)")


def shown(base: variorum.Base, question: str, on: str) -> Iterator[str]:
    for rule in base.show(question, on):
        if rule.moved:
            yield f"({rule.moved.asked} of {rule.moved.edition} is now {rule.name})"
        yield f"{rule.name} {rule.text or rule.heading} [{rule.edition}]"
        history = base.history(rule.address, rule.edition, alone=True)
        since = [reading.from_ for reading in history.readings if reading.from_ <= rule.edition][-1]
        yield f"  number and words unchanged since {since}"


def changed(base: variorum.Base, day: str) -> Iterator[str]:
    diff = base.since(day)
    yield f"{diff.summary.substantive} reworded, {diff.summary.new} new, {diff.summary.gone} removed:"
    for change in diff.changes:
        if change.class_ == "substantive":
            yield f"  {change.new or change.old}: {', '.join(change.kinds)}"


def answers(base: variorum.Base, message: str) -> Iterator[str]:
    try:
        for question, day in ASKED.findall(message):
            yield from shown(base, question, day.strip() or "current")
        for day in SINCE.findall(message):
            yield from changed(base, day)
    except variorum.NotFoundError as error:
        yield str(error)


if __name__ == "__main__":
    with variorum.open(today=date.today()) as base:
        for message in sys.stdin:
            for line in answers(base, message):
                print(line, flush=True)
