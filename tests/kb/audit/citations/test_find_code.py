"""Citations in program code and data; numbers that programs calculate with are not citations."""

import pytest

from tests.kb.audit.citations.test_find import named
from variorum_kb.audit.citations.find import CitationFinder


@pytest.mark.parametrize(
    "text",
    [
        *("if (cr > 702.52)", "cr < 702.52", "cr >= 702.52", "cr <= 702.52", "cr == 702.52"),
        *("cr === 702.52", "cr - 702.52", "cr * 702.52", "cr>702.52", "cr<702.52", "cr==702.52"),
        *("cr*702.52", "cr -= 702.52", "cr *= 702.52", "cr = -702.52", "x < y && cr > 702.52"),
        *("float cr = 702.52f;", "val cr = 702.52f", "double cr = 702.52;", "cr = 702.52;"),
        *("decimal cr = 702.52m;", "let cr = 702.52", "let mut cr = 702.52", "f(cr = 702.52)"),
        *("rule 110.5e-3", "cr = 704.5e-3", "CR 704.5E+3", "cr = 704.5e3"),
    ],
)
def test_reckoning(text: str) -> None:
    """Numbers in comparisons, arithmetic and floating-point literals are not citations."""
    assert named(text) == []


@pytest.mark.parametrize(
    ("text", "numbers"),
    [
        ("<rule>702.9</rule>", ["702.9"]),
        ('{"rules": ["605-607", "702.9"]}', ["605..607", "702.9"]),
        ('{"rules": ["404", "500"]}', []),
        ('<td class="rule">702.9</td>', ["702.9"]),
        ("CR <702.9>", ["702.9"]),
        ("CR *702.9*", ["702.9"]),
        ("*CR* 702.9", ["702.9"]),
        ("/*\n * CR\n * 702.9\n */", ["702.9"]),
        ("rule => 702.9", ["702.9"]),
        ("rule = 702.9", ["702.9"]),
        ("rule = 702.9f", ["702.9f"]),
        ("rule=702.9f-h", ["702.9f..702.9h"]),
        ('cr == "702.52"', ["702.52"]),
        ("CR 704.5e-704.5g", ["704.5e..704.5g"]),
        ("CR 704.5e-g", ["704.5e..704.5g"]),
        ("CR 116.10 total", ["116.10"]),
    ],
)
def test_signs_of_other_kinds(text: str, numbers: list[str]) -> None:
    """The same signs in tags, emphasis, assignments and ranges are not arithmetic."""
    assert named(text) == numbers


@pytest.mark.parametrize(
    ("text", "numbers"),
    [
        ('equal("CR 116.1", 116.1, x);', ["116.1"]),
        ('("CR 116.1", 702.52, 3)', ["116.1"]),
        ("('CR 116.1', 702.52)", ["116.1"]),
        ('("CR 116.1" + 702.52)', ["116.1"]),
        ('f("CR 704.5k", n)', ["704.5k"]),
        ('f("CR 704.5k", "m")', ["704.5k"]),
        ('f("CR 116.1", "116.2")', ["116.1", "116.2"]),
        ("CR `116.1`, 116.2", ["116.1", "116.2"]),
        ("“CR 116.1”, 116.2", ["116.1", "116.2"]),
    ],
)
def test_lists_end_with_their_literal(text: str, numbers: list[str]) -> None:
    """A list ends with its string literal."""
    assert named(text) == numbers


@pytest.mark.parametrize(
    "text",
    [
        *('rules = ["702.52a"]', 'RULES = ("702.52a")', 'rule := "702.52a"', "rule <- '702.52a'"),
        *('let rule: &str = "702.52a";', 'rules: List<String> = ["702.52a"]', 'cr!("702.52a")'),
        *('RULES: [&str; 1] = ["702.52a"];', 'rules: tuple[str, ...] = ("702.52a",)'),
        *('String[] rules = {"702.52a"};', 'rules := []string{"702.52a"}', "rule = r'702.52a'"),
        *('var rules = List.of("702.52a")', 'rules: &[&str] = &["702.52a"]', 'rule("702.52a")'),
        *('rules = [\n    "702.52a",\n]', "const rule: string = '702.52a';", 'rule = R("702.52a")'),
        *('ruleRefs: ["702.52a"]', 'rule_refs = ["702.52a"]', 'CR_REF = "702.52a"'),
        *("cr_refs = ['702.52a']", 'crRef: "702.52a"', 'rule_citation: "702.52a"'),
        *('"CR\\u00a0702.52a"', '"CR\\xa0702.52a"', '"\\u00a7702.52a"', '"\\u00A7 702.52a"'),
        *("&sect;702.52a", "&#167; 702.52a", "CR\udca0702.52a"),
        *("// CR\r// 702.52a\r", "CR\\u202f702.52a"),
    ],
)
def test_declarations_and_escapes(text: str) -> None:
    """A number assigned to a name such as "rule" is found in all declarations and escapes."""
    assert named(text) == ["702.52a"]


@pytest.mark.parametrize(
    ("text", "numbers"),
    [
        ("CR [116.1](x), [116.2](y)", ["116.1", "116.2"]),
        ("CR [116.1][x] and [116.2][y]", ["116.1", "116.2"]),
        ("CR [704.5k](x)/[m](y)", ["704.5k", "704.5m"]),
        ('RULES = (\n  "702.9",\n  "703.1",\n)', ["702.9", "703.1"]),
        ("CR 116.1,\r// 116.2\r// and 116.3", ["116.1", "116.2", "116.3"]),
        ("CR 116.1,\r\r\r116.2", ["116.1"]),
    ],
)
def test_lists(text: str, numbers: list[str]) -> None:
    """Lists continue after links, in tables of programs, and across the line ends of old Macs."""
    assert named(text) == numbers


@pytest.mark.slow
@pytest.mark.parametrize(
    "piece",
    [
        *("CR 704.5k-", "CR 704.5k - ", "\\u00a0", "CR [116.1](x), [116.2](", "CR 704.5(k)-("),
        *('rule: a = "702.9 ', 'rules = ["702.9", ', "CR 704.5[kmkm", "CR\r// ", "cr<702.9 "),
        *('rule : aaaaaaaaaa aaaaaaaa = aa.aa"702.9', "<rule>702.9", "\\\\u2013", "&sect;"),
    ],
)
def test_patience(piece: str) -> None:
    """Each of these texts is read in seconds."""
    text = (piece * 20_000)[:30_000]

    citations = list(CitationFinder().find(text))

    assert len(citations) <= len(text) // 3
