"""The real editions in a base: what is read of each, and how copies and damaged ones are told from them."""

import csv
import json
import random
from collections.abc import Callable
from pathlib import Path
from typing import Any
from urllib.parse import unquote

import pytest

import variorum
from tests.conftest import ROOT
from tests.support.command import Result, run
from variorum.reading.edition import read_edition

pytestmark = [pytest.mark.corpus, pytest.mark.slow]

LARGEST = 40 * 10**6
UNKNOWN = ["one source", "not the known text of its date"]


def asked(kb: Path, *words: str) -> Any:
    """Return the JSON that a command prints about a base."""
    return json.loads(run([*words, "--json", "--kb", str(kb)]).out)


def build(kb: Path, *paths: Path) -> Result:
    """Build documents into a base."""
    result = run(["build", *map(str, paths), "--kb", str(kb)])
    assert result.code == 0, result.err
    return result


# All editions -------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def listed(corpus: Path, bases: Callable[[str], Path]) -> list[dict[str, Any]]:
    """Return what `cr editions` and `cr read --ledger` say about each edition, and the corpus's table."""
    editions = asked(bases("real"), "editions")
    ledgers = asked(bases("real"), "read", "--ledger")
    with (corpus / "editions.tsv").open(encoding="utf-8", newline="") as file:
        facts = list(csv.DictReader(file, delimiter="\t"))
    return [
        {**edition, "ledger": ledger, "facts": fact}
        for edition, ledger, fact in zip(editions, ledgers, facts, strict=True)
    ]


def test_counts(listed: list[dict[str, Any]], golden: Callable[[str, str], None]) -> None:
    """The counts of each edition are recorded, so any change is noticed."""
    named = ("label", "layout", "encoding", "sections", "rules", "examples", "glossary")
    roles = ("introduction", "contents", "index", "credits")
    rows = [
        {name: edition[name] for name in named}
        | {name: edition["ledger"][name] for name in ("lines", "blank", "characters")}
        | {role: edition["ledger"]["accounted"].get(role, 0) for role in roles}
        | {"hyphens": len(edition["ledger"]["hyphens"]), "odd": edition["irregularities"]}
        | {"misprints": misprints(edition["ledger"])}
        for edition in listed
    ]
    lines = [[*rows[0]], *(row.values() for row in rows)]
    golden("corpus/editions.tsv", "".join("\t".join(map(str, line)) + "\n" for line in lines))


def misprints(ledger: dict[str, Any]) -> str:
    """Return the misprinted numbers of an edition, each with the number meant."""
    odd = [
        f"{odd['address']} for {odd['meant']}"
        for odd in ledger["irregularities"]
        if odd["kind"] in {"misnumbered", "malformed number"}
    ]
    return "; ".join(odd) or "-"


def test_facts(listed: list[dict[str, Any]], bases: Callable[[str], Path]) -> None:
    """Day, set and hash are those in the table of the corpus; nothing is in doubt."""
    for edition in listed:
        facts = edition["facts"]
        assert edition["label"] == edition["effective"] == facts["effective_date"]
        assert [edition[name] for name in ("set_code", "set_name", "sha256", "file")] == [
            facts[name] for name in ("set_code", "set_name", "sha256", "file")
        ]
        assert (edition["attested"], edition["condition"]) == ("facts", "sound")
        assert edition["doubts"] == []
    assert len(listed) == 120
    assert (bases("real") / "kb.sqlite").stat().st_size <= LARGEST


def test_ledgers(listed: list[dict[str, Any]]) -> None:
    """Every line and character of every edition is accounted for."""
    for ledger in (edition["ledger"] for edition in listed):
        assert ledger["unaccounted"] == []
        assert ledger["characters"] == ledger["characters_kept"]
        assert ledger["lines"] == ledger["blank"] + sum(ledger["accounted"].values())


def test_published_addresses(corpus: Path, listed: list[dict[str, Any]]) -> None:
    """`cr sync` knows each address in the corpus; the days of its addresses are days of editions."""
    known = (corpus / "other" / "known-download-addresses.txt").read_text("utf-8").split()
    table = (ROOT / "crawler/variorum_crawler/addresses.tsv").read_text("utf-8")
    lines = [line for line in table.splitlines() if not line.startswith("#")]
    rows = list(csv.DictReader(lines, delimiter="\t"))
    addresses = {unquote(row["address"]) for row in rows if row["source"] == "known"}
    days = {row["day"] for row in rows} - {""}

    assert len(known) == 108
    assert {unquote(address) for address in known} <= addresses
    # Six editions have no address.
    labels = {edition["label"] for edition in listed}
    assert (days <= labels, len(labels - days)) == (True, 6)


