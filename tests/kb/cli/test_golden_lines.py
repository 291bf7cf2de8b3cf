"""The output of commands on the sample rulebook, line by line, with all their options."""

import json
import re
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner

from tests.support.sample_cards import ATOMIC
from variorum_kb.cli.main import main

DOCUMENTS = Path(__file__).parents[1] / "sources" / "documents"
SAMPLE = Path(__file__).parents[3] / "kb/variorum_kb/sample"
COMMANDS = [
    ["editions"],
    ["toc"],
    ["toc", "705"],
    ["toc", "7", "--on", "2015-04-17"],
    ["toc", "705", "--json"],
    ["glossary"],
    ["glossary", "flip", "a", "coin", "--on", "2003-02-10"],
    ["refs", "704"],
    ["refs", "--dangling", "2008-06-20"],
    ["refs", "--dangling", "--on", "2008-06-20", "--json"],
    ["ledger"],
    ["ledger", "first", "2010-01-22"],
    ["history", "705.1"],
    ["history", "511", "--on", "2008-06-20"],
    ["history", "600.4b"],
    ["history", "702.3"],
    ["history", "705", "--full"],
    ["history", "704", "--only"],
    ["history", "501", "--on", "2008-06-20"],
    ["diff", "2006-03-01", "2025-05-30", "705"],
    ["diff", "2025-05-30", "2008-06-20", "600"],
    ["where", "511", "--from", "2008-06-20"],
    ["where", "600.4b"],
    ["where", "702.9", "--from", "2025-05-30", "--to", "2006-03-01"],
    ["crosswalk", "2008-06-20", "2010-01-22"],
    ["crosswalk", "2022-02-11", "2017-11-10", "--glossary"],
    ["crosswalk", "2017-11-10", "2022-02-11", "--csv"],
    ["why", "705.1", "--on", "2010-01-22"],
    ["why", "409.3", "--on", "2008-06-20"],
    ["diff", "2008-06-20", "2010-01-22", "511.2"],
    ["diff", "2015-04-17", "2022-02-11"],
    ["diff", "1999-05-14", "2025-05-30", "--summary"],
    ["diff", "2017-11-10", "2022-02-11", "--no-substantive", "--no-moves", "--sweeps"],
    ["changes"],
    ["changes", "2006-03-01"],
    ["changes", "705"],
    ["since", "2018-01-01"],
    ["blame", "705.1"],
    ["blame", "705"],
    ["blame", "flip a coin", "--on", "2006-03-01"],
    ["show", "705.1"],
    ["show", "705", "--on", "2010-01-22"],
    ["show", "511", "--on", "2008-06-20", "--json"],
    ["show", "704.5a-c"],
    ["show", "boat"],
    ["editions", "--json"],
    ["where", "511.2", "--from", "2008-06-20", "--json"],
    ["history", "705.1", "--json"],
    ["why", "705.1", "--on", "2010-01-22", "--json"],
    ["blame", "705.1", "--json"],
    ["refs", "705.1"],
    ["refs", "704", "--json"],
    ["lint"],
    ["lint", "2008-06-20"],
    ["lint", "2008-06-20", "--json"],
    ["diff", "2008-06-20", "2010-01-22", "705", "--json"],
    ["changes", "2006-03-01", "--json"],
    ["glossary", "boat"],
    ["glossary", "boat", "--json"],
    ["witnesses"],
    ["witnesses", "705.1"],
    ["export", "2008-06-20"],
    ["editions", "--copies"],
    ["editions", "--copies", "--json"],
    ["history", "510.1", "--on", "2008-06-20"],
    ["history", "608.3", "--on", "2017-11-10"],
    ["history", "608.2"],
    ["history", "100.3"],
    ["history", "300"],
    ["history", "leaking", "--on", "2008-06-20"],
    ["where", "724", "--from", "latest", "--to", "2006-03-01"],
    ["where", "510.1", "--from", "2008-06-20"],
    ["where", "300", "--from", "latest", "--to", "2008-06-20"],
    ["why", "608.2", "--on", "2022-02-11"],
    ["why", "101.2"],
    ["why", "300", "--on", "2010-01-22"],
    ["changes", "2010-01-22"],
    ["changes", "2015-04-17"],
    ["changes", "2022-02-11"],
    ["diff", "2017-11-10", "2022-02-11", "608"],
    ["diff", "2017-11-10", "2022-02-11", "101.2"],
    ["refs", "608.3"],
    ["refs", "600.4", "--on", "2008-06-20"],
    ["refs", "boat"],
    ["show", "702.9", "--terms"],
    ["show", "511.2"],
    ["show", "306.b", "--on", "2008-06-20"],
    ["identify", "article-odd.txt"],
    ["identify", "bulletin-of-2022.md"],
    ["identify", "excerpt-of-2010.txt"],
    ["identify", "excerpt-of-2010.txt", "--json"],
    ["identify", "fragment-of-2017.txt"],
    ["identify", "quoted-odd.txt"],
    ["read", "wiki-odd.wiki"],
    ["read", "rulings-odd.txt"],
    ["read", "bulletin-forms.md"],
]
# The same on coloured terminals, narrow and wide.
ON_A_TERMINAL = [
    ["editions"],
    ["editions", "--on", "2012"],
    ["editions", "first"],
    ["editions", "--on", "latest"],
    ["toc", "705"],
    ["ledger", "first"],
    ["crosswalk", "2022-02-11", "2017-11-10", "--glossary"],
    ["where", "600.4b"],
    ["show", "506.2", "--tree"],
    ["show", "704.5c", "--context"],
    ["show", "boat"],
    ["refs", "704"],
    ["history", "705"],
    ["history", "leaking", "--on", "2008-06-20"],
    ["diff", "2017-11-10", "2022-02-11", "101.2"],
    ["changes", "2010-01-22"],
    ["lint", "latest"],
    ["show", "306.b", "--on", "2008-06-20"],
    ["show", "705", "--on", "2010-01-22"],
    ["show", "119.1"],
    ["show", "702.9", "--terms"],
    ["refs", "704.5a"],
    ["history", "705.1"],
    ["history", "608.2", "--full"],
    ["history", "100.2"],
    ["why", "608.2", "--on", "2022-02-11"],
    ["blame", "705.1"],
    ["diff", "2017-11-10", "2022-02-11", "608"],
    ["changes", "2006-03-01"],
    ["glossary", "flip", "a", "coin", "--on", "2003-02-10"],
    ["glossary", "boat"],
    ["glossary", "ability"],
    ["blame", "702"],
    ["lint", "2008-06-20"],
    ["witnesses", "705.1"],
    ["identify", "excerpt-of-2010.txt"],
]


