"""What `cr` says about each real document that is no plain edition, as tables in tests/golden/corpus.

The tables hold numbers, days, verdicts, and digests of whole answers: no sentence of a document.
`documents.tsv` has a row for each document and command; `passages.tsv` has the passages of the
seeds, and those of other documents that the editions do not simply confirm.
"""

import contextlib
import hashlib
import json
import random
import re
import shutil
import sqlite3
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any

import pytest

from tests.conftest import MakeOnce
from tests.support.command import Result, run
from variorum.reading.decoding import decode, split_lines

pytestmark = [pytest.mark.corpus, pytest.mark.slow]

FOLDERS = ("originals", "damaged", "bulletins", "other")
# Verdicts that say nothing special, if a document is no seed.
PLAIN = {"agrees", "announced", "commentary"}
SHOWN = ("line", "number", "verdict", "edition", "stands", "editions", "claims", "supplied")
Golden = Callable[[str, object], None]
Passages = list[dict[str, Any]]


def digest(text: str) -> str:
    """Return the beginning of a text's digest."""
    return hashlib.sha256(text.encode()).hexdigest()[:8]


def counted(names: Iterable[str]) -> str:
    """Return how often each name occurs."""
    return ", ".join(f"{name} {count}" for name, count in sorted(Counter(names).items()))


def table(rows: list[Mapping[str, object]]) -> str:
    """Return rows as tab-separated values, with a dash for what is not there."""
    lines = [[*rows[0]], *([value or "-" for value in row.values()] for row in rows)]
    return "".join("\t".join(map(str, line)) + "\n" for line in lines)


@pytest.fixture(scope="module")
def documents(corpus: Path) -> dict[str, Path]:
    """Return all documents, by folder and name; seeds by their first three characters."""
    if not (corpus.parent / "seeds").is_dir():
        pytest.skip("no folder of seeds beside the corpus")
    paths = [path for name in FOLDERS for path in sorted((corpus / name).iterdir())]
    seeds = {f"seeds/{path.name[:3]}": path for path in sorted((corpus.parent / "seeds").iterdir())}
    return {f"{path.parent.name}/{path.name}": path for path in paths} | seeds


def ask(path: Path, *words: str) -> tuple[Result, Any]:
    """Run a command on a document in its folder; return what it prints, and its JSON."""
    result = run([words[0], path.name, "--json", *words[1:]], folder=path.parent)
    return result, json.loads(result.out)


def refused(result: Result, answer: Any) -> dict[str, object]:
    """Return the row of a document that a command refuses."""
    nothing = dict.fromkeys(("layout", "from", "to", "matched"))
    message = re.sub(r"/\S*/", "", result.err)
    return {**nothing, "counts": answer["error"]["kind"], "digest": digest(message)}


def read(path: Path, kb: Path) -> dict[str, object]:
    """Return what `cr read` says; nothing of a document that is no edition."""
    result, answer = ask(path, "read", "--kb", str(kb))
    if result.code:
        return {} if "not an edition" in result.err else refused(result, answer)
    said = answer["edition"]
    counts = {name: said.get(name) for name in ("sections", "rules", "examples", "glossary")}
    return {
        "layout": said["layout"],
        "from": said["effective"],
        "to": None,
        "matched": None,
        "counts": ", ".join([f"{name} {count}" for name, count in counts.items() if count]),
        "digest": f"{digest(result.out)} {said['condition']}",
    }


def identify(path: Path, kb: Path) -> dict[str, object]:
    """Return what `cr identify` says."""
    result, answer = ask(path, "identify", "--kb", str(kb))
    if result.code:
        return refused(result, answer)
    said = [said["verdict"] for each in answer["passages"] for said in (each, *each["claims"])]
    said += [f"{each['supplied']} supplied" for each in answer["passages"] if each["supplied"]]
    linked = [row["stands"] for row in answer["passages"] if row["verdict"] == "commentary"][:9]
    return {
        "layout": answer["kind"],
        **{key: answer[key] for key in ("from", "to")},
        "matched": f"{answer['matched']} of {answer['of']}",
        "counts": f"{counted(said)}; likeliest {answer['edition']}; discusses {' '.join(linked) or '-'}",
        "digest": digest(result.out),
    }