def test_mangled_editions(editions: tuple[Path, ...]) -> None:
    """Editions that were cut, spliced and shuffled are read, or refused with our own errors."""
    chance = random.Random(1999)
    for _ in range(40):
        data, second = (chance.choice(editions).read_bytes() for _ in range(2))
        cut, paste = chance.randrange(len(data)), chance.randrange(len(second))
        lines = data[: len(data) // 3].split(b"\n")
        shuffled = b"\n".join(chance.sample(lines, len(lines)))
        for mangled in (data[:cut], data[cut:], data[:cut] + second[paste:], shuffled):
            try:
                assert read_edition(mangled)[1]
            except variorum.DocumentError:
                continue


# Copies and damaged editions ----------------------------------------------------------------------


def told(kb: Path) -> list[Any]:
    """Return what a base says: its editions, other documents, a history and a crosswalk."""
    return [
        asked(kb, "editions"),
        asked(kb, "history", "600.4a", "--witnesses"),
        asked(kb, "editions", "--copies"),
        asked(kb, "history", "600.4"),
        asked(kb, "crosswalk", "first", "latest"),
    ]


def test_the_order_of_documents(corpus: Path, tmp_path: Path) -> None:
    """Editions and a damaged copy give the same answers at once, or one by one, the newest first."""
    names = ("20050801-9ED.txt", "20051001-RAV.txt", "20060201-GPT.txt")
    damaged = corpus / "damaged" / "20051001-RAV-ufffd.txt"
    documents = [damaged, *(corpus / "official" / name for name in names)]
    (tmp_path / "page.txt").write_bytes(next((corpus.parent / "seeds").glob("000*")).read_bytes())

    build(tmp_path / "at once", *documents, tmp_path / "page.txt")
    build(tmp_path / "by one", documents[3])
    build(tmp_path / "by one", tmp_path / "page.txt")
    build(tmp_path / "by one", damaged)
    alone = asked(tmp_path / "by one", "editions")[0]
    for path in documents[2:0:-1]:
        build(tmp_path / "by one", path)

    assert alone["doubts"][:2] == UNKNOWN
    assert told(tmp_path / "by one") == told(tmp_path / "at once")
    assert [row["doubts"] for row in asked(tmp_path / "by one", "editions")] == [[], [], []]


def test_one_altered_word(corpus: Path, tmp_path: Path) -> None:
    """A text with one changed word is a copy that names the rule, even if it was there first."""
    data = (corpus / "official" / "20260417-SOS.txt").read_bytes()
    place = data.index(b" loses the game", data.index(b"\n104.3a "))
    (tmp_path / "altered.txt").write_bytes(data[:place] + b" wins" + data[place + len(b" loses") :])
    (tmp_path / "sound.txt").write_bytes(data)
    kb = tmp_path / "kb"
    build(kb, tmp_path / "altered.txt")

    printed = build(
        kb, tmp_path / "sound.txt", corpus / "damaged" / FIRST, corpus / "official" / LAST
    )

    assert "copy of 2026-04-17: other words in 104.3a" in printed.err
    assert "wins the game" not in run(["104.3a", "--on", "SOS", "--kb", str(kb)]).out
    # Of a day with two issues, both are known, and the day means the last.
    labels = {row["label"]: row["doubts"] for row in asked(kb, "editions")}
    assert labels == {"2026-04-17": [], "2026-08-07.1": [], "2026-08-07.2": []}
    assert "2026-08-07.2" in run(["2026-08-07", "--kb", str(kb)]).out


FIRST, LAST = "20260807-HOB-first-release-nbsp.txt", "20260807-HOB.txt"


def test_holes(editions: tuple[Path, ...], tmp_path: Path) -> None:
    """A cut of 2,000 bytes is noticed by the neighbours, which lack nothing, though nobody knows them."""
    chance, cut = random.Random(7), set()
    for place in (14, 36, 58, 80):
        for at in (place - 1, place, place + 1):
            data = editions[at].read_bytes()
            start, last = chance.randrange(len(data) // 10, len(data) * 6 // 10), data.rindex(b"e")
            if at == place:
                data = data[:start] + data[start + 2000 :]
                cut.add(editions[at].name)
            (tmp_path / editions[at].name).write_bytes(data[:last] + b"a" + data[last + 1 :])
    build(tmp_path / "kb", *sorted(tmp_path.glob("*.txt")))

    for edition in asked(tmp_path / "kb", "editions"):
        doubts = edition["doubts"]
        assert doubts[:2] == UNKNOWN
        missing = " rules missing: " in "".join(doubts[2:])
        assert missing is (edition["file"] in cut), (edition["label"], doubts)
