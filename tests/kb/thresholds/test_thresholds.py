"""Every threshold is in one package, with its reason."""

import ast
import re
from collections.abc import Callable, Iterator
from itertools import pairwise
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[3]
THRESHOLDS = ROOT / "kb" / "variorum_kb" / "thresholds"
FOLDERS = ("crawler/variorum_crawler", "kb/variorum_kb", "site/variorum_site")
# The measurement that set a level, or a note that people set it.
ORIGINS = ("By hand", "By arithmetic", "Fitted", "Measured")
SCALES = ("Chance", "Confidence", "Likeness", "Share", "Points", "Count")
# Fractions that are not levels, by module.
ELSEWHERE = {
    "kb/variorum_kb/audit/judging/fitted_doubt.py": "the regression, fitted by lab/score",
    "kb/variorum_kb/audit/judging/rule_fits.py": "slack for rounding",
    "kb/variorum_kb/audit/judging/rule_words.py": "weights of words, after BM25",
    "kb/variorum_kb/audit/judging/sentence.py": "weights of words",
    "kb/variorum_kb/history/confidence/chances.py": "the table of chances",
    "kb/variorum_kb/history/confidence/fitted_chances.py": "the regression, fitted by lab/score",
    "kb/variorum_kb/history/aligning/likeness.py": "what a slot weighs, in bits",
    "kb/variorum_kb/history/aligning/surroundings_points.py": "points of a sum, tuned as a whole",
    "kb/variorum_kb/reading/originals/pdf_lines.py": "measures of a printed page",
    "kb/variorum_kb/reading/originals/pdf_paragraphs.py": "measures of a printed page",
    "kb/variorum_kb/history/word_diffs/word_runs.py": "weight of a common word",
    "kb/variorum_kb/reading/layouts.py": "widths of lines",
    "kb/variorum_kb/reading/unwrap.py": "widths of lines",
    "kb/variorum_kb/search/queries/query_groups.py": "weights of ranking, tuned on lab/score/queries",
    "kb/variorum_kb/search/questions/index.py": "weights of words, after BM25",
    "kb/variorum_kb/search/questions/ranking.py": "weights of ranking, fitted by lab/questions",
    "kb/variorum_kb/search/indexes/lexicon.py": "how often a common word is met",
    "kb/variorum_kb/search/queries/rank.py": "weights of ranking, tuned on lab/score/queries",
    "kb/variorum_kb/search/queries/vocabulary.py": "weights of ranking",
    "kb/variorum_kb/sources/comparing/articles/dating_by_words.py": "weight of words in a proof",
    "kb/variorum_kb/sources/comparing/articles/discussed_provisions.py": "weights of a regression, fitted to bulletins",
    "kb/variorum_kb/sources/comparing/excerpts/run_on_text.py": "costs of parting a text",
    "kb/variorum_kb/sources/comparing/articles/subrules_discussed.py": "weights of words, and of going on",
    "kb/variorum_kb/sources/comparing/articles/topics.py": "weights of words, after BM25",
    "kb/variorum_kb/sources/reading/passages/paragraphs.py": "widths of lines, and how they are wrapped",
    "kb/variorum_kb/system/atomic_files.py": "seconds",
}


def levels() -> dict[str, tuple[float, str]]:
    """Return each level, with its value and the docstring after it."""
    statements = [
        statement
        for path in sorted(THRESHOLDS.glob("*.py"))
        for statement in ast.parse(path.read_text("utf-8")).body
    ]
    answer: dict[str, tuple[float, str]] = {}
    for statement, following in pairwise(statements):
        match statement, following:
            case (
                ast.Assign(
                    targets=[ast.Name(id=name)], value=ast.Constant(value=float() | int() as value)
                ),
                ast.Expr(value=ast.Constant(value=str(reason))),
            ):
                answer[name] = value, " ".join(reason.split())
            case ast.Assign() | ast.AnnAssign(), _:
                pytest.fail(f"line {statement.lineno} is no level with a docstring")
            case _:
                pass
    return answer


LEVELS = levels()


def fractions(source: str) -> Iterator[tuple[str, float]]:
    """Yield the names and values of a module's numbers between 0 and 1."""
    for statement in ast.parse(source).body:
        match statement:
            case ast.Assign(targets=[target], value=value):
                pass
            case ast.AnnAssign(target=target, value=ast.expr() as value):
                pass
            case _:
                continue
        for node in ast.walk(value):
            match node:
                case ast.Constant(value=float(number)) if 0 < number < 1:
                    yield ast.unparse(target), number
                case _:
                    pass


def modules() -> dict[str, str]:
    """Return the source of each module with thresholds, by path."""
    paths = [path for folder in FOLDERS for path in sorted((ROOT / folder).rglob("*.py"))]
    by_name = {path.relative_to(ROOT).as_posix(): path.read_text("utf-8") for path in paths}
    return {path: source for path, source in by_name.items() if "/thresholds/" not in path}


@pytest.mark.parametrize("name", LEVELS)
def test_scale_and_reason(name: str) -> None:
    """Each level except points and counts is between 0 and 1, with its scale, reason and origin."""
    value, reason = LEVELS[name]

    assert 0 < value < 1 or reason.startswith(("Points.", "Count."))
    assert reason.startswith(SCALES)
    assert len(reason.split()) > 6
    assert any(how in reason for how in ORIGINS)


def test_levels_stay(golden: Callable[[str, object], None]) -> None:
    """A level changes only together with the table of all levels."""
    golden("thresholds", {name: value for name, (value, _) in LEVELS.items()})


def test_each_is_used() -> None:
    """Each level is used."""
    words = set(re.findall(r"\w+", "\n".join(modules().values())))

    assert [level for level in LEVELS if level not in words] == []


def test_no_level_elsewhere() -> None:
    """No other module names a number between 0 and 1, except the listed fractions."""
    by_name = {path: list(fractions(source)) for path, source in modules().items()}

    assert {path: names for path, names in by_name.items() if names and path not in ELSEWHERE} == {}


def test_no_exception_is_left_over() -> None:
    """Each listed module has such numbers."""
    sources = modules()

    assert [path for path in ELSEWHERE if not list(fractions(sources[path]))] == []


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("A = 0.5", [("A", 0.5)]),
        ("A, B = 1, 0.25", [("(A, B)", 0.25)]),
        ("A: float = 0.5", [("A", 0.5)]),
        ("A = {'x': (0.1, 2)}", [("A", 0.1)]),
        ("A = 1.5\nB = 1\ndef f():\n    c = 0.5", []),
    ],
)
def test_fractions_are_found(source: str, expected: list[tuple[str, float]]) -> None:
    """Fractions in tuples, tables and annotated values are found."""
    assert list(fractions(source)) == expected
