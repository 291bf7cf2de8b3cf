"""Compare the answers of `cr` on the real editions with the tables in lab/gates; `make gates` runs this.

A difference in these fails: the provisions of each edition, as digests; where provisions went from
one edition to the next, if readers decided it or the program is certain; the addresses of the
website; the counts of right and wrong answers on the gold of Netrunner. All other steps that differ
are listed. `--update` writes the tables anew. Everything is asked of the command `cr`, so that the
gates outlive what lies behind it.
"""

# ruff: noqa: T201 - it prints what differs

import argparse
import csv
import hashlib
import json
import lzma
import os
import shutil
import subprocess
import sys
import sysconfig
import tempfile
from collections.abc import Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path
from typing import Any

TABLES = Path(__file__).with_suffix("")
NAMES = ("provisions", "steps", "addresses", "netrunner")
CERTAIN = 0.99
"""Steps with at least this confidence must not change."""
RETURNS = [("2002-02-20", "2003-05-26"), ("2003-03-15", "2003-07-01")]
"""Pairs of editions between which a provision returns that the edition in between lacks."""
SHOWN = 40

Table = dict[str, str]

# What is asked of the program ---------------------------------------------------------------------


@dataclass(frozen=True)
class Program:
    """The command, and a base that it reads."""

    cr: str
    base: Path

    def run(self, *words: str | Path) -> str:
        """Run the command and return what it prints."""
        command = [self.cr, *map(str, words), "--kb", str(self.base)]
        done = subprocess.run(
            command, check=False, capture_output=True, text=True, encoding="utf-8"
        )
        if done.returncode:
            sys.exit(f"{' '.join(command)} ends with {done.returncode}:\n{done.stderr}")
        return done.stdout

    def editions(self) -> list[str]:
        """Return the labels of all editions, oldest first."""
        return [edition["label"] for edition in json.loads(self.run("editions", "--json"))]

    def provisions(self, edition: str) -> Iterator[tuple[str, list[object]]]:
        """Yield the section of each provision in printed order, and all that is digested of it."""
        exported = json.loads(self.run("export", edition, "--json"))
        for item in exported["provisions"]:
            meant = [
                odd["meant"] for odd in item["irregularities"] if odd["printed"] == item["number"]
            ]
            of_it = [item["kind"], item["address"], item["heading"]]
            yield (
                item["number"].partition(".")[0],
                [*of_it, item["text"].split("\n"), item["examples"], [*filter(None, meant)]],
            )
        for entry in exported["glossary"]:
            words = entry["text"].split("\n")
            yield "glossary", ["glossary", "", entry["term"], words, entry["examples"], []]

    def steps(self, old: str, new: str) -> list[dict[str, Any]]:
        """Return how the provisions of one edition came into another: old, new, kinds, and so on."""
        asked = ("crosswalk", old, new, "--all", "--glossary", "--json")
        rows: list[dict[str, Any]] = json.loads(self.run(*asked))
        return rows

    def addresses(self, folder: Path) -> Iterator[str]:
        """Build the website in a folder and yield the paths of its files."""
        self.run("site", folder)
        for path in sorted(folder.rglob("*")):
            if path.is_file() and path.name != ".variorum-site.json":
                yield path.relative_to(folder).as_posix()


# What is compared ---------------------------------------------------------------------------------


def digests(edition: str, provisions: Iterable[tuple[str, list[object]]]) -> Table:
    """Return a digest of an edition, and one of each section."""
    lines: dict[str, list[str]] = {"": []}
    for section, of_it in provisions:
        line = json.dumps(of_it, ensure_ascii=False)
        lines[""].append(line)
        lines.setdefault(section, []).append(line)
    return {
        f"{edition} {section}".strip(): hashlib.sha256("\n".join(some).encode()).hexdigest()[:16]
        for section, some in lines.items()
    }


