"""Rules in the comments of programs."""

import pytest

from variorum_kb.sources.reading.markup.source_text import without_code, without_directives

LAMP, OAR = "101.2 A lamp burns.", "101.3 It is lit."


@pytest.mark.parametrize(
    ("texts", "shown"),
    [
        ([f"/*{LAMP}", f"{OAR} */", "x = 1;"], [LAMP, f"{OAR} ", ""]),
        (['"""', LAMP, OAR, '"""', "import boats"], ["", LAMP, OAR, "", ""]),
        ([f"// {LAMP}", f"# {OAR}", "}"], [LAMP, OAR, ""]),
        ([f"// {LAMP}", "x = 1;"], [f"// {LAMP}", "x = 1;"]),
        ([f"// {LAMP}", f"// {OAR}", "boats"], [f"// {LAMP}", f"// {OAR}", "boats"]),
        ([f"// {LAMP}", f"// {OAR}", "x = 1;", LAMP], [f"// {LAMP}", f"// {OAR}", "x = 1;", LAMP]),
    ],
)
def test_without_code(texts: list[str], shown: list[str]) -> None:
    """Of a program with two rules in comments, only the comments are shown."""
    assert without_code(texts) == shown


def test_without_directives() -> None:
    """The first line below an example's directive is the example; other directives show nothing."""
    texts = [".. note::", "  It is lit.", ".. admonition:: Example", ":name: x", "  One.", "  Two."]

    assert without_directives(texts) == ["", "  It is lit.", "", "", "  One.", "  Two."]
    assert without_directives(texts[2:3] + texts[4:]) == ["", "  Example: One.", "  Two."]
    assert without_directives([".. _x:", "See :ref:`boats <b>`."]) == ["", "See boats."]
    assert without_directives([":name: x"]) == [":name: x"]
