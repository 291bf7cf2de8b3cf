# ruff: noqa: T201 - a program that prints
"""Look for each line of standard input through the library; a program for transcripts.

`searched.py search [on EDITION | ever]` prints the first hits, `searched.py resolve` the sources of
quotations, before which a number and an edition may stand, each followed by a tab.
"""

import sys
from typing import Any

import variorum


def main() -> None:
    """Do what the arguments say."""
    command, *more = sys.argv[1:]
    with variorum.open() as base:
        for line in sys.stdin.read().splitlines():
            print(line.replace("\t", "  "), end="")
            try:
                if command == "search":
                    on = more[1] if more[:1] == ["on"] else None
                    _print_hits(base.search(line, on, ever=more == ["ever"], limit=2))
                else:
                    *named, text = line.split("\t")
                    number, on = named or ("", "")
                    _print_sources(base.resolve(text, number, on or None))
            except variorum.VariorumError as error:
                print(f"  → {error}")


def _print_hits(result: Any) -> None:
    expanded = [f"{item.from_} = {item.to} ({item.kind})" for item in result.expanded]
    print(
        f"  → {result.total} {result.suggestions or ''} {result.missing or ''} {expanded or ''}".rstrip()
    )
    for hit in result.hits:
        print(f"    {_name(hit)} {hit.score} {hit.snippet}")


def _print_sources(result: Any) -> None:
    print(f"  → {result.status} {result.number_fits} {result.edition_fits} {result.total}")
    for source in result.sources[:2]:
        print(
            f"    {_name(source)} {source.edition} {source.likeness} {source.numbers} {source.snippet[:50]}"
        )


def _name(found: Any) -> str:
    name = found.number or f"glossary: {found.heading}"
    return name if found.now == name else f"{name} (now {found.now})"


if __name__ == "__main__":
    main()
