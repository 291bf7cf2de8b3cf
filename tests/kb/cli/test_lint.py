"""`cr lint`: pages, JSON and exit codes."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from tests.support.schemas import assert_fits
from tests.support.small_bases import DAYS, build, edition, write
from variorum_kb.cli.main import main
from variorum_kb.cli.pages.lint import set_lint
from variorum_kb.system.terminal import BOLD, PLAIN, shown

RULE = "A lamp may be lit at any hour of the night (see rule 101.2)."
BELLS = "101.2. Bells ring when fog hides the buoys.\n\n101.3. A lamp with"
HARBOR = "Harbor\nSee rule 109.1 and rule 101, “Boats.”\n\n"


@pytest.fixture(scope="module")
def base(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a base of two editions: one without errors, one with findings of most kinds."""
    folder = tmp_path_factory.mktemp("lint")
    after = edition(DAYS[1], rule=RULE).decode()
    after = after.replace("101.2. A lamp with", BELLS).replace("Boat\nWhat", f"{HARBOR}Boat\nWhat")
    after = after.replace("100.2. The tide", "100.2 The tide")
    documents = {"a.txt": edition(rule=RULE), "b.txt": after.encode()}
    build(folder / "kb", write(folder, documents))
    return folder / "kb"


@pytest.fixture
def cr(base: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., Result]:
    """Return the command on that base."""
    monkeypatch.setenv("VARIORUM_KB", str(base))

    def run(*arguments: str) -> Result:
        return CliRunner().invoke(main, ["lint", *arguments])

    return run


PAGE = """\
Known errors in 2021-07-06
  1 dangling citation, 1 wrong title, 1 stale citation, no gaps, no duplicates, 1 misprint

Citations that lead nowhere
  Harbor  cites 109.1, which no rule has

Citations with the title of another rule
  Harbor  cites 101 “Boats”; the title there is “Lamps”

Citations that were not updated
  100.3  cites 101.2; means 101.3, wrong since 2021-07-06

Misprints
  period missing  once: 100.2

  Comprehensive Rules effective 2021-07-06; one source
"""


def test_page(cr: Callable[..., Result]) -> None:
    """Findings are grouped by kind, a line each, below their counts."""
    result = cr("latest")

    assert result.stdout == PAGE
    assert (result.exit_code, result.stderr) == (0, "")


def test_nothing_found(cr: Callable[..., Result]) -> None:
    """For an edition without errors, one line says so."""
    assert cr("first").stdout.splitlines()[1] == "  nothing found"


def test_kinds(cr: Callable[..., Result]) -> None:
    """Only the chosen kinds are counted and shown."""
    stdout = cr("latest", "--kind", "stale", "--kind", "gap").stdout

    assert stdout.splitlines()[1] == "  1 stale citation, no gaps"
    assert "Harbor" not in stdout
    assert "100.3" in stdout


TABLE = """\
edition        dangling      title      stale       gaps duplicates  misprints   verdicts
2020-06-05            0          0          0          0          0          0          0
2021-07-06            1          1          1          0          0          1          0
all                   1          1          1          0          0          1          0
"""


def test_table(cr: Callable[..., Result]) -> None:
    """With --all, each edition has a row of counts, and there are totals."""
    assert cr("--all").stdout == TABLE
    assert cr("--all", "--kind", "stale").stdout.split() == [
        *("edition", "stale", "2020-06-05", "0", "2021-07-06", "1", "all", "1")
    ]


@pytest.mark.parametrize("arguments", [["latest"], ["first"], ["--all"], ["--kind", "gap"]])
def test_json_fits_its_schema(cr: Callable[..., Result], arguments: list[str]) -> None:
    """The JSON has the form that docs/json.md promises."""
    answer = json.loads(cr(*arguments, "--json").stdout)

    assert_fits(answer, "lint")
    assert isinstance(answer, list) is (arguments == ["--all"])


