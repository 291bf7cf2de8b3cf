"""The library answers from any thread, with named values like the JSON forms of `cr`."""

import asyncio
import json
import shlex
import subprocess
import sys
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from datetime import date
from pathlib import Path

import jsonschema
import pytest

import variorum
from tests.conftest import ROOT
from tests.support.command import run
from tests.test_transcripts import laid_out

TODAY = date(2026, 1, 1)
SAMPLE = ROOT / "kb/variorum/sample"

Question = Callable[[variorum.Base], object]
QUESTIONS: dict[str, Question] = {
    "editions": lambda base: [edition.as_json() for edition in base.editions],
    "show": lambda base: [provision.as_json() for provision in base.show("511.2")],
    "subject": lambda base: base.subject("705").as_json(),
    "below": lambda base: [item.as_json() for item in base.below("705")],
    "references": lambda base: base.references("704.5k").as_json(),
    "history": lambda base: base.history("511", "2008-06-20", full=True).as_json(),
    "where": lambda base: base.where("511.2").as_json(),
    "why": lambda base: [step.as_json() for step in base.why("705.1", "2010-01-22")],
    "blame": lambda base: base.blame("705").as_json(),
    "diff": lambda base: base.diff("2008-06-20", "2010-01-22").as_json(),
    "diff of one": lambda base: base.diff("first", "latest", "705.1", alone=True).as_json(),
    "changes": lambda base: base.changes("2022-02-11", "705").as_json(),
    "since": lambda base: base.since("2015-04-17").as_json(),
    "crosswalk": lambda base: [row.as_json() for row in base.crosswalk("2008-06-20")],
    "search": lambda base: base.search("winning a toss").as_json(),
    "search within": lambda base: base.search("coin", within="705", limit=1).as_json(),
    "search ever": lambda base: base.search("511.2", ever=True, kinds=["rule"]).as_json(),
    "ask": lambda base: base.ask("Who wins a toss of the coin?", limit=2).as_json(),
    "number table": lambda base: base.number_table("2008-06-20"),
    "changed": lambda base: base.audit("CR 705.1", changed_since="2017-11-10").as_json(),
    "resolve": lambda base: base.resolve("the coin is tossed without a call").as_json(),
    "resolve dated": lambda base: base.resolve("wins a flip", "511.2", "2008-06-20").as_json(),
    "audit": lambda base: base.audit("see CR 511.2 and rule 705.1", "2008-06-20").as_json(),
}
# Names of schemas, and commands that print such answers.
SCHEMAS = {
    "blame": "history 705 --words",
    "diff": "diff first latest 705.1",
    "edition": "export 2008-06-20",
    "failure": "show 705.99",
    "history": "history 511 --on 2008-06-20 --full",
    "identify": f"identify {SAMPLE / '2008-06-20.txt'}",
    "refs": "refs 704.5k",
    "resolve": "identify 'the coin is tossed without a call'",
    "search": "search 'winning a toss'",
    "show": "show 511.2 --terms",
    "where": "where 511.2",
    "witnesses": "history 705.1 --witnesses",
}
# Their answers are long, and other tests hold what they are made of.
LONG = {"diff", "since", "crosswalk", "number table"}


@pytest.fixture(scope="session")
def folder(bases: Callable[[str], Path]) -> Path:
    """Return the folder of the sample rulebook's base."""
    return bases("sample")


@pytest.fixture
def opened(folder: Path) -> Iterator[variorum.Base]:
    """Return the sample base, open."""
    with variorum.open(folder, today=TODAY) as base:
        yield base


def test_answers_are_of_their_types(opened: variorum.Base) -> None:
    """The types inside an answer also have public names."""
    history = opened.history("511", "2008-06-20", full=True)
    diff = opened.diff("2008-06-20", "2010-01-22")

    assert isinstance(history.now, variorum.Whereabouts)
    assert isinstance(history.readings[0], variorum.Reading)
    assert history.subrules is not None
    assert isinstance(history.subrules.editions[0].changes[0], variorum.SubruleStep)
    assert {piece.sign for change in diff.changes for piece in change.words} == {"=", "-", "+"}
    assert diff.subject is None
    assert opened.subject("flip a coin").name == "glossary: Flip a Coin"


def test_forms_are_copies(opened: variorum.Base) -> None:
    """Changing a form changes no answer."""
    rule = opened.subject("705")
    rule.as_json()["children"].clear()

    assert rule.as_json()["children"] == rule.children != []


def test_forms_are_those_of_the_command(opened: variorum.Base, folder: Path) -> None:
    """`cr --json` prints what `as_json` returns."""
    shown = json.loads(run(["show", "511.2", "--json", "--kb", str(folder)]).out)

    assert shown == [member.as_json() for member in opened.show("511.2")]


@pytest.mark.parametrize(("name", "command"), SCHEMAS.items(), ids=list(SCHEMAS))
def test_answers_fit_their_schemas(folder: Path, name: str, command: str) -> None:
    """`cr schema` describes what `--json` prints."""
    answer = json.loads(run([*shlex.split(command), "--json", "--kb", str(folder)]).out)
    schema = json.loads(run(["schema", name]).out)

    assert schema == variorum.schema(name)
    jsonschema.Draft202012Validator.check_schema(schema)
    jsonschema.validate(answer, schema)