@pytest.mark.parametrize("arguments", COMMANDS, ids=" ".join)
def test_lines(
    sample_base: Path,
    monkeypatch: pytest.MonkeyPatch,
    golden: Callable[[str, object], None],
    arguments: list[str],
) -> None:
    """Each command's output and exit code are unchanged."""
    monkeypatch.setenv("VARIORUM_KB", str(sample_base))
    monkeypatch.chdir(DOCUMENTS)

    result = CliRunner().invoke(main, arguments)

    assert result.exit_code in {0, 1}
    name = re.sub(r"[^a-z0-9.]+", "-", " ".join(arguments).lower()).strip("-")
    golden(f"cli/{name}.txt", result.output + "exit code 1\n" * result.exit_code)


OPTIONS = """\
why 705.1 --on 2010-01-22 --at 2010-01-22
why 100.2 --at 2015-04-17
why 101.2 --at 2022-02-11
why 119.1c
why 401.2
diff 2025-05-30 2022-02-11
diff 2022-02-11 2025-05-30 --kind removed
diff 2017-11-10 2022-02-11 --glossary
changes 2017-11-10 --sort size --limit 3
show 600.1 --format discord
show 601.1 --format wiki
show 702.3a --format html
show 302.3 --format discord --site https://rules.example
show 705 --copy
show 702.3 --markdown
show glossary:lamp --format wiki
show 704.5c --context
show 506.2 --tree
show 702.11
show 702.11a
show 704.5h-k
show 104.9
show lamps
editions --on 2012
editions --sort rules --limit 2
history 409.1c --on 2008-06-20
history 702.11
history 712.3
history 702 --only
where 702.3b --from 2015-04-17
where 702.11a
where boat
refs 702.11
refs 800.4
refs 601.1d
lint --all
lint 2008-06-20 --kind misprint --limit 2
glossary --on 2003-02-10 --limit 4
glossary boats
glossary buoyy
glossary lamp --on 2008-06-20
crosswalk 2008-06-20 2010-01-22 --all --limit 5
crosswalk 2008-06-20 2010-01-22 705
crosswalk 2017-11-10 2022-02-11 --sed
identify wiki-odd.wiki
refs 100.3 --on 2022-02-11
refs 608.2 --on 2017-11-10
refs 102.4 --limit 1
diff 2008-06-20 2010-01-22 --sort size --limit 4
diff 2008-06-20 2010-01-22 --kind moved --limit 3
diff 2008-06-20 2010-01-22 705 --kind added
diff 2025-05-30 1999-05-14 boat
diff M10 M11
changes first
history 704.5 --full
history lamp
history 705 --on 2006-03-01
show 100-101 --on first
show 705 M10
show 705.1 705.9 boat
show 511.2 705.9 --json
show 511.2 --json --format wiki
show 400.1 --commentary
toc 104
identify quoted-edges.txt
identify rulings-edges.txt
identify bulletin-edges.md
identify export-odd.json
identify run-on-edges.txt
identify excerpt-edges.txt
identify excerpt-of-2022-dated-2016.txt
identify glossary-odd.txt
read export-odd.json
read excerpt-edges.txt --ledger
705.2 --on 2008-06-20
502.3
704.5n-704.5k
CR 704.5aa–z
702.6c-702.5a
show 702.6-702.5a
show 702.11-3
refs 705-703
refs 9-7
999.9-111.1
show editions
history 999.9
history 705.1 --on 1999-05-14
history 508.1d-f
history 702.11#9
blame 705.1 --on yesterday
blame 501.2 --on 2006-03-01
diff 2008-06-20 2010-01-22 999.9
diff 2010-01-22 2025-05-30 702.3
diff latest 2008-06-20 705
diff first latest --on first
changes 2010-01-22 705
changes 705 --on 2010-01-22
changes boat --on 2010-01-22
changes 2010-01-22 --on 2010-01-22
changes yesterday
since 2009-01-01 705
since first --only
editions --sort date --limit 3
editions --sort newest --limit 3 --json
editions --sort examples
editions --sort glossary
crosswalk 2008-06-20 2010-01-22 --limit 2
crosswalk 2008-06-20 2010-01-22 --limit 2 --json
crosswalk 2008-06-20 2010-01-22 --limit 2 --csv
refs
glossary 705.1
glossary xyzzy
glossary harbor --on 2025-05-30
glossary --limit 2 --json
lint 2006-03-01
lint 2001-01-01
lint latest --all
lint --kind typo
diff first latest
history 702.3a
history 103.5 --full
history 5 --full
history 7
show 702 --format discord
show 702 --format wiki
show 702 --format html --site https://rules.example
show 205.1 103.5 --format discord
show 205.1 103.5 --format wiki
show 205.1 103.5 --format html
show 205.1 103.5 --markdown
show 100 --copy
show ability --format wiki
show ability --format html
show ability --markdown
show ability --format discord
show 704.5a-704.5z --format discord
show 704.5a-704.5z --format wiki
show 704.5a-704.5z --format html
blame ability
blame 1
blame 702
refs 702
show 1
where 7 --from first
read bulletin-forms.md wiki-odd.wiki rulings-odd.txt export-odd.json
"""


