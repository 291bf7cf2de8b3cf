"""Build the data packages of the crosswalk, for npm and PyPI; publish nothing.

    python -m lab.data_packages.build OUT [--kb FOLDER] [--edition EDITION]

The owner of the names can then run `npm publish` in OUT/npm and `python -m build` in OUT/pypi. A
version consists of the table's version, the day of the edition, and 0: 1.20260807.0.
"""

import argparse
import json
from importlib.resources import files
from pathlib import Path

from variorum_kb.answers.exports.number_table import csv_of, number_table
from variorum_kb.answers.knowledge_base import KnowledgeBase
from variorum_kb.forms.number import NumberTableJson

HERE = Path(__file__).parent
NAME, MODULE = "variorum-crosswalk", "variorum_crosswalk"
ABOUT = "Every rule number of the Magic Comprehensive Rules ever printed, and what it is now"
README = f"""# {NAME}

{ABOUT}: for each number, the provisions that have had it, from when to when, their heirs in the edition of
{{edition}}, how they changed, and the confidence. It contains facts only, no words of the rules; `crosswalk.schema.json` describes the table,
`crosswalk.csv` is the same as a table. Made with Variorum (`cr export --crosswalk`).
"""
TYPES = """export interface Bearer {
  first: string; last: string; now: string[]; kinds: string[]; confidence: number; read?: string[];
}
export const table: {
  format: "variorum-crosswalk"; version: 1; edition: string; editions: string[];
  numbers: Record<string, Bearer[]>;
};
export function bearers(number: string): Bearer[];
export function where(number: string, day?: string): Bearer | null;
"""
PYPROJECT = """[build-system]
requires = ["hatchling>=1.27"]
build-backend = "hatchling.build"

[project]
name = "{name}"
version = "{version}"
description = "{about}"
readme = "README.md"
license = "MIT"
requires-python = ">=3.11"

[tool.hatch.build.targets.wheel]
packages = ["{module}"]
"""


def version_of(table: NumberTableJson) -> str:
    """Return the version of a package."""
    day, _, issue = table["edition"].partition(".")
    return f"{table['version']}.{day.replace('-', '')}.{issue or 0}"


def shared_files(table: NumberTableJson) -> dict[str, str]:
    """Return the files of both packages, by name."""
    schema = files("variorum_kb").joinpath("schemas", "number_table.schema.json").read_text("utf-8")
    text = json.dumps(table, ensure_ascii=False, separators=(",", ":"))
    return {
        "crosswalk.json": f"{text}\n",
        "crosswalk.csv": csv_of(table),
        "crosswalk.schema.json": schema,
    }


def npm_files(table: NumberTableJson) -> dict[str, str]:
    """Return the files of the package for npm, by name."""
    shared = shared_files(table)
    package = {
        "name": NAME,
        "version": version_of(table),
        "description": ABOUT,
        "license": "MIT",
        "type": "module",
        "exports": {".": {"types": "./index.d.ts", "default": "./index.js"}, "./*": "./*"},
        "files": ["index.js", "index.d.ts", *shared],
        "engines": {"node": ">=18"},
    }
    return {
        **shared,
        "package.json": json.dumps(package, indent=2) + "\n",
        "index.js": (HERE / "script_module.txt").read_text("utf-8"),
        "index.d.ts": TYPES,
        "README.md": README.format(edition=table["edition"]),
    }


def pypi_files(table: NumberTableJson) -> dict[str, str]:
    """Return the files of the package for PyPI, by name."""
    shared = {f"{MODULE}/{name}": text for name, text in shared_files(table).items()}
    return {
        **shared,
        "pyproject.toml": PYPROJECT.format(
            name=NAME, version=version_of(table), about=ABOUT, module=MODULE
        ),
        f"{MODULE}/__init__.py": (HERE / "python_module.txt").read_text("utf-8"),
        f"{MODULE}/py.typed": "",
        "README.md": README.format(edition=table["edition"]),
    }


def build(out: Path, table: NumberTableJson) -> list[Path]:
    """Write both packages; return their files."""
    written: list[Path] = []
    for kind, made in (("npm", npm_files(table)), ("pypi", pypi_files(table))):
        for name, text in made.items():
            path = out / kind / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, "utf-8", newline="\n")
            written.append(path)
    return written


def main() -> None:
    """Build the packages of a knowledge base."""
    parser = argparse.ArgumentParser(description=ABOUT)
    parser.add_argument("out", type=Path)
    parser.add_argument("--kb", type=Path)
    parser.add_argument("--edition", default="latest", help="in which heirs are named")
    given = parser.parse_args()
    with KnowledgeBase.open(given.kb) as base:
        written = build(given.out, number_table(base, given.edition))
    print(f"{given.out}: {len(written)} files")  # noqa: T201 - for who runs it


if __name__ == "__main__":
    main()
