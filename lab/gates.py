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
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any

TABLES = Path(__file__).with_suffix("")
NAMES = ("provisions", "steps", "addresses", "netrunner")
CERTAIN = 0.99
"""Steps with at least this confidence must not change."""
SHOWN = 40
LISTED = "steps that nobody read and that were not certain"
_HOW = {"r": "read", "s": "certain", "o": "not certain"}

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
        done = subprocess.run(command, check=False, capture_output=True, encoding="utf-8")
        if done.returncode:
            sys.exit(f"{' '.join(command)} ends with {done.returncode}:\n{done.stderr}")
        return done.stdout

    def steps(self, old: str, new: str) -> list[dict[str, Any]]:
        """Return how the provisions of one edition came into another: old, new, kinds, and so on."""
        asked = ("crosswalk", old, new, "--all", "--glossary", "--json")
        rows: list[dict[str, Any]] = json.loads(self.run(*asked))
        return rows


def provisions(exported: Mapping[str, Any]) -> Iterator[tuple[str, list[object]]]:
    """Yield the section of each provision in printed order, and all that is digested of it."""
    for item in exported["provisions"]:
        meant = [odd["meant"] for odd in item["irregularities"] if odd["printed"] == item["number"]]
        named = [item["kind"], item["address"], item["heading"]]
        words = [item["text"].split("\n"), item["examples"], [*filter(None, meant)]]
        yield item["number"].partition(".")[0], [*named, *words]
    for entry in exported["glossary"]:
        words = entry["text"].split("\n")
        yield "glossary", ["glossary", "", entry["term"], words, entry["examples"], []]


def digests(edition: str, some: Iterable[tuple[str, list[object]]]) -> Table:
    """Return a digest of an edition, and one of each section."""
    lines: dict[str, list[str]] = {"": []}
    for section, of_it in some:
        line = json.dumps(of_it, ensure_ascii=False)
        lines[""].append(line)
        lines.setdefault(section, []).append(line)
    return {
        f"{edition} {section}".strip(): hashlib.sha256("\n".join(of_it).encode()).hexdigest()[:16]
        for section, of_it in lines.items()
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


def netrunner(cr: str, gold: Path, work: Path) -> tuple[Table, list[str]]:
    """Return how many steps of the gold are right and wrong, and those that are wrong."""
    (work / "netrunner").mkdir()
    for text in gold.glob("*.txt"):  # the table of ids beside the editions is no document
        shutil.copy(text, work / "netrunner")
    program = Program(cr, work / "netrunner-base")
    program.run("build", work / "netrunner")
    with (gold / "ids.tsv").open(encoding="utf-8", newline="") as table:
        ids = list(csv.DictReader(table, delimiter="\t"))
    right, wrong, certain = 0, list[str](), 0
    for old, new in pairwise([column for column in ids[0] if column != "id"]):
        steps = {step["old"]: step for step in program.steps(old, new)}
        for names in ids:
            # Numbers of chapters, and of what stands behind the rules, are not compared.
            if not all(100 <= int(names[day].partition(".")[0] or 0) < 950 for day in (old, new)):
                continue
            step = steps.get(names[old], {"new": [], "kinds": ["not there"], "confidence": 1.0})
            heir = next(iter(step["new"]), "")
            if heir == names[new]:
                right += 1
                continue
            certain += step["confidence"] >= CERTAIN
            said = f"{heir} ({', '.join(step['kinds'])}, {step['confidence']})"
            wrong.append(f"{old} {new} {names[old]}: is {names[new]}; said {said}")
    counts = {"right": right, "wrong": len(wrong), "wrong and certain": certain}
    return {name: str(count) for name, count in counts.items()}, wrong


def measured(name: str, program: Program, corpus: Path, work: Path) -> Table | None:
    """Return one of the tables as the program makes it now; None without what it needs."""
    if name == "addresses":
        program.run("site", work / "site")
        paths = [path for path in (work / "site").rglob("*") if path.is_file()]
        names = [path.relative_to(work / "site").as_posix() for path in paths]
        return dict.fromkeys([each for each in names if each != ".variorum-site.json"], "")
    if name == "netrunner":
        gold = corpus.parent / "gold" / "netrunner"
        if not gold.is_dir():
            print(f"The gold of Netrunner is skipped: there is no folder {gold}.")
            return None
        counts, wrong = netrunner(program.cr, gold, work)
        if counts != read_table("netrunner"):
            print("Wrong on the gold of Netrunner:", *wrong, sep="\n  ")
        return counts
    labels = [edition["label"] for edition in json.loads(program.run("editions", "--json"))]

    def of_edition(label: str) -> Table:
        return digests(label, provisions(json.loads(program.run("export", label, "--json"))))

    def of_pair(pair: tuple[str, str]) -> Table:
        return step_rows(*pair, program.steps(*pair))

    with ThreadPoolExecutor(os.cpu_count()) as pool:
        is_words = name == "provisions"
        every = pool.map(of_edition, labels) if is_words else pool.map(of_pair, pairwise(labels))
        return {key: value for table in every for key, value in table.items()}


# The comparison -----------------------------------------------------------------------------------


def compare(name: str, was: Table, now: Table) -> Iterator[tuple[str, str]]:
    """Yield the differences of a table, each below the table's name, or as one that is only listed."""
    for key in sorted(was.keys() | now.keys()):
        before, after, head = was.get(key), now.get(key), name
        if name == "steps":
            asked = key.split(" ", 2)[2]
            old, new = before or _untold(asked), after or _untold(asked)
            if old[2:] == new[2:] and (old[0] == "r") == (new[0] == "r"):
                continue
            if old[0] == "o" or (old[0] == "s" and old[2:] == new[2:]):
                head = LISTED
            before, after = (f"{said[2:]}, {_HOW[said[0]]}" for said in (old, new))
        if before is None or after is None:
            yield head, f"{key}: {'no longer there' if after is None else 'not there before'}"
        elif before != after:
            yield head, f"{key}: was {before}; is {after}"


def say(differences: Iterable[tuple[str, str]], shown: int) -> int:
    """Print the differences, and return the exit code."""
    headed = defaultdict[str, list[str]](list)
    for head, line in differences:
        headed[head].append(line)
    for head, lines in headed.items():
        print(f"{head}: {len(lines)} differ", *lines[:shown], sep="\n  ")
        if lines[shown:]:
            print(f"  … and {len(lines) - shown} more; ARGS=--all shows them")
    if headed.keys() - {LISTED}:
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
    differences: list[tuple[str, str]] = []
    with tempfile.TemporaryDirectory(prefix="variorum-gates-") as folder:
        work = Path(folder)
        program = Program(options.cr, options.kb or work / "base")
        if not options.kb and options.only != "netrunner":
            program.run("build", Path(corpus) / "official")
        for name in [options.only] if options.only else NAMES:
            table = measured(name, program, Path(corpus), work)
            if table is not None:
                differences += compare(name, read_table(name), table)
                if options.update:
                    write_table(name, table)
    code = say(differences, sys.maxsize if options.all else SHOWN)
    if options.update:
        print("The tables are as the program answers now.")
    return 0 if options.update else code


if __name__ == "__main__":
    sys.exit(main())
