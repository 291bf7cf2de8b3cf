"""Queries as users type them."""

import random
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from variorum_kb.search.queries.query import (
    All,
    Either,
    Not,
    Number,
    Part,
    Phrase,
    Plain,
    Prefix,
    QueryError,
    parse_query,
)

A, B, C, D = Plain("ale"), Plain("bell"), Plain("cove"), Plain("dusk")


def strict(*parts: Part) -> All:
    """Return parts that are all required."""
    return All(parts, is_strict=True)


def loose(*parts: Part) -> All:
    """Return adjacent parts."""
    return All(parts, is_strict=False)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("boat", Plain("boat")),
        ("BOAT", Plain("boat")),
        ("  boat  ", Plain("boat")),
        ("boat's", Plain("boat")),
        ("boat’s", Plain("boat")),
        ("ale bell", loose(A, B)),
        ("can’t sail", loose(Plain("can't"), Plain("sail"))),
        ("{T}: light", loose(Plain("{t}"), Plain("light"))),
        ("-1/-1 −1/−1 +1/+1", loose(Plain("-1/-1"), Plain("-1/-1"), Plain("+1/+1"))),
        ("face-down", loose(Plain("face"), Plain("down"))),
        ("7 cards", loose(Plain("7"), Plain("cards"))),
        ("boat, lamp; buoy!", loose(Plain("boat"), Plain("lamp"), Plain("buoy"))),
        ("--- boat ...", Plain("boat")),
    ],
)
def test_words(text: str, expected: Part) -> None:
    """Words are found in any punctuation."""
    assert parse_query(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("ale AND bell", strict(A, B)),
        ("ale OR bell", Either((A, B))),
        ("NOT ale", Not(A)),
        ("NOT NOT ale", Not(Not(A))),
        ("ale and bell or cove", loose(A, Plain("and"), B, Plain("or"), C)),
        ("not ale", loose(Plain("not"), A)),
        ("Not ale", loose(Plain("not"), A)),
        ("ANDROID ORE NOTE", loose(Plain("android"), Plain("ore"), Plain("note"))),
        ("ale-AND-bell", loose(A, Plain("and"), B)),
        ("ale AND bell OR cove", Either((strict(A, B), C))),
        ("ale OR bell AND cove", Either((A, strict(B, C)))),
        ("ale OR bell cove", Either((A, strict(B, C)))),
        ("ale OR bell OR cove", Either((A, B, C))),
        ("ale bell NOT cove", strict(A, B, Not(C))),
        ("ale AND NOT bell", strict(A, Not(B))),
        ("NOT ale bell", strict(Not(A), B)),
        ("NOT ale OR bell", Either((Not(A), B))),
        ("NOT face-down", Not(strict(Plain("face"), Plain("down")))),
        ("(ale OR bell) AND cove", strict(Either((A, B)), C)),
        ("ale AND (bell OR (cove dusk))", strict(A, Either((B, strict(C, D))))),
        ("NOT (ale OR bell)", Not(Either((A, B)))),
        ("NOT(ale)", Not(A)),
        ("(ale)(bell)", loose(A, B)),
        ("(ale bell)", loose(A, B)),
        ("((ale))", A),
        ("() ale", A),
        ("ale AND ()", A),
        ('NOT"ale bell"', Not(Phrase(("ale", "bell")))),
    ],
)
def test_operators(text: str, expected: Part) -> None:
    """Operators are in capitals; NOT binds closest, then AND and mere adjacency, then OR."""
    assert parse_query(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ('"can\'t sail"', Phrase(("can't", "sail"))),
        ("“can’t sail”", Phrase(("can't", "sail"))),
        ("”can’t sail“", Phrase(("can't", "sail"))),
        ('"ale AND bell"', Phrase(("ale", "and", "bell"))),
        ('"(ale) bell*"', Phrase(("ale", "bell"))),
        ('"ale"', A),
        ('ale "bell cove"dusk', loose(A, Phrase(("bell", "cove")), D)),
        ('"" ale', A),
        ('"704.5k applies"', Phrase(("704.5k", "applies"))),
    ],
)
def test_phrases(text: str, expected: Part) -> None:
    """Between quotes, straight or curly, words are only a phrase."""
    assert parse_query(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ('"ale', A),
        ("“ale bell", loose(A, B)),
        ("ale)", A),
        ("(ale bell", loose(A, B)),
        (")(ale", A),
        ('1) ale "bell" "', loose(Plain("1"), A, B)),
    ],
)
def test_pasted_words(text: str, expected: Part) -> None:
    """Without operators, an unpaired quote or bracket is ignored."""
    assert parse_query(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("hoist*", Prefix("hoist")),
        ("HOI*", Prefix("hoi")),
        ("face-dow*", loose(Plain("face"), Prefix("dow"))),
        ("NOT hoist*", Not(Prefix("hoist"))),
        ("boat *", Plain("boat")),
        ("2/*", Plain("2/*")),
        ("1000*", Prefix("1000")),
    ],
)
def test_prefixes(text: str, expected: Part) -> None:
    """A star after letters finds all words that begin with them."""
    assert parse_query(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("704.5k", Number("704.5k")),
        ("704.5K.", Number("704.5k")),
        ("704.5aa,", Number("704.5aa")),
        ("702.1", Number("702.1")),
        ("702", Number("702")),
        ("7.", Number("7")),
        ("7", Number("7")),
        ("section 7", Number("7")),
        ("7 boats", loose(Plain("7"), Plain("boats"))),
        ("70", Plain("70")),
        ("1000", Plain("1000")),
        ("012", Plain("012")),
        ("702.1*", Number("702.1", is_open=True)),
        ("70*", Number("70", is_open=True)),
        ("7*", Number("7", is_open=True)),
        ("rule 704.5k", Number("704.5k")),
        ("Rules 704.5k", Number("704.5k")),
        ("CR 702.1*", Number("702.1", is_open=True)),
        ("cr704.5k", Number("704.5k")),
        ("CR rule 704.5k", loose(Plain("cr"), Number("704.5k"))),
        ("§ 704.5k:", Number("704.5k")),
        ("section 704", Number("704")),
        ("100 cards", loose(Number("100"), Plain("cards"))),
        ("cards 100", loose(Plain("cards"), Number("100"))),
        ("702, 703", loose(Number("702"), Number("703"))),
        ("704.5k OR 704.5m", Either((Number("704.5k"), Number("704.5m")))),
        ("NOT 704.5k", Not(Number("704.5k"))),
        ("rule of the sea", loose(*map(Plain, ("rule", "of", "the", "sea")))),
        ("this rule", loose(Plain("this"), Plain("rule"))),
        ("rules", Plain("rules")),
    ],
)
def test_numbers(text: str, expected: Part) -> None:
    """A rule's number is read with or without a word such as CR; other numbers are words."""
    assert parse_query(text) == expected