def test_json_of_the_sample(sample_base: Path) -> None:
    """Gaps, doubles and misprints also fit the schema."""
    shown = CliRunner().invoke(main, ["lint", "--all", "--json", "--kb", str(sample_base)])

    answer = json.loads(shown.stdout)
    assert_fits(answer, "lint")
    kinds = {finding["kind"] for item in answer for finding in item["findings"]}
    assert kinds == {"gap", "double", "misprint"}


def test_json_says_where(cr: Callable[..., Result]) -> None:
    """A citation has its place in the text; the counts cover all kinds."""
    answer = json.loads(cr("latest", "--kind", "stale", "--json").stdout)

    (first,) = answer["findings"]
    assert RULE[first["start"] : first["end"]] == first["printed"] == "101.2"
    assert (first["targets"], first["means"], first["gone"]) == (["101.2"], "101.3", False)
    assert answer["counts"]["dangling"] == 1


def test_terminal(cr: Callable[..., Result]) -> None:
    """On a terminal, lines are wrapped and faulty words highlighted."""
    answer = json.loads(cr("latest", "--json").stdout)

    page = set_lint(answer, ["title", "stale"], "The edition", width=40)

    lines = page.splitlines()
    assert f"  {BOLD}100.3{PLAIN}  cites 101.2; means 101.3, wrong" in lines
    assert "      since 2021-07-06" in lines
    assert max(len(shown(line)) for line in lines[:2]) <= 40


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"confidence": 0.96}, "cites 101.2; probably means 101.3, wrong since 2021-07-06"),
        (
            {"means": None, "gone": True},
            "cites 101.2; what had this number before 2021-07-06 has no number of its own now",
        ),
        (
            {"kind": "dangling", "targets": ["101.1"]},
            "cites 101.2, which no rule has, except 101.1; means 101.3, wrong since 2021-07-06",
        ),
        (
            {"kind": "title", "title": "Fog", "heading": "Lamps", "titled": "102"},
            "cites 101.2 “Fog”; the title there is “Lamps”; “Fog” is 102",
        ),
        ({"kind": "title", "title": "Fog", "heading": ""}, "cites 101.2 “Fog”; there is no title"),
    ],
)
def test_words(cr: Callable[..., Result], change: dict[str, object], words: str) -> None:
    """A finding's line has exactly its known properties."""
    answer = json.loads(cr("latest", "--kind", "stale", "--json").stdout)
    answer["findings"][0] |= change

    page = set_lint(answer, ["stale"], "The edition", width=0)

    assert f"  100.3  {words}" in shown(page).splitlines()


def test_many_misprints(cr: Callable[..., Result]) -> None:
    """Of many misprints of a kind, some are named, and all are counted."""
    answer = json.loads(cr("latest", "--kind", "misprint", "--json").stdout)
    (first,) = answer["findings"]
    every = [first | {"address": f"100.{place // 2}"} for place in range(2, 42)]

    for count, more in ((40, ", and 8 more"), (24, "")):
        page = set_lint(answer | {"findings": every[:count]}, ["misprint"], "The edition", width=0)

        names = ", ".join(f"100.{place}" for place in range(1, 13)) + more
        assert f"  period missing  {count} times: {names}" in shown(page).splitlines()


def test_misprint_of_the_document(cr: Callable[..., Result]) -> None:
    """An irregularity of the whole document has no place."""
    answer = json.loads(cr("latest", "--kind", "misprint", "--json").stdout)
    answer["findings"][0] |= {"address": "", "misprint": "no contents"}

    page = set_lint(answer, ["misprint"], "The edition", width=0)

    assert "  no contents  once" in shown(page).splitlines()


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        (["latest"], 0),
        (["latest", "--exit-code"], 1),
        (["latest", "--exit-code", "--json"], 1),
        (["latest", "--exit-code", "--kind", "gap"], 0),
        (["first", "--exit-code"], 0),
        (["--all", "--exit-code"], 1),
    ],
    ids=str,
)
def test_exit_code(cr: Callable[..., Result], arguments: list[str], code: int) -> None:
    """Findings exit with 0, unless --exit-code is given."""
    assert cr(*arguments).exit_code == code
