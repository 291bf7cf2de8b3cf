# ruff: noqa: T201 - a program that prints
"""Many small files for `cr audit`, each a line of a table; a program for transcripts.

`cases.py write FILE` makes a folder with a file for each line of FILE, where ⏎ is a line feed and ␍ a
carriage return. `cases.py numbers FILE` prints each line with the numbers that `cr audit --jsonl` on
standard input found in it, `cases.py verdicts FILE` with the verdicts, and `cases.py texts FILE` with
the file's present text if it has changed. `cases.py findings` prints verdicts without a table, and
`cases.py files` the names of the files.
"""

import json
import sys
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import Any


def main() -> None:
    """Do what the arguments say."""
    action, *rest = sys.argv[1:]
    findings = [] if action in ("write", "texts") else list(findings_in(sys.stdin.read()))
    if action == "files":
        print(*{finding["file"]: 0 for finding in findings}, sep="\n")
    elif action == "findings":
        for finding in findings:
            print(f"{finding['file']}:{finding['line']}:{finding['column']} {verdict(finding)}")
    else:
        _of_table(action, findings, Path(rest[0]), rest[1] if rest[1:] else ".txt")


def _of_table(action: str, findings: list[dict[str, Any]], table: Path, suffix: str) -> None:
    """Write the files of a table, or print it with what was found in them."""
    folder = table.with_suffix("")
    found = defaultdict(list)
    for finding in findings:
        found[finding["file"]].append(finding)
    if action == "write":
        folder.mkdir()
    for place, case in enumerate(table.read_text("utf-8").splitlines()):
        file = folder / f"{place:03}{suffix}"
        if action == "write":
            file.write_text(case.replace("⏎", "\n").replace("␍", "\r"), "utf-8", newline="")
        elif action == "numbers":
            print(f"{case} => {' '.join(map(numbers, found[file.as_posix()])) or '-'}")
        elif action == "verdicts":
            print("\n    ".join([case, *map(verdict, found[file.as_posix()])]))
        else:
            text = file.read_bytes().decode().replace("\n", "⏎").replace("\r", "␍")
            print(f"{case} => {'as it was' if text == case else text}")


def findings_in(text: str) -> Iterator[dict[str, Any]]:
    """Yield the findings of JSON lines, which the transcripts may have laid out anew."""
    decoder, start = json.JSONDecoder(), 0
    while text := text[start:].lstrip():
        finding, start = decoder.raw_decode(text)
        yield finding


def numbers(finding: dict[str, Any]) -> str:
    """Return the numbers of a finding, a range with a dash."""
    return "–".join(filter(None, [finding["number"], finding["last"]]))


def verdict(finding: dict[str, Any]) -> str:
    """Return everything that a finding says, in a line."""
    heirs = " ".join("–".join(dict.fromkeys(ends)) for ends in finding["heirs"])
    words = [f"{numbers(finding)} [{finding['as_of'] or 'undated'}] {finding['status']}"]
    words += [f"-> {heirs}"] if heirs not in ("", numbers(finding)) else []
    words += [f"{finding['confidence']:.2f}"] if finding["confidence"] is not None else []
    words += [f"since {finding['since']}"] if finding["since"] else []
    words += [word for word in ("sure", "pinned") if finding[word]]
    words += [f"({finding['why']})"] if finding["why"] else []
    words += [f"of {len(finding['meanings'])} meanings"] if finding["meanings"] else []
    words += [f"=> {finding['rewrite']!r}"] if finding["rewrite"] else []
    return " ".join(words)


if __name__ == "__main__":
    main()
