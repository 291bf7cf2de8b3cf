"""Small editions, bases and websites, built by the command."""

from pathlib import Path

from tests.support.command import run
from tests.support.edition_texts import CREDITS, HEAD, RULES, page

DAYS = ["June 5, 2020", "July 6, 2021", "August 7, 2022", "September 8, 2023", "October 9, 2024"]


def edition(day: str = DAYS[0], *, rule: str = "") -> bytes:
    """Return a small edition of a day, perhaps with one more rule."""
    rules = RULES.replace("101. Lamps\n", f"100.3. {rule}\n\n101. Lamps\n") if rule else RULES
    return page(
        head=HEAD.replace(DAYS[0], day), rules=rules, credits_=CREDITS.replace(DAYS[0], day)
    )


def build_base(folder: Path, documents: dict[str, bytes]) -> Path:
    """Build a base of documents; return its folder."""
    (folder / "documents").mkdir(parents=True, exist_ok=True)
    for name, data in documents.items():
        (folder / "documents" / name).write_bytes(data)
    built = run(["build", str(folder / "documents"), "--kb", str(folder / "kb")])
    assert built.code == 0, built.err
    return folder / "kb"


def build_site(kb: Path, out: Path, *options: str) -> Path:
    """Build the website of a base; return its folder."""
    built = run(["site", str(out), "--kb", str(kb), *options])
    assert built.code == 0, built.err
    return out