def step_rows(old: str, new: str, steps: Iterable[Mapping[str, Any]]) -> Table:
    """Return a row for each step but those that are certainly kept, under the same number.

    Its first letter says whether people read the step (r), else whether it is certain (s) or not (o).
    """
    rows: Table = {}
    for step in steps:
        is_read = any(read.get("readings") != "computed" for read in step["read"])
        how = "r" if is_read else "s" if step["confidence"] >= CERTAIN else "o"
        asked = step["old"] or f"(new) {step['new'][0]}"
        answer = f"{how} {'; '.join(step['new'])} ({', '.join(step['kinds'])})"
        if answer != _untold(asked):
            rows[f"{old} {new} {asked}"] = answer
    return rows


def _untold(asked: str) -> str:
    """Return the answer about a provision that has no row."""
    return "o not new" if asked.startswith("(new)") else f"s {asked} (kept)"


def netrunner(program: Program, gold: Path) -> tuple[Table, list[str]]:
    """Return how many steps of the gold are right and wrong, and those that are wrong."""
    with gold.open(encoding="utf-8", newline="") as table:
        ids = list(csv.DictReader(table, delimiter="\t"))
    days = [column for column in ids[0] if column != "id"]
    count, wrong = {"right": 0, "wrong": 0, "wrong and certain": 0}, list[str]()
    for old, new in pairwise(days):
        steps = {step["old"]: step for step in program.steps(old, new)}
        for names in ids:
            if not (_counts(names[old]) and _counts(names[new])):
                continue
            step = steps.get(names[old], {"new": [], "kinds": ["not there"], "confidence": 1.0})
            heir = next(iter(step["new"]), "")
            if heir == names[new]:
                count["right"] += 1
                continue
            count["wrong"] += 1
            count["wrong and certain"] += step["confidence"] >= CERTAIN
            said = f"{heir} ({', '.join(step['kinds'])}, {step['confidence']})"
            wrong.append(f"{old} {new} {names[old]}: is {names[new]}; said {said}")
    return {name: str(number) for name, number in count.items()}, wrong


def _counts(number: str) -> bool:
    """Return whether a number of the gold is no chapter's, and before 950."""
    return 100 <= int(number.partition(".")[0] or 0) < 950


# The comparison -----------------------------------------------------------------------------------


@dataclass
class Differences:
    """Lines about differences, by what differs.

    Attributes:
        failing: Differences that need a reason.
        listed: Steps that nobody read and that were not certain.
    """

    failing: dict[str, list[str]] = field(default_factory=dict)
    listed: list[str] = field(default_factory=list)


def compare(name: str, was: Table, now: Table, differences: Differences) -> None:
    """Add the differences of a table."""
    for key in sorted(was.keys() | now.keys()):
        before, after = was.get(key), now.get(key)
        if name == "steps":
            asked = key.split(" ", 2)[2]
            before, after = before or _untold(asked), after or _untold(asked)
            is_same = before[2:] == after[2:] and (before[0] == "r") == (after[0] == "r")
            is_failing = before[0] == "r" or (before[0] == "s" and before[2:] != after[2:])
            before, after = _told(before), _told(after)
        else:
            is_same, is_failing = before == after, True
        if not is_same:
            line = f"{key}: was {before or 'nothing'}; is {after or 'nothing'}"
            if after is None or before is None:
                line = f"{key}: {'no longer there' if after is None else 'not there before'}"
            (differences.failing.setdefault(name, []) if is_failing else differences.listed).append(
                line
            )


def _told(answer: str) -> str:
    return f"{answer[2:]}, {({'r': 'read', 's': 'certain', 'o': 'not certain'})[answer[0]]}"


def say(differences: Differences, shown: int) -> int:
    """Print the differences, and return the exit code."""
    headed = [(f"{name}: {{}} differ", lines) for name, lines in differences.failing.items()]
    if differences.listed:
        headed.append(
            ("steps that nobody read and that were not certain: {} differ", differences.listed)
        )
    for head, lines in headed:
        print(head.format(len(lines)))
        print(*(f"  {line}" for line in lines[:shown]), sep="\n")
        if lines[shown:]:
            print(f"  … and {len(lines) - shown} more; ARGS=--all shows them")
    if differences.failing:
        print("The gates fail. If all of this is meant, `make gates ARGS=--update`, and say why.")
        return 1
    print("The gates hold.")
    return 0