@pytest.fixture(scope="module")
def heard(make_once: MakeOnce, documents: dict[str, Path], bases: Callable[[str], Path]) -> Path:
    """Return the folder of a base of the real editions and all documents, with what its build printed."""

    def write(folder: Path) -> None:
        shutil.copytree(bases("real"), folder / "kb")
        folders = dict.fromkeys(str(path.parent) for path in documents.values())
        built = run(["build", *folders, "--kb", str(folder / "kb")])
        (folder / "printed").write_text(f"{built.code}\n{built.out}{built.err}", encoding="utf-8")

    return make_once("base-of-documents", write)


@pytest.fixture(scope="module")
def witnesses(documents: dict[str, Path], heard: Path) -> dict[str, dict[str, Any]]:
    """Return what the base keeps of each document that it took in, with its passages."""
    with contextlib.closing(sqlite3.connect(heard / "kb" / "kb.sqlite")) as base:
        rows = {sha256: json.loads(body) for sha256, body in base.execute("SELECT * FROM witness")}
        bodies = base.execute("SELECT witness, body FROM passage ORDER BY 1, place").fetchall()
    for sha256, witness in rows.items():
        witness["attested"] = [json.loads(body) for key, body in bodies if key == sha256]
        for row in witness["attested"]:
            row["claims"] = [f"{claim['day']} {claim['verdict']}" for claim in row["claims"]]
    hashes = ((name, hashlib.sha256(path.read_bytes())) for name, path in documents.items())
    return {name: rows[key.hexdigest()] for name, key in hashes if key.hexdigest() in rows}


def attested(witness: Mapping[str, Any]) -> dict[str, object]:
    """Return what `cr build` found: the verdicts, and those on claimed days."""
    claims = [claim for row in witness["attested"] for claim in row["claims"]]
    verdicts = counted(row["verdict"] for row in witness["attested"])
    counts = (
        f"{verdicts}; claims: {counted(claim[11:] for claim in claims)}" if claims else verdicts
    )
    return {
        "layout": witness["kind"],
        "from": witness["from"],
        "to": witness["to"],
        "matched": f"{witness['matched']} of {witness['of']}",
        "counts": counts,
        "digest": f"{digest(repr(witness['attested']))} {digest(repr(witness['evidence']))}",
    }


def test_documents(
    documents: dict[str, Path],
    witnesses: dict[str, dict[str, Any]],
    bases: Callable[[str], Path],
    golden: Golden,
) -> None:
    """Reading, dating and comparing each document gives the recorded answers."""
    rows: list[Mapping[str, object]] = []
    for name, path in documents.items():
        kb = bases("real")
        answers = {"read": read(path, kb), "identify": identify(path, kb)}
        if name in witnesses:
            answers["build"] = attested(witnesses[name])
        rows += [
            {"document": name, "command": command} | row for command, row in answers.items() if row
        ]

    golden("corpus/documents.tsv", table(rows))


def test_passages(witnesses: dict[str, dict[str, Any]], golden: Golden) -> None:
    """The passages of the seeds, and all that the editions do not confirm, have the recorded verdicts."""
    rows: list[Mapping[str, object]] = []
    for name, witness in witnesses.items():
        for passage in witness["attested"]:
            if name.startswith("seeds/") or passage["verdict"] not in PLAIN:
                changed = [sign + words for sign, words in passage["pieces"] if sign != "="]
                words = " ".join(map(str.strip, changed))
                passage["claims"] = ", ".join(passage["claims"])
                passage["editions"] = ", ".join(map(" to ".join, passage["editions"]))
                rows.append(
                    {"document": name}
                    | {key: passage[key] for key in SHOWN}
                    | {"changed": words if len(words.split()) < 3 else digest(words)}
                )

    golden("corpus/passages.tsv", table(rows))


def test_build(heard: Path, documents: dict[str, Path], witnesses: dict[str, Any]) -> None:
    """Each document is taken in but two: one is cut off, one is a list of addresses."""
    code, *lines = (heard / "printed").read_text("utf-8").splitlines()

    left = {name for name in documents if name not in witnesses}
    assert (code, "/kb: 29 new, 0 known, 1 refused, 5 kept as copies, " in lines[0]) == ("1", True)
    assert left == {
        "damaged/20110930-ISD-truncated.txt",
        "damaged/20260807-HOB-first-release-nbsp.txt",  # another issue of an edition
        "other/known-download-addresses.txt",
    }


def test_short_quotations_alone(witnesses: dict[str, dict[str, Any]]) -> None:
    """The base holds only short quotations of articles and bulletins."""
    quoted = [
        passage["words"]
        for witness in witnesses.values()
        for passage in witness["attested"]
        if passage["verdict"] in {"commentary", "announced", "unknown"}
    ]

    assert len(quoted) > 300
    assert [words for words in quoted if len(words.split()) > 26 or len(words) > 170] == []


