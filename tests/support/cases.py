# ruff: noqa: T201 - a program that prints
"""Many small files for `cr audit`, each a line of a table; a program for transcripts.

`cases.py write FILE` makes a folder with a file for each line of FILE, where ⏎ is a line feed and ␍ a
carriage return. `cases.py numbers FILE` prints each line with the numbers that `cr audit --jsonl` on
standard input found in it, `cases.py verdicts FILE` with the verdicts, and `cases.py texts FILE` with
the file's present text if it has changed. `cases.py findings` prints verdicts without a table.
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
    if action == "findings":
        for finding in findings_in(sys.stdin.read()):
            print(f"{finding['file']}:{finding['line']}:{finding['column']} {verdict(finding)}")
        return
    table = Path(rest[0])
    folder = table.with_suffix("")
    cases = table.read_text("utf-8").splitlines()
    files = [folder / f"{place:03}{rest[1] if rest[1:] else '.txt'}" for place in range(len(cases))]
    if action == "write":
        folder.mkdir()
        for case, file in zip(cases, files, strict=True):
            file.write_text(case.replace("⏎", "\n").replace("␍", "\r"), "utf-8", newline="")
        return
    found = defaultdict(list)
    for finding in findings_in("" if action == "texts" else sys.stdin.read()):
        found[finding["file"]].append(finding)
    for case, file in zip(cases, files, strict=True):
        findings = found[file.as_posix()]
        if action == "numbers":
            print(f"{case} => {' '.join(map(numbers, findings)) or '-'}")
        if action == "verdicts":
            print("\n    ".join([case, *map(verdict, findings)]))
        if action == "texts":
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