# The tables ---------------------------------------------------------------------------------------


def read_table(name: str) -> Table:
    """Return a committed table, which has a key and a value a line."""
    path = TABLES / f"{name}.tsv.xz"
    lines = lzma.decompress(path.read_bytes()).decode().splitlines() if path.exists() else []
    return dict(line.split("\t") for line in lines)


def write_table(name: str, table: Table) -> None:
    """Write a table, unless it is as committed."""
    if table != read_table(name):
        TABLES.mkdir(exist_ok=True)
        lines = "".join(f"{key}\t{value}\n" for key, value in sorted(table.items()))
        packed = lzma.compress(lines.encode(), preset=9 | lzma.PRESET_EXTREME)
        (TABLES / f"{name}.tsv.xz").write_bytes(packed)


# The command --------------------------------------------------------------------------------------


def measured(name: str, program: Program, corpus: Path, work: Path) -> Table | None:
    """Return one of the tables as the program makes it now; None without what it needs."""
    if name == "addresses":
        return dict.fromkeys(program.addresses(work / "site"), "")
    if name == "netrunner":
        return _netrunner(program.cr, corpus.parent / "gold" / "netrunner", work)
    editions = program.editions()
    pairs = [*pairwise(editions), *RETURNS]
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        if name == "provisions":
            every = pool.map(lambda label: digests(label, program.provisions(label)), editions)
        else:
            every = pool.map(lambda pair: step_rows(pair[0], pair[1], program.steps(*pair)), pairs)
        return {key: value for table in every for key, value in table.items()}


def _netrunner(cr: str, gold: Path, work: Path) -> Table | None:
    """Print what is wrong on the gold, if that changed, and return the counts."""
    if not gold.is_dir():
        print(f"The gold of Netrunner is skipped: there is no folder {gold}.")
        return None
    # The table of ids, which lies beside the editions, is no document.
    (work / "netrunner").mkdir()
    for text in gold.glob("*.txt"):
        shutil.copy(text, work / "netrunner")
    program = Program(cr, work / "netrunner-base")
    program.run("build", work / "netrunner")
    counts, wrong = netrunner(program, gold / "ids.tsv")
    if counts != read_table("netrunner"):
        print("Wrong on the gold of Netrunner:", *wrong, sep="\n  ")
    return counts


def main(arguments: Sequence[str] | None = None) -> int:
    """Compare or update the tables; return the exit code."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--update", action="store_true", help="write the tables anew")
    parser.add_argument("--all", action="store_true", help="show every difference")
    parser.add_argument("--only", choices=NAMES, help="compare or update one table")
    parser.add_argument("--kb", type=Path, help="a base of all editions, instead of a new one")
    parser.add_argument("--cr", default=shutil.which("cr", path=sysconfig.get_path("scripts")))
    options = parser.parse_args(arguments)
    corpus = os.environ.get("VARIORUM_CORPUS")
    if not corpus:
        print("The gates are skipped: VARIORUM_CORPUS names no folder of the real editions.")
        return 0
    differences = Differences()
    with tempfile.TemporaryDirectory(prefix="variorum-gates-") as folder:
        work = Path(folder)
        program = Program(options.cr, options.kb or work / "base")
        if not options.kb and options.only != "netrunner":
            program.run("build", Path(corpus) / "official")
        for name in [options.only] if options.only else NAMES:
            table = measured(name, program, Path(corpus), work)
            if table is not None:
                compare(name, read_table(name), table, differences)
            if table is not None and options.update:
                write_table(name, table)
    code = say(differences, sys.maxsize if options.all else SHOWN)
    if options.update:
        print("The tables are as the program answers now.")
    return 0 if options.update else code


if __name__ == "__main__":
    sys.exit(main())