def test_lines_with_options(
    sample_base: Path, monkeypatch: pytest.MonkeyPatch, golden: Callable[[str, object], None]
) -> None:
    """The output of rarer options, questions and documents is unchanged."""
    monkeypatch.setenv("VARIORUM_KB", str(sample_base))
    monkeypatch.chdir(DOCUMENTS)

    results = [(line, CliRunner().invoke(main, line.split())) for line in OPTIONS.splitlines()]

    lines = "\n".join(
        f"$ cr {line}\n{result.output}exit code {result.exit_code}\n" for line, result in results
    )
    golden("cli/with-options.txt", lines)


OF_THE_USER = [
    ["ask", "Who wins when a player flips a coin?"],
    ["card", "Keelgrinder"],
    ["cards", "cards.json"],
    ["card", "Marrow, Tide of Gulls"],
    ["card", "bell"],
    ["card", "Marow"],
    ["ask", "If Keelgrinder and Bell are barred, does Marrow draw a card?"],
    ["ask", "what is undertow", "--on", "2010-01-22"],
    ["watch"],
    ["watch", "705", "511.2", "Boat", "code.py", "--since", "2008-06-20"],
    ["watch", "700-705", "--since", "2015-04-17"],
    ["watch", "705", "--remove"],
    ["watch", "--remove"],
    ["preview", "draft.txt", "code.py"],
    ["read", "draft.txt"],
    ["read", "misprinted.txt"],
    ["identify", "draft.txt"],
]


