"""A knowledge base that contradicts itself: no contradiction stays unseen."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.support.small_bases import build, change, edition, write
from variorum_kb.build.check import verify
from variorum_kb.build.check_results import Problem, Remedy

FIRST, SECOND, THIRD = (
    edition("June 5, 2020"),
    edition("July 6, 2021", rule="A keeper hums."),
    edition("August 7, 2022").replace(b"101.1a A wick", b"101.a A wick"),
)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Return a base of three editions."""
    documents = {"a.txt": FIRST, "b.txt": SECOND, "c.txt": THIRD}
    build(tmp_path / "kb", write(tmp_path, documents))
    return tmp_path / "kb"


def problems(folder: Path, *, deep: bool = False) -> list[str]:
    """Return what is wrong with a base."""
    return [str(report) for report in verify(folder, deep=deep) if isinstance(report, Problem)]


def contradictions(folder: Path) -> list[str]:
    """Return in what a base that is damaged contradicts itself."""
    result = problems(folder)
    assert result[0].startswith("kb.sqlite: damaged: ")
    return [line for line in result if not line.startswith("kb.sqlite: damaged: ")]


def in_base(text: str) -> str:
    """Return the line about the whole file."""
    return f"kb.sqlite: {text}; {Remedy.BUILD_ANEW.value}"


def in_edition(text: str, label: str = "2020-06-05") -> str:
    """Return the line about an edition."""
    return f"kb.sqlite: edition {label}: {text}; {Remedy.BUILD_ANEW.value}"


def ledger(**values: object) -> Callable[[Path], None]:
    """Return what changes the first edition's ledger."""
    pairs = "".join(f", '$.{name}', json('{json.dumps(value)}')" for name, value in values.items())
    return sql(f"UPDATE edition SET ledger = json_set(ledger{pairs}) WHERE id = 0")  # noqa: S608


def sql(*statements: str) -> Callable[[Path], None]:
    """Return what changes a base."""
    return lambda folder: change(folder, *statements)


def states(blob: str) -> Callable[[Path], None]:
    """Return what changes the list of the first edition's states."""
    return sql(f"UPDATE edition SET states = CAST({blob} AS BLOB) WHERE id = 0")  # noqa: S608