@pytest.mark.parametrize("text", ["section 7 boats", "chapter 7 boats", "rule 7 boats"])
def test_a_chapter_by_its_name(text: str) -> None:
    """A single digit is a number if a word such as "chapter" precedes it."""
    assert parse_query(text) == loose(Number("7"), Plain("boats"))


@pytest.mark.parametrize("text", ["§704.5k", "704.5k?", "704.5k;", "704.5k!", "CR:704.5k"])
def test_signs_around_a_number(text: str) -> None:
    """A number is recognised in any punctuation."""
    assert parse_query(text) == Number("704.5k")


def test_not_a_rule_by_its_name() -> None:
    """NOT also applies if a word such as CR precedes the number."""
    assert parse_query("ale NOT rule 704.5k") == strict(A, Not(Number("704.5k")))


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "'': no word to search for"),
        ("  ", "'  ': no word to search for"),
        ("...", "'...': no word to search for"),
        ('""', "'\"\"': no word to search for"),
        ("( )", "'( )': no word to search for"),
        ("*", "'*': no word to search for"),
        ("co*", "co*: a prefix needs 3 letters"),
        ("ale NOT co*", "co*: a prefix needs 3 letters"),
        ("0*", "0*: a prefix needs 3 letters"),
        ('ale AND "bell', 'ale AND "bell: " at character 9 opens a phrase that is not closed'),
        ("ale AND “bell", 'ale AND "bell: " at character 9 opens a phrase that is not closed'),
        ('NOT "ale" "', 'NOT "ale" ": " at character 11 opens a phrase that is not closed'),
        ("ale AND (bell", "ale AND (bell: ( at character 9 opens a bracket that is not closed"),
        ("NOT ((ale)", "NOT ((ale): ( at character 5 opens a bracket that is not closed"),
        ("ale OR bell)", "ale OR bell): ) at character 12 closes a bracket that is not open"),
        (") OR ale", ") OR ale: ) at character 1 closes a bracket that is not open"),
        ("AND ale", "AND ale: AND at character 1 has nothing before it"),
        ("OR ale", "OR ale: OR at character 1 has nothing before it"),
        ("(OR ale)", "(OR ale): OR at character 2 has nothing before it"),
        ("ale AND", "ale AND: AND at character 5 has nothing after it"),
        ("ale OR", "ale OR: OR at character 5 has nothing after it"),
        ("ale NOT", "ale NOT: NOT at character 5 has nothing after it"),
        ("(ale AND) bell", "(ale AND) bell: AND at character 6 has nothing after it"),
        ("(ale OR) bell", "(ale OR) bell: OR at character 6 has nothing after it"),
        ("(ale NOT) bell", "(ale NOT) bell: NOT at character 6 has nothing after it"),
        ("ale AND AND bell", "ale AND AND bell: AND at character 5 has nothing after it"),
        ("ale AND OR bell", "ale AND OR bell: AND at character 5 has nothing after it"),
        ("ale OR OR bell", "ale OR OR bell: OR at character 5 has nothing after it"),
        ("ale OR AND bell", "ale OR AND bell: AND at character 8 has nothing before it"),
        ("ale NOT AND bell", "ale NOT AND bell: NOT at character 5 has nothing after it"),
        ("ale NOT OR bell", "ale NOT OR bell: NOT at character 5 has nothing after it"),
        ("ale NOT ...", "ale NOT ...: ... at character 9 holds no word"),
        ("ale OR ()", "ale OR (): OR at character 5 has nothing after it"),
        ("ale OR ...", "ale OR ...: OR at character 5 has nothing after it"),
        ("() AND ale", "() AND ale: AND at character 4 has nothing before it"),
    ],
)
def test_error_query(text: str, message: str) -> None:
    """A query that cannot be read gives an error with the place."""
    with pytest.raises(QueryError) as caught:
        parse_query(text)

    assert str(caught.value) == message


