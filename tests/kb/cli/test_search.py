"""The commands `cr search` and `cr resolve`."""

import json
import re
import shutil
from collections.abc import Callable
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING

import click
import pytest
from click.testing import CliRunner, Result

from variorum_kb.cli.main import main
from variorum_kb.cli.pages.search import notes, set_hits, when_printed
from variorum_kb.search.answer import Search
from variorum_kb.search.indexes.cache import open_cache
from variorum_kb.search.search_options import SearchOptions
from variorum_kb.system.lock import locked
from variorum_kb.system.terminal import shown

if TYPE_CHECKING:
    from variorum_kb.forms.search import SearchJson

IN_FORCE = "Comprehensive Rules effective 2025-05-30"


@pytest.fixture(scope="module")
def folder(indexed: Path) -> Path:
    """Return the folder of the base."""
    return indexed


PAGES = """\
search gleam
search boat can’t sail --limit 4
search “storm markers”
search gleem boats --limit 2
search 702.9
search 511
search skim* NOT glossary --in 702
search boat --kind section --kind glossary --limit 3
search harbor --on 2008-06-20 --limit 3
search harbor --ever --limit 4
search -- -N/-0
search -1/-1 boat --limit 1
resolve this boat deals its damage before boats without gleam do
resolve only cards in the harbor have a condition
resolve only cards in the harbor have a condition --number 100.1 --on 2025-05-30
resolve 100.1. only cards in the harbor have a condition
resolve boat that bars or barred deals no damage to lighthouse even if it sinks everything
resolve a player who has the watch may hoist a --number 302.1 --on latest
resolve a player who has the watch may hoist a --on latest
resolve cards that had it now say so in full
search xylophone
search skimmming --on first
search undrtow salvge
search "undrtow
search condition
search xylophone --ever
search gleam AND undertow
search gleam --in 5
search
search boat AND
search ...
search co*
search x --on first --ever
search x --in 7x
search x --in boat
search x --kind card
search x --limit 0
search boat --on yesterday
search boat --in 999
resolve
resolve …
resolve boat --number x
resolve boat --number 508.1d-f
resolve boat --on yesterday
"""


@pytest.mark.slow
def test_pages(cr: Callable[..., Result], golden: Callable[[str, object], None]) -> None:
    """Each page, and each message if nothing is found or the usage is wrong, is unchanged."""
    results = [(line, cr(*line.split())) for line in PAGES.splitlines()]

    pages = [
        f"$ cr {line}\n{result.output}exit code {result.exit_code}\n" for line, result in results
    ]
    golden("cr-search-and-resolve.txt", "\n".join(pages))


def yes(_: object) -> bool:
    """Return True, as for a terminal."""
    return True


@pytest.fixture
def on_terminal(folder: Path) -> Callable[..., list[str]]:
    """Return the lines of the command on a coloured terminal of some width."""

    def run(width: int, *arguments: str) -> list[str]:
        with pytest.MonkeyPatch.context() as patch:
            patch.setenv("VARIORUM_KB", str(folder))
            patch.setattr("variorum_kb.system.terminal.may_colour", yes)
            patch.setattr("variorum_kb.cli.commands.search.page_width", lambda: width)
            result = CliRunner().invoke(main, list(arguments))
        assert (result.exit_code, result.stderr) == (0, "")
        return result.stdout.splitlines()

    return run


def test_page_in_colour(
    on_terminal: Callable[..., list[str]], golden: Callable[[str, object], None]
) -> None:
    """On a terminal, lines fit its width, numbers are bold, and matches underlined."""
    lines = on_terminal(80, "search", "boat", "hoist", "--limit", "4")

    assert all("**" not in line for line in lines)
    bodies = [line for line in lines if line.startswith("    ")]
    assert max(len(click.unstyle(line)) for line in bodies) <= 80
    golden("cr-search-in-colour.txt", "\n".join(lines).replace("\x1b", "␛") + "\n")


@pytest.mark.parametrize("width", [40, 80])
def test_what_is_underlined(
    cr: Callable[..., Result], on_terminal: Callable[..., list[str]], width: int
) -> None:
    """The marked words of the JSON are underlined, even across lines; a pipe has no marks."""
    arguments = ("search", "player who has the watch may hoist", "--limit", "20")
    hits = json.loads(cr(*arguments, "--json").stdout)["hits"]
    shown = [hit["snippet"] for hit in hits if hit["snippet"].replace("**", "") != hit["heading"]]

    page = "\n".join(on_terminal(width, *arguments))
    marked = " ".join(re.findall(r"\*\*(.+?)\*\*", "\n".join(shown))).split()
    assert " ".join(re.findall("\x1b\\[1;4m(.*?)\x1b\\[22;24m", page)).split() == marked
    assert "**" not in cr(*arguments).stdout


@pytest.mark.parametrize(
    ("runs", "expected"),
    [
        ([["2001-01-01", "2001-01-01"]], "2001-01-01"),
        ([["2001-01-01", "2002-01-01"]], "2001-01-01 to 2002-01-01"),
        (
            [["2001-01-01", "2001-01-01"], ["2003-01-01", "2004-01-01"]],
            "2001-01-01, 2003-01-01 to 2004-01-01",
        ),
        (
            [[f"200{number}-01-01"] * 2 for number in range(5)],
            "… 2002-01-01, 2003-01-01, 2004-01-01",
        ),
    ],
)
def test_runs(runs: list[list[str]], expected: str) -> None:
    """Of many runs of editions, the last three are named, and the end of the last one."""
    labels = [f"200{number}-01-01" for number in range(9)]
    day = f"200{int(runs[-1][1][3]) + 1}-01-01"

    assert when_printed("1", None, runs, labels) == f"{expected}, removed on {day}"
    assert when_printed("1", "2", runs, labels) == f"{expected}, changed on {day}; now 2"
    assert when_printed("1", "1", runs, labels) == f"{expected}, changed on {day}"


