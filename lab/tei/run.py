"""Check every kind of `cr export --format tei` with TEI's own schema, tei_all.rng.

    python -m lab.tei.run FOLDER [KB]

`make conformance` runs this. FOLDER has the sdist that lab/tei/schema.txt names. KB is a base; by
default, the sample rulebook.
"""

import importlib
import sys
import tarfile
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from click.testing import CliRunner

from variorum_kb.build.build import Builder
from variorum_kb.cli.main import main as cr

# Only `make conformance` installs lxml.
etree: Any = importlib.import_module("lxml.etree")
# A whole edition, rules with their subrules, a subrule, a range, a term, and parts of an old
# edition.
ASKED = (
    "",
    "first",
    "705",
    "704.5a",
    "704.5a-c",
    "flip a coin (2003)",
    "511.2 2008-06-20",
    "2008-06-20",
)


def schema_in(folder: Path) -> Any:
    """Return the schema in an sdist."""
    (sdist,) = folder.glob("tei*validator-*.tar.gz")
    with tarfile.open(sdist) as archive:
        (member,) = [
            member for member in archive.getmembers() if member.name.endswith("/tei_all.rng")
        ]
        file = archive.extractfile(member)
        return etree.RelaxNG(etree.parse(file))


def exported(kb: Path, asked: str) -> bytes:
    """Return the output of the command."""
    words = ["export", "--kb", str(kb), "--format", "tei", *asked.split()]
    return CliRunner().invoke(cr, words, catch_exceptions=False).stdout_bytes


def main(arguments: Sequence[str]) -> int:
    """Check everything; return 1 if something fails."""
    schema = schema_in(Path(arguments[0]))
    failures = 0
    with tempfile.TemporaryDirectory() as made:
        kb = Path(arguments[1]) if arguments[1:] else Path(made)
        if not arguments[1:]:
            list(Builder(kb, now="2026-01-02T03:04:05+00:00", jobs=1).build_sample())
        for asked in ASKED:
            document = exported(kb, asked)
            is_valid = schema.validate(etree.fromstring(document))
            wrong = document.replace(b"<lem ", b"<lemma ").replace(b"</lem>", b"</lemma>")
            # A schema that accepts anything would prove nothing.
            is_strict = wrong == document or not schema.validate(etree.fromstring(wrong))
            failures += not (is_valid and is_strict)
            verdict = "passed" if is_valid and is_strict else "FAILED"
            sys.stdout.write(f"{verdict}  tei {asked or 'current'}: {len(document):,} bytes\n")
    return int(failures > 0)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