# The seeds ----------------------------------------------------------------------------------------


def seed(witnesses: dict[str, dict[str, Any]], name: str) -> tuple[str, str, str, Passages]:
    """Return a seed's kind, its first and last edition, and its passages."""
    witness = witnesses[f"seeds/{name}"]
    return witness["kind"], witness["from"], witness["to"], witness["attested"]


@pytest.mark.parametrize(
    ("name", "last", "count"), [("000", "2006-10-01", 20), ("003", "2007-02-01", 22)]
)
def test_undated(witnesses: dict[str, dict[str, Any]], name: str, last: str, count: int) -> None:
    """The excerpt agrees with 2006-10-01 alone, the fragment also with the edition after it."""
    kind, *editions, passages = seed(witnesses, name)

    assert (kind, editions) == ("excerpt", ["2006-10-01", last])
    assert Counter(passage["verdict"] for passage in passages) == {"agrees": count}


def test_rulings_page(witnesses: dict[str, dict[str, Any]]) -> None:
    """All claimed days of the rulings page are right: fifteen by words, that of 600.4f by its number."""
    kind, first, last, passages = seed(witnesses, "001")

    claims = {passage["number"]: str(passage["claims"]) for passage in passages}
    assert (kind, first, last, len(passages)) == ("excerpt", "2007-10-01", "2007-10-01", 12)
    assert "2007-10-01 confirmed (number)" in claims.pop("600.4f")
    assert sum(said.count("confirmed (words)") for said in claims.values()) == 15


def test_article(witnesses: dict[str, dict[str, Any]]) -> None:
    """Each paragraph of the article is linked with rule 800.4 or one of its subrules."""
    kind, first, _, passages = seed(witnesses, "004")

    assert (kind, first) == ("commentary", "2009-07-11")
    numbers = [passage["stands"] for passage in passages]
    assert numbers == ["800.4", *["800.4a"] * 4, "800.4d", "800.4j"]


# Excerpts -----------------------------------------------------------------------------------------


def excerpt(form: str, lines: list[str], chance: random.Random) -> tuple[str, int]:
    """Return some lines as people paste them, and how many words were altered."""
    start = chance.randrange(len(lines) // 8, len(lines) * 2 // 3)
    text = "\n".join(lines[start : start + 40])
    if form == "cut":
        return text[chance.randrange(20, 200) : -chance.randrange(1, 200)], 0
    if form == "without numbers":
        return re.sub(r"^\d{1,3}\.(\d+\.?[a-z]*\.?)? ?", "", text, flags=re.MULTILINE), 0
    if form == "altered":
        words = list(re.finditer(r"(?<=[a-z] )[a-z]{4,}(?= [a-z])", text))
        for match in sorted(chance.sample(words, 10), key=lambda each: -each.start()):
            text = f"{text[: match.start()]}zebra{text[match.end() :]}"
        return text, 10
    return text, 0


@pytest.mark.parametrize("form", ["whole", "cut", "without numbers", "altered"])
def test_excerpts(editions: tuple[Path, ...], bases: Callable[[str], Path], form: str) -> None:
    """Random excerpts are dated to a span that has their edition, and altered words are found."""
    chance = random.Random(form)
    labels = [row["label"] for row in json.loads(_on(bases, "editions").out)]
    # Before 2005 a paragraph has several lines, and without numbers they do not tell where it ends.
    since = 12 if form == "without numbers" else 0
    for place in chance.sample(range(since, len(editions)), 8):
        text = decode(editions[place].read_bytes()).text
        given, altered = excerpt(form, list(split_lines(text).texts), chance)

        answer = json.loads(_on(bases, "identify", "-", given=given).out)

        assert answer["from"] <= labels[place] <= answer["to"], labels[place]
        best = answer["candidates"][0]
        if form != "altered":
            assert best["of"] - best["matched"] <= (form == "cut"), labels[place]
        pieces = [piece for each in answer["passages"] for piece in each["pieces"]]
        came = " ".join(words for sign, words in pieces if sign == "+")
        assert came.count("zebra") >= altered, labels[place]


def _on(bases: Callable[[str], Path], *words: str, given: str = "") -> Result:
    return run([*words, "--json", "--kb", str(bases("real"))], given=given.encode())
