"""Small faults in Python source."""

import ast

import pytest

from lab.mutate import find_faults


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("a == b", ["(a != b)"]),
        ("a < b", ["(a <= b)"]),
        ("a not in b", ["(a in b)"]),
        ("not a", ["(a)"]),
        ("a and b", ["(a or b)"]),
        ("a + 1", ["(a - 1)", "a + (2)"]),
        ("f(True)", ["f((False))"]),
        ("', '.join(a)", ["('').join(a)"]),
        ("a, b", ["((a,))"]),
        ("x = a if b else c", ["x = (c if b else a)"]),
        ("é = 'ä', 1 == 2", ["é = (('ä',))", "é = 'ä', (1 != 2)", "é = 'ä', (2) == 2", "é = 'ä', 1 == (3)"]),
    ],
)  # fmt: skip
def test_faults(source: str, expected: list[str]) -> None:
    """Each expression that can be made wrong is changed, and each result is valid Python."""
    faulty = [fault.apply(source) for fault in find_faults("", source)]

    assert faulty == expected
    assert [ast.parse(text) for text in faulty]


@pytest.mark.parametrize(
    "source",
    [
        '"""Say: , """',
        "x: Literal[1]",
        "raise E(1)",
        "f'{a == b}'",
        "'words'",
        "TYPE_CHECKING = False",
    ],
)
def test_no_faults(source: str) -> None:
    """Code that does not run, or has only words, is not changed."""
    assert list(find_faults("", source)) == []
