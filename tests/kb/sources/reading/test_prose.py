"""Quotations in prose, and their numbers."""

import pytest

from variorum_kb.sources.reading.prose import find_quotations

LAMP = "A lamp gives oil once a turn."
BOAT = "A boat sails at most once."


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (f"Rule 101.2 says, “{LAMP}” and rule 102.3 doesn't.", ["101.2"]),
        (f"Rule 101.2 says, “{LAMP}” But rule 102.3 says, “{BOAT}”", ["101.2", "102.3"]),
        (f"“{LAMP}” (rule 101.2) is what counts.", ["101.2"]),
        (f"“{LAMP}” - 101.2", ["101.2"]),
        (f"“{LAMP}” Rule 101.2 is another thing.", [""]),
        (f"“{LAMP[:-1]},” as rule 101.2 has it.", ["101.2"]),
        (f"See rule 101.2. The card says, “{LAMP}” and nothing else.", [""]),
        (f"Rules 101.2 and 101.3 say, “{LAMP}”", ["101.3"]),
        (f"101.2“{LAMP}”", ["101.2"]),
        (f"“{LAMP}”101.2", [""]),
        (f"“{LAMP[:-1]}”101.2", ["101.2"]),
        (f"My aunt said, “{LAMP}” over breakfast.", [""]),
        ("He said “rule 101.2 again” twice.", []),
    ],
)
def test_number_of_a_quotation(text: str, expected: list[str]) -> None:
    """A quotation has the number that its sentence cites for it."""
    assert [quotation.number for quotation in find_quotations(text)] == expected
