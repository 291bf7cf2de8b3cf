"""What judgements rest on: where it changes, they are made anew."""

from collections.abc import Iterable
from datetime import date

from variorum_crawler.json_files import hash_of
from variorum_crawler.trust.held import Held
from variorum_crawler.trust.judge import JUDGE_VERSION
from variorum_kb.facts.editions import facts_digest, known_editions
from variorum_kb.reading.edition import READER_VERSION


def judged_by() -> str:
    """Return what a judgement rests on; where it changes, what is in quarantine is judged anew."""
    return f"judge {JUDGE_VERSION}, reader {READER_VERSION}, facts {facts_digest()}"


def judged_among(held: Iterable[Held]) -> str:
    """Return what it rests on that a file is no edition, nor anything that attests one."""
    hashes = " ".join(sorted(one.candidate.sha256 for one in held))
    return f"{judged_by()}, editions {hash_of(hashes.encode())[:16]}"


def known_days() -> dict[str, date]:
    """Return the days of all documents that the table of facts knows, by their hashes."""
    return {sha256: day for day, facts in known_editions().items() for sha256 in facts.issues}