@pytest.mark.parametrize("width", [0, 70])
def test_lines_of_the_user(
    sample_base: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    golden: Callable[[str, object], None],
    width: int,
) -> None:
    """The output about a user's cards, questions, files and drafts is unchanged, also on a terminal."""
    asked = OF_THE_USER
    if width:
        as_on_a_terminal(monkeypatch, width)
        # The length of the folder's name decides where the others are broken.
        asked = [words for words in OF_THE_USER[2:] if words[0] != "watch"]
    shutil.copytree(sample_base, tmp_path / "kb")
    latest = (SAMPLE / "2025-05-30.txt").read_bytes().decode("utf-8-sig")
    (tmp_path / "draft.txt").write_text(latest.replace("rule 601.3", "rule 699.3"), "utf-8")
    misprinted = (SAMPLE / "2008-06-20.txt").read_bytes().replace(b"\n308.2", b"\n308.4")
    (tmp_path / "misprinted.txt").write_bytes(misprinted)
    (tmp_path / "cards.json").write_text(json.dumps(ATOMIC), "utf-8")
    (tmp_path / "code.py").write_text("# CR 511.2, CR 705.1 and CR 101.1\n", "utf-8")
    monkeypatch.setenv("VARIORUM_KB", str(tmp_path / "kb"))
    monkeypatch.chdir(tmp_path)

    results = [(words, CliRunner().invoke(main, words)) for words in asked]

    lines = "\n".join(
        f"$ cr {' '.join(words)}\n{result.output}exit code {result.exit_code}\n"
        for words, result in results
    )
    # The length of the folder's name moves a column.
    lines = re.sub(" +since", " since", lines.replace(str(tmp_path), "HERE"))
    golden(f"cli/of-the-user{f'-{width}' if width else ''}.txt", lines.replace("\x1b", "␛"))


def as_on_a_terminal(monkeypatch: pytest.MonkeyPatch, width: int) -> None:
    """Let output go to a coloured terminal of some width."""

    def yes(_: object) -> bool:
        return True

    def size(_: object) -> tuple[int, int]:
        return width, 9999

    monkeypatch.delenv("NO_COLOR", raising=False)
    monkeypatch.setattr("click.testing._NamedTextIOWrapper.isatty", yes)
    monkeypatch.setattr("variorum_kb.system.terminal.terminal_size", size)


@pytest.mark.parametrize("width", [36, 50, 70, 110])
def test_lines_on_a_terminal(
    sample_base: Path,
    monkeypatch: pytest.MonkeyPatch,
    golden: Callable[[str, object], None],
    width: int,
) -> None:
    """On a terminal, lines fit its width, and words are highlighted."""
    monkeypatch.setenv("VARIORUM_KB", str(sample_base))
    monkeypatch.chdir(DOCUMENTS)
    as_on_a_terminal(monkeypatch, width)

    pages = [
        f"$ cr {' '.join(texts)}\n{CliRunner().invoke(main, texts).output}"
        for texts in ON_A_TERMINAL
    ]

    golden(f"cli/on-a-terminal-{width}.txt", "\n".join(pages).replace("\x1b", "␛"))


def test_one_is_no_plural() -> None:
    """No command prints "1 rules"; verbs may follow a number."""
    folder = Path(__file__).parents[2] / "golden" / "cli"
    wrong = [
        f"{path.name}: {match}"
        for path in sorted(folder.glob("*.txt"))
        for match in re.findall(
            r"(?<![\w.,])1 (?!is\b|has\b|cites\b)[a-z]+s\b", path.read_text("utf-8")
        )
    ]

    assert wrong == []