@pytest.mark.parametrize(("before", "after"), [("(", ")"), ("NOT ", "")])
def test_error_nested_too_deeply(before: str, after: str) -> None:
    """A query nested 50 times is read; one that is nested deeper is refused like any other error."""
    assert words_in(parse_query(f"{before * 50}ale OR bell{after * 50}")) == ["ale", "bell"]
    with pytest.raises(QueryError) as caught:
        parse_query(f"{before * 51}ale OR bell{after * 51}")

    assert str(caught.value).endswith("is nested too deeply")


TOKENS = (
    *("AND", "OR", "NOT", "(", ")", '"', "“", "”", "ale", "bell*", "co*", "704.5k", "rule", "7"),
    *("can’t", "face-down", "-1/-1", "{T}", "...", "*", "§", "(", ")", "ale", "bells"),
)
tokens = st.sampled_from(TOKENS)
queries = st.one_of(
    st.text(max_size=40), st.lists(tokens, max_size=12).map(" ".join), st.lists(tokens).map("".join)
)


def test_parsed(golden: Callable[[str, object], None]) -> None:
    """Queries put together by chance are read as before, or refused in the same words."""
    chance = random.Random(2)
    lines: list[str] = []
    for place in range(400):
        text = ("", " ")[place % 3 > 0].join(chance.choices(TOKENS, k=chance.randint(1, 7)))
        try:
            lines.append(f"{text}\n    {parse_query(text)}\n")
        except QueryError as error:
            lines.append(f"{error}\n")

    golden("search/queries.txt", "".join(lines))


@given(queries)
def test_any_text_is_read_or_refused(text: str) -> None:
    """Any text is read, or refused with our own error."""
    try:
        words = words_in(parse_query(text))
    except QueryError:
        words = ["refused"]

    assert words


@given(queries)
def test_small_letters_are_always_read(text: str) -> None:
    """Without operators, quotes, brackets and stars, any text with a word is a query."""
    plain = "".join(sign for sign in f"{text.lower()} ale" if sign not in '"“”()*')

    assert "ale" in words_in(parse_query(plain))


def words_in(part: Part) -> list[str]:
    """Return all words of a query in order."""
    match part:
        case Plain(word):
            return [word]
        case Phrase(words):
            return list(words)
        case Prefix(letters):
            return [letters]
        case Number(number, _):
            return [number]
        case Not(negated):
            return words_in(negated)
        case All(parts, _) | Either(parts):
            return [word for item in parts for word in words_in(item)]
