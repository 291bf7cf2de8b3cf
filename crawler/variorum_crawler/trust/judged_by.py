"""What a judgement depends on; when that changes, it is made anew."""

from collections.abc import Iterable
from datetime import date

from variorum_crawler.json_files import hash_of
from variorum_crawler.trust.held import Held
from variorum_crawler.trust.judge import JUDGE_VERSION
from variorum_kb.facts.editions import facts_digest, known_editions
from variorum_kb.reading.edition import READER_VERSION


def judged_by() -> str:
    """Return what a judgement depends on: the versions of judge, reader and facts."""
    return f"judge {JUDGE_VERSION}, reader {READER_VERSION}, facts {facts_digest()}"


def judged_among(held: Iterable[Held]) -> str:
    """Return what the finding that a local file is no edition depends on."""
    hashes = " ".join(sorted(one.candidate.sha256 for one in held))
    return f"{judged_by()}, editions {hash_of(hashes.encode())[:16]}"


def known_days() -> dict[str, date]:
    """Return the dates of the documents in the table of facts, by hash."""
    return {sha256: day for day, facts in known_editions().items() for sha256 in facts.issues}