# Each: what is changed, and all that must be found then.
CONTRADICTIONS: list[tuple[Callable[[Path], None], list[str]]] = [
    # Spans, attestations, look-ups.
    (
        sql("DELETE FROM span WHERE provision = 3"),
        [in_base("the table span lacks (3, 0, 2)")],
    ),
    (
        sql("UPDATE span SET last = 1 WHERE provision IN (3, 4)"),
        [
            in_base("the table span lacks (3, 0, 2) and 1 more"),
            in_base("the table span wrongly holds (3, 0, 1) and 1 more"),
        ],
    ),
    (
        sql("DELETE FROM attestation WHERE reading = 2"),
        [in_base("the table attestation lacks (2, 0, 2)")],
    ),
    (
        sql("INSERT INTO attestation VALUES (2, 1, 1)"),
        [in_base("the table attestation wrongly holds (2, 1, 1)")],
    ),
    (
        sql("UPDATE provision SET reading = 2 WHERE id = 4"),
        [
            in_base("the table attestation wrongly holds (3, 0, 2)"),
            in_base("the table reading holds words of no provision: 3"),
        ],
    ),
    (
        sql("DELETE FROM lookup WHERE word = '100.1'"),
        [in_base("the table lookup lacks ('100.1', 2)")],
    ),
    (
        sql("INSERT INTO lookup VALUES ('tiller', 2)"),
        [in_base("the table lookup wrongly holds ('tiller', 2)")],
    ),
    (
        sql("INSERT INTO reading VALUES (900, 'Nobody says so.')"),
        [in_base("the table reading holds words of no provision: 900")],
    ),
    (
        sql(
            "INSERT INTO provision SELECT 900, kind, '555.5', '555.5', heading, reading, parent, "
            "meant, irregularities, checksum FROM provision WHERE id = 2",
            "INSERT INTO lookup VALUES ('555.5', 900)",
        ),
        [in_base("the table provision holds what no edition prints: 900")],
    ),
    (
        sql(
            "INSERT INTO provision SELECT 900, kind, number, address, heading, reading, parent, "
            "meant, irregularities, checksum FROM provision WHERE id = 2",
            "INSERT INTO lookup VALUES ('100.1', 900)",
        ),
        [
            in_base("the table provision holds what no edition prints: 900"),
            in_base("the table provision holds a state twice"),
        ],
    ),
    (
        sql(
            "INSERT INTO reading SELECT 900, body FROM reading WHERE id = 2",
            "UPDATE provision SET reading = 900 WHERE id = 3",
            "INSERT INTO attestation VALUES (900, 0, 2)",
            "DELETE FROM attestation WHERE reading = 2",
        ),
        [
            in_base("the table reading holds words of no provision: 2"),
            in_base("the table reading holds words twice"),
        ],
    ),
    # Editions as such.
    (
        sql(
            "PRAGMA foreign_keys = OFF",
            "UPDATE edition SET id = 7 WHERE id = 2",
            "UPDATE link SET edition = 7 WHERE edition = 2",
            "UPDATE link SET source = 7 WHERE source = 2",
            "UPDATE found SET edition = 7 WHERE edition = 2",
            "UPDATE span SET last = 7 WHERE last = 2",
            "UPDATE span SET first = 7 WHERE first = 2",
            "UPDATE attestation SET last = 7 WHERE last = 2",
            "UPDATE attestation SET first = 7 WHERE first = 2",
        ),
        [
            "kb.sqlite: the table span lacks ",
            "kb.sqlite: the table span wrongly holds ",
            "kb.sqlite: the table attestation lacks ",
            "kb.sqlite: the table attestation wrongly holds ",
            in_base("the editions are not numbered from 0"),
            "kb.sqlite: edition 2022-08-07: no link says ",
            "kb.sqlite: edition 2022-08-07: no link says ",
        ],
    ),
    # Links.
    (
        sql("UPDATE link SET confidence = 1.5 WHERE rowid = 1"),
        [in_edition("a link into it has the confidence 1.5", "2021-07-06")],
    ),
    (
        sql("UPDATE link SET source = 2 WHERE rowid = 1"),
        [
            in_edition("a link into it comes from the edition 2", "2021-07-06"),
            in_edition("no link says where 100.3 came from", "2021-07-06"),
        ],
    ),
    (
        sql("UPDATE link SET kinds = 64 WHERE kinds = 2"),
        [in_edition("a link into it is of the kinds new", "2022-08-07")],
    ),
    (
        sql("DELETE FROM link WHERE old IS NULL"),
        ["kb.sqlite: edition 2021-07-06: no link says where "],
    ),
    (
        sql(
            "UPDATE edition SET effective = '2020-07-07', label = '2020-07-07', "
            "ledger = json_set(ledger, '$.effective', '2020-07-07') WHERE id = 2"
        ),
        [in_base("2021-07-06 and 2020-07-07 do not stand in order of date and issue")],
    ),
    (
        sql("UPDATE edition SET issue = 2 WHERE id = 0"),
        [in_edition("its issue is 2, by the table of facts 1")],
    ),
    (
        sql("UPDATE edition SET set_code = 'ABC' WHERE id = 0"),
        [in_edition("its set_code is 'ABC', by the table of facts ''")],
    ),
    (
        sql("UPDATE edition SET set_name = 'Harbor' WHERE id = 0"),
        [in_edition("its set_name is 'Harbor', by the table of facts ''")],
    ),
    (
        sql(
            "UPDATE edition SET effective = 'June', label = 'June', "
            "ledger = json_set(ledger, '$.effective', 'June') WHERE id = 2"
        ),
        [in_edition("its date is 'June'", "June")],
    ),
    (
        sql("UPDATE edition SET label = '2020-06-05.1' WHERE id = 0"),
        [in_edition("it is labelled 2020-06-05.1, not 2020-06-05", "2020-06-05.1")],
    ),
    (
        sql("UPDATE edition SET is_chosen = 0 WHERE id = 0"),
        [in_edition("its bare date does not mean it, against the rule")],
    ),
    (
        sql(
            "UPDATE edition SET condition = 'fine', "
            "ledger = json_set(ledger, '$.condition', 'fine') WHERE id = 0"
        ),
        [in_edition("its condition is 'fine'")],
    ),
    # States.
    (
        states("states || x'FFFFFF00'"),
        [in_edition("it holds provisions that are not in the table provision")],
    ),
    (
        states("states || x'00'"),
        [in_edition("it holds provisions that are not in the table provision")],
    ),
    (
        sql("UPDATE edition SET states = 'none' WHERE id = 2"),
        [
            "kb.sqlite: the table span lacks ",
            "kb.sqlite: the table span wrongly holds ",
            "kb.sqlite: the table attestation lacks ",
            "kb.sqlite: the table attestation wrongly holds ",
            "kb.sqlite: the table provision holds what no edition prints: ",
            in_edition("it holds provisions that are not in the table provision", "2022-08-07"),
            in_edition("it states 2 as its number of sections, but holds 0", "2022-08-07"),
            in_edition("it states 7 as its number of rules, but holds 0", "2022-08-07"),
            in_edition("it states 2 as its number of examples, but holds 0", "2022-08-07"),
            in_edition("it states 2 as its number of glossary, but holds 0", "2022-08-07"),
            in_edition("its ledger has other irregularities than its provisions", "2022-08-07"),
            "kb.sqlite: edition 2022-08-07: a link leads to ",
            "kb.sqlite: edition 2022-08-07: no link says what became of ",
        ],
    ),
    (
        states("states || substr(states, -4)"),
        [
            in_edition("it holds a provision twice"),
            in_edition("it states 2 as its number of glossary, but holds 3"),
        ],
    ),
    (
        states("substr(states, 1, length(states) - 4)"),
        [
            "kb.sqlite: the table span lacks (11, 1, 2)",
            "kb.sqlite: the table span wrongly holds (11, 0, 2)",
            "kb.sqlite: the table attestation lacks ",
            "kb.sqlite: the table attestation wrongly holds ",
            in_edition("it states 2 as its number of glossary, but holds 1"),
            in_edition("no link says where Lamp came from", "2021-07-06"),
        ],
    ),
    (
        sql("UPDATE provision SET kind = 'verse' WHERE id = 5"),
        [
            *(
                in_edition(item, label)
                for label, more in (("2020-06-05", 0), ("2021-07-06", 1), ("2022-08-07", 0))
                for item in (
                    "100.2 is of no known kind: 'verse'",
                    f"it states {7 + more} as its number of rules, but holds {6 + more}",
                )
            ),
        ],
    ),
    (
        sql("UPDATE provision SET parent = '999' WHERE id = 5"),
        [
            in_edition("100.2 stands below 999, which is nowhere above it", label)
            for label in ("2020-06-05", "2021-07-06", "2022-08-07")
        ],
    ),
    (
        sql("UPDATE provision SET parent = '100.1b' WHERE id = 5"),
        [
            in_edition("100.2 stands below 100.1b, which is nowhere above it", label)
            for label in ("2020-06-05", "2021-07-06", "2022-08-07")
        ],
    ),
    (
        sql("UPDATE provision SET address = '100.1a' WHERE id = 4"),
        [
            in_edition("100.1a is the address of two provisions", label)
            for label in ("2020-06-05", "2021-07-06", "2022-08-07")
        ],
    ),
    # Counts.
    *(
        (
            sql(f"UPDATE edition SET {name} = 77 WHERE id = 0"),  # noqa: S608
            [in_edition(f"it states 77 as its number of {name}, but holds {number}")],
        )
        for name, number in (
            ("sections", 2),
            ("rules", 7),
            ("examples", 2),
            ("glossary", 2),
            ("irregularities", 0),
        )
    ),
    # The rest of the page.
    *(
        (
            sql(f"UPDATE edition SET {name} = '{value}' WHERE id = 0"),  # noqa: S608
            [in_edition(f"its {name} is no list of texts")],
        )
        for name in ("introduction", "index_lines", "credits")
        for value in ("", "{}", "[1]")
    ),
    # The ledger.
    *(
        (
            sql(f"UPDATE edition SET ledger = '{value}' WHERE id = 0"),  # noqa: S608
            [in_edition("its ledger cannot be understood")],
        )
        for value in ("", "[]", "{}", '{"lines": 1}')
    ),
    (
        ledger(unaccounted=[4, 7]),
        [in_edition("its ledger leaves lines unaccounted for: [4, 7]")],
    ),
    (
        ledger(lines=3),
        [in_edition("its ledger has 3 lines, but accounts for 23 blank and 31 others")],
    ),
    (
        ledger(characters=3, characters_kept=2),
        [in_edition("its ledger keeps 2 of 3 characters")],
    ),
    (
        ledger(effective="1999-01-01"),
        [in_edition("its ledger is that of an edition of 1999-01-01, sound")],
    ),
    (
        ledger(condition="lossy"),
        [in_edition("its ledger is that of an edition of 2020-06-05, lossy")],
    ),
    (
        sql("UPDATE provision SET irregularities = '' WHERE irregularities <> ''"),
        [in_edition("its ledger has other irregularities than its provisions", "2022-08-07")],
    ),
    (
        sql("UPDATE provision SET irregularities = 'no JSON' WHERE irregularities <> ''"),
        [in_edition("its ledger has other irregularities than its provisions", "2022-08-07")],
    ),
]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("damage", "expected"), CONTRADICTIONS, ids=[str(one) for one in range(len(CONTRADICTIONS))]
)
def test_error_contradiction(
    folder: Path, damage: Callable[[Path], None], expected: list[str]
) -> None:
    """Whatever stands in the file otherwise than elsewhere in it is found, and said once."""
    damage(folder)

    result = contradictions(folder)
    build(folder)

    assert len(result) == len(expected)
    for line, start in zip(result, expected, strict=True):
        assert line.startswith(start)
    assert problems(folder, deep=True) == []