def test_any_thread_may_ask(
    opened: variorum.Base, folder: Path, golden: Callable[[str, str], None]
) -> None:
    """Many threads that ask at once get the same answers as one thread, which are unchanged."""
    with variorum.open(folder, today=TODAY) as alone:
        expected = {name: ask(alone) for name, ask in QUESTIONS.items()}
    interval = sys.getswitchinterval()
    sys.setswitchinterval(1e-5)
    try:
        with ThreadPoolExecutor(12) as pool:
            asked = [(name, pool.submit(ask, opened)) for name, ask in [*QUESTIONS.items()] * 6]
            wrong = {name for name, future in asked if future.result() != expected[name]}
    finally:
        sys.setswitchinterval(interval)

    assert wrong == set()
    told = {name: expected[name] for name in QUESTIONS if name not in LONG}
    golden("library.txt", laid_out(json.dumps(told)))


def test_async_programs_ask(opened: variorum.Base) -> None:
    """An event loop hands questions to threads."""

    async def ask() -> list[object]:
        both = asyncio.to_thread(opened.subject, "705.1"), asyncio.to_thread(opened.where, "511.2")
        rule, destination = await asyncio.gather(*both)
        return [rule.number, destination.new]

    # In a thread of its own, since browser tests leave a loop running in this one.
    with ThreadPoolExecutor(1) as pool:
        assert pool.submit(asyncio.run, ask()).result() == ["705.1", ["705.2"]]


def test_audit_of_a_table(opened: variorum.Base) -> None:
    """A text named like a table is read as one; correct citations are listed on request."""
    text = "rule,card\n511.2,Coin\n"
    as_table = opened.audit(text, "2008-06-20", name="cards.csv")

    assert [finding.cited for finding in as_table.findings] == ["511.2"]
    assert opened.audit(text, "2008-06-20").findings == []
    every = opened.audit("CR 511.2", "2008-06-20", to="2008-06-20", every=True)
    assert [finding.status for finding in every.findings] == ["current"]
    counts = {"files": 1, "citations": 1, "statuses": {"current": 1}, "sure": 0, "fixed": 0}
    assert every.summary.as_json() == {**counts, "known": 0, "to": "2008-06-20"}


def test_subrules_unless_alone(opened: variorum.Base) -> None:
    """Questions about time and changes are also about subrules, unless asked about a rule alone."""
    editions = "2008-06-20", "2010-01-22", "705"

    assert opened.history("705").subrules is not None
    assert opened.history("705", alone=True).subrules is None
    assert len(opened.blame("705").subrules) == 3
    assert opened.blame("705", alone=True).subrules == []
    assert opened.diff(*editions).summary.provisions == 4
    assert opened.diff(*editions, alone=True).summary.provisions == 1
    assert opened.changes("2010-01-22", "705").summary.provisions == 4
    assert opened.since("2008-06-20", "705").summary.provisions == 4


def test_errors(opened: variorum.Base) -> None:
    """Nothing precedes the first edition; no edition has half a sign."""
    with pytest.raises(variorum.NotFoundError, match="1999-05-14: the first edition"):
        opened.changes("first")
    with pytest.raises(variorum.NotFoundError):
        opened.show("\ud800")


def test_error_closed(folder: Path) -> None:
    """A closed base answers nothing, and may be closed again."""
    base = variorum.open(folder)
    base.close()
    base.close()

    with pytest.raises(Exception, match="closed"):
        base.subject("705.1")


LANDS = (
    "If a card cares only which side lands upward, the coin is tossed without a call, and nobody "
    "wins or loses the flip."
)
BOT_SAYS = [
    "704.5a A player whose flame is 0 or less loses the game. [2025-05-30]",
    "  number and words unchanged since 2010-01-22",
    "(511.2 of 2008-06-20 is now 705.2)",
    f"705.2 {LANDS} [2025-05-30]",
    "  number and words unchanged since 2010-01-22",
    f"511.2 {LANDS} [2008-06-20]",
    "  number and words unchanged since 2006-03-01",
    "4 reworded, 4 new, 0 removed:",
    "  104.4: reworded",
    "  500.3: reworded",
    "  601.2: new",
    "  602.2: reworded",
    "  702.11#2: new",
    "  702.11a#2: new",
    "  704.5j: reworded",
    "  glossary: Kindle: new",
    "999.9: no edition has had this number; cr toc lists numbers",
]


def test_bot_of_the_manual(folder: Path) -> None:
    """docs/bot.py has some forty lines, and answers typical messages."""
    file = ROOT / "docs" / "bot.py"
    message = (
        "[[704.5a]]? and [[511.2]], [[511.2 @ 2008-06-20]]\nhello\n!since 2022-02-11\n[[999.9]]\n"
    )

    done = subprocess.run(
        [sys.executable, "-P", str(file)],
        input=message,
        env={"VARIORUM_KB": str(folder), "PYTHONWARNINGS": "error"},
        capture_output=True,
        check=True,
        encoding="utf-8",
    )

    assert len([line for line in file.read_text("utf-8").splitlines() if line]) <= 40
    assert done.stdout.splitlines() == BOT_SAYS


@pytest.mark.slow
def test_changed_since(folder: Path) -> None:
    """What changed under citations is told."""
    with variorum.open(folder, today=TODAY) as base:
        changed = base.audit("# CR 705.1, CR 705.3\n", changed_since="2017-11-10").findings

    assert [(finding.cited, finding.status) for finding in changed] == [("CR 705.1", "reworded")]