@pytest.mark.parametrize("length", [200, 201])
def test_long_queries_are_cut(cr: Callable[..., Result], length: int) -> None:
    """Of a long query that finds nothing, the message has the beginning."""
    word = "x" * length

    message = cr("search", word).stderr.splitlines()[0]

    assert message == f"cr: {word[:200]}{'…' * (length > 200)}: nothing found in {IN_FORCE}"


# JSON ----------------------------------------------------------------------------------------


def test_json_is_the_answer(cr: Callable[..., Result], folder: Path) -> None:
    """The command prints the library's answer."""
    with Search.open(folder, today=date(2026, 1, 2)) as search:
        expected = search.search(SearchOptions("boat sails", limit=3, within="5", kinds=("rule",)))

    result = cr("search", "boat", "sails", "--limit=3", "--in", "CR 5", "--kind=rule", "--json")

    assert json.loads(result.stdout) == expected


def test_names_that_changed_kind(cr: Callable[..., Result]) -> None:
    """A rule that became an entry, and an entry that became a rule, say what they were."""
    results = json.loads(cr("search", "harbor", "--ever", "--json").stdout)
    rule, entry, *_ = results["hits"]
    rule["last"], entry["last"] = "glossary: Bay", "403"

    page = set_hits(
        results | {"hits": [rule, entry]},
        "all editions",
        ["2008-06-20", "2025-05-30"],
        width=0,
        is_coloured=False,
    )

    lines = shown(page, is_coloured=False).splitlines()
    assert "Bay  Glossary, was 217.5  Harbor  2. Cards › 217. Zones" in lines
    assert "403  was “Harbor” in the Glossary" in lines


def test_json_of_nothing(cr: Callable[..., Result]) -> None:
    """If nothing is found, the JSON is a failure with an answer without hits; stderr says so."""
    search, resolve = cr("search", "xylophone", "--json"), cr("resolve", "xylophone", "--json")

    answer, resolved = (
        json.loads(result.stdout)["error"]["answer"] for result in (search, resolve)
    )
    assert answer["hits"] == resolved["sources"] == []
    assert search.stderr == f"cr: xylophone: nothing found in {IN_FORCE}\n"
    assert resolve.stderr == "cr: no rule prints most of these words in this order\n"


# Notes ------------------------------------------------------------------------


def test_error_no_base(cr: Callable[..., Result], tmp_path: Path) -> None:
    """Without a base, the command says so and creates nothing."""
    for command in ("search", "resolve"):
        result = cr(command, "boat", "--kb", str(tmp_path))

        assert result.exit_code == 3
        assert result.stderr.startswith(f"cr: {tmp_path / 'kb.sqlite'}: no knowledge base; ")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("kind", "since", "until", "expected"),
    [
        ("era", None, "2008-06-20", 'also searched for "bay" (the rules\' wording of "haven" until 2008-06-20)'),
        ("era", "2010-01-22", None, 'also searched for "bay" (the rules\' wording of "haven" since 2010-01-22)'),
        ("era", "1999-05-14", "2008-06-20",
         'also searched for "bay" (the rules\' wording of "haven" until 2008-06-20)'),
        ("era", None, None, 'also searched for "bay" (for "haven")'),
        ("players", "2010-01-22", None, 'also searched for "bay" (for "haven")'),
        ("abbreviation", None, None, 'also searched for "bay" (for "haven")'),
    ],
)  # fmt: skip
def test_note_of_other_words(
    kind: str, since: str | None, until: str | None, expected: str
) -> None:
    """A note names the other words that were searched for, with the period of former words."""
    search: SearchJson = {
        "query": "haven",
        "hits": [],
        "suggestions": [],
        "expanded": [{"from": "haven", "to": "bay", "kind": kind, "since": since, "until": until}],
        "missing": [],
        "total": 0,
    }

    assert list(notes(search)) == [expected]


# The index -----------------------------------------------------------------------------------


def test_index_is_missing(cr: Callable[..., Result], sample_base: Path, tmp_path: Path) -> None:
    """If an index must be built, stderr says so, and the answer is the same."""
    bare = tmp_path / "kb"
    shutil.copytree(sample_base, bare)

    first, second = (cr("search", "gleam", "--kb", str(bare)) for _ in range(2))
    resolved = cr("resolve", "gleam means", "--kb", str(bare))

    line = "cr: the search index of the edition of 2025-05-30 is missing; rebuilding it\n"
    assert (first.stderr, second.stderr) == (line, "")
    assert first.stdout == second.stdout == cr("search", "gleam").stdout
    assert resolved.stderr == "cr: the search index of all editions is missing; rebuilding it\n"


def test_index_is_busy(cr: Callable[..., Result], sample_base: Path, tmp_path: Path) -> None:
    """While another process builds the indexes, the search still answers."""
    bare = tmp_path / "kb"
    shutil.copytree(sample_base, bare)

    with locked(open_cache(bare)):
        result = cr("search", "gleam", "--kb", str(bare))

    assert result.exit_code == 0
    assert result.stdout == cr("search", "gleam").stdout
    assert result.stderr.splitlines()[1].startswith("cr: the search index cannot be kept")
