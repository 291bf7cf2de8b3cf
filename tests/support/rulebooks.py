# ruff: noqa: T201 - a program that prints
"""Write small editions from lines of rules; a program for transcripts.

Each line of standard input is a year and rules from 100 on, apart by " / ". A rule stays as it was the
year before if only its number is given, moves if another follows ("101.3=101.2"), and has a new text
otherwise ("101.2 Bells ring."). A sign "+" takes all rules of the year before that are not mentioned.
Entries of the glossary are "Boat: What a keeper has." Editions are files such as `2020.txt`.
"""

import re
import sys
from pathlib import Path

LONG = "This rulebook explains a small game of lamps and boats to people who like to be sure. " * 5
NUMBER = re.compile(r"(\d[\d.]*[a-z]*)(=[\d.]+[a-z]*)?(?: (.*))?")


def main() -> None:
    """Write the editions."""
    before: dict[str, str] = {}
    for line in sys.stdin.read().splitlines():
        year, *parts = [part.strip() for part in line.split(" / ")]
        rules: dict[str, str] = {}
        entries: list[str] = []
        for part in parts:
            numbered = NUMBER.fullmatch(part)
            if part == "+":
                rules |= before
            elif numbered:
                number, source, text = numbered.groups()
                rules[number] = text or before[source[1:] if source else number]
            elif part.startswith("-"):
                del rules[part[1:]]
            else:
                entries.append(part.replace(": ", "\n", 1))
        Path(f"{year}.txt").write_text(edition(year, rules, entries), "utf-8")
        print(year, *rules)
        before = rules


def edition(year: str, rules: dict[str, str], entries: list[str]) -> str:
    """Return an edition in the plain layout."""
    day = f"These rules are effective as of June 5, {year}."
    ordered = sorted(rules, key=_key)
    titles = [f"{number}. {rules[number]}" for number in ordered if "." not in number.strip(".")]
    chapters = dict.fromkeys(number[0] for number in ordered)
    body = [
        f"{number}{'' if number[-1].isalpha() or number[-1] == '.' else '.'} {rules[number]}"
        for number in ordered
    ]
    text = [
        "Harborlight Comprehensive Rules",
        day,
        "Introduction",
        LONG,
        "Contents",
        "\n".join(
            [
                f"{chapter}. Chapter {chapter}\n" + "\n".join(t for t in titles if t[0] == chapter)
                for chapter in chapters
            ]
        ),
        "Glossary",
        "Credits",
    ]
    for chapter in chapters:
        text += [f"{chapter}. Chapter {chapter}", *[line for line in body if line[0] == chapter]]
    text += [
        "Glossary",
        *(entries or ["Boat\nWhat a keeper has."]),
        "Credits",
        "Harborlight Original Game Design: Nobody",
        day,
    ]
    return "\n\n".join(text) + "\n"


def _key(number: str) -> tuple[str, list[int], int, str]:
    section, _, rest = number.partition(".")
    digits = re.match(r"\d*", rest)
    letters = rest[len(digits[0]) :] if digits else rest
    return section, [int(digits[0])] if digits and digits[0] else [], len(letters), letters


if __name__ == "__main__":
    main()
