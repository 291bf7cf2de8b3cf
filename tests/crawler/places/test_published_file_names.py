"""Days, formats and kinds of documents, from file names."""

from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from variorum_crawler.places.published_file_names import (
    date_in_name,
    file_name,
    format_of,
    is_foreign_folder,
    is_other_name,
    is_rules_name,
)

DAYS = [
    ("MagicCompRules 20230414.txt", date(2023, 4, 14)),
    ("https://media.example.com/2023/downloads/MagicCompRules%2020230414.txt", date(2023, 4, 14)),
    ("MagicCompRules_20170707.TXT", date(2017, 7, 7)),
    ("MagicCompRulesWOE 20230901.docx", date(2023, 9, 1)),
    ("Comprehensive Rules 20221007.pdf", date(2022, 10, 7)),
    ("MagicCompRules_CN2_Update_20160826.txt", date(2016, 8, 26)),
    ("MagicCompRules 2023-04-14.txt", date(2023, 4, 14)),
    ("MagicCompRules 2023_4_14.txt", date(2023, 4, 14)),
    # The month first.
    ("MagicCompRules_04082016.txt", date(2016, 4, 8)),
    ("MagicCompRules_01162016.txt", date(2016, 1, 16)),
    ("MagicCompRules 04102024.pdf", date(2024, 4, 10)),
    # Two digits for the year, first or last.
    ("MagicCompRules090501.txt", date(2009, 5, 1)),
    ("MagicCompRules080715.txt", date(2008, 7, 15)),
    ("MagicCompRules070907.txt", date(2007, 9, 7)),
    ("MagicCompRules041001.txt", date(2004, 10, 1)),
    ("MagicCompRules060104.txt", date(2004, 6, 1)),
    ("MagicCompRules120103.txt", date(2003, 12, 1)),
    ("MagicCompRules_070103.txt", date(2003, 7, 1)),
    ("MagicCompRules_031503.txt", date(2003, 3, 15)),
    ("MagicCompRules_071002.txt", date(2002, 7, 10)),
    ("MagicComPrules_092401.txt", date(2001, 9, 24)),
    # The first and the last day of each form that may also be read as another day.
    ("MagicCompRules_070101.txt", date(2001, 7, 1)),
    ("MagicCompRules_091203.txt", date(2003, 9, 12)),
    ("MagicCompRules 100103.txt", date(2003, 10, 1)),
    ("MagicCompRules 091204.txt", date(2004, 9, 12)),
    ("MagicCompRules 090612.txt", date(2009, 6, 12)),
    ("rules 920805.txt", date(2092, 8, 5)),
    ("rules 990423.txt", date(1999, 4, 23)),
    ("rules 930805.txt", date(1993, 8, 5)),
    ("CR_230901.txt", date(2023, 9, 1)),
    # Typing errors with one possible reading.
    ("MagicCompRules 202109224.txt", date(2021, 9, 24)),
    ("MagicCompRules 202312011.txt", date(2023, 12, 1)),
    ("MagicCompRules 202313005.txt", date(2023, 10, 5)),
    ("MagicCompRules 2023091.txt", date(2023, 9, 1)),
    ("MagicCompRules 2023930.txt", date(2023, 9, 30)),
    # The same day twice.
    ("20230901 MagicCompRules 2023-09-01.txt", date(2023, 9, 1)),
]


@pytest.mark.parametrize(("name", "day"), DAYS, ids=[name for name, _ in DAYS])
def test_day_is_read(name: str, day: date) -> None:
    """All forms of days in file names are read."""
    assert date_in_name(name) == day


@pytest.mark.parametrize(
    "name",
    [
        "",
        "MagicCompRules.txt",
        "MagicCompRules 20231301.txt",
        "MagicCompRules 20230230.txt",
        "MagicCompRules 18990101.txt",
        "MagicCompRules 2023111.txt",  # 2023-01-11 or 2023-11-01
        "MagicCompRules 101112.txt",  # in no window of its forms
        "MagicCompRules 040105.txt",  # the month was first until 2004
        "MagicCompRules_061201.txt",
        "MagicCompRules_100103.txt",
        "MagicCompRules 091203.txt",
        "MagicCompRules 100104.txt",
        "MagicCompRules 090701.txt",
        "MagicCompRules 21000101.txt",
        "MagicCompRules 123456789.txt",
        "MagicCompRules 1234567890123.txt",
        "20230901 MagicCompRules 20231117.txt",
        "MagicCompRules \N{ARABIC-INDIC DIGIT TWO}0230901.txt",
        "http://[broken",
    ],
)
def test_day_is_not_guessed(name: str) -> None:
    """A name with no day, or with several, gives none."""
    assert date_in_name(name) is None


@given(st.dates(date(1993, 1, 1), date(2099, 12, 31)), st.sampled_from(["%Y%m%d", "%Y-%m-%d"]))
def test_whole_days_are_read(day: date, form: str) -> None:
    """Every complete day with the year first is read correctly."""
    assert date_in_name(f"MagicCompRules {day.strftime(form)}.txt") == day


@given(st.text(alphabet="0123456789_- .", max_size=20))
def test_any_name_is_answered(name: str) -> None:
    """A name of random digits gives a day between 1993 and 2099, or none."""
    day = date_in_name(name)
    assert day is None or 1993 <= day.year <= 2099


@pytest.mark.parametrize(
    ("address", "name"),
    [
        ("https://a.example/b/MagicCompRules%2020230414.txt", "MagicCompRules 20230414.txt"),
        ("https://a.example/b/c.txt?v=1.pdf#x", "c.txt"),
        ("https://a.example/get?file=b%2FMagicCompRules.txt&v=2", "MagicCompRules.txt"),
        ("https://a.example/get", "get"),
        ("/srv/rules/MagicCompRules.txt", "MagicCompRules.txt"),
        ("https://[broken/x.txt", ""),
        ("https://a.example/b%2F..%5Cc%0A%1B.txt", "c\ufffd\ufffd.txt"),
    ],
)
def test_name_of_an_address(address: str, name: str) -> None:
    """The name is the last part of the path, or is in the query."""
    assert file_name(address) == name


@pytest.mark.parametrize(
    ("name", "message"),
    [("a.txt", "txt"), ("a.TXT", "txt"), ("a.docx", "docx"), ("a.doc", ""), ("a", ""), ("txt", "")],
)
def test_format(name: str, message: str) -> None:
    """The ending of a name gives the format, in any case."""
    assert format_of(name) == message


SHORT = ["MTG_CR_20260227.txt", "MagicCR20260227.txt", "Magic CR.pdf"]


@pytest.mark.parametrize("name", [*(name for name, _ in DAYS if "Comp" in name), *SHORT])
def test_names_of_the_rules(name: str) -> None:
    """Every known spelling is recognised as the rules."""
    assert is_rules_name(name)


@pytest.mark.parametrize(
    "name",
    [
        "MTG_MTR_2023Sep04_EN.pdf",
        "Magic Tournament Rules 20230901.pdf",
        "MagicInfractionProcedureGuide.pdf",
        "Comprehensive Rules Changes 20230901.txt",
        "BasicRules.pdf",
        "MagicCompRules_DE_20230901.txt",
        "MagicCompRules 20230901 Japanese.pdf",
        "CompRules-pt-BR.docx",
        "20230901_JP_MagicCompRules.txt",
        "MagicCompRules_FRA.txt",
        "MagicCompRules RU 20230901.txt",
        "MagicCompRules deutsch.txt",
        "MagicCompRules (Korean).txt",
        "MagicCompRules Traditional.txt",
        "competition.txt",
        "MagicCredits.txt",
        "MTG_CR_DE_20260227.txt",
    ],
)
def test_names_of_others(name: str) -> None:
    """Other downloads and other languages are not taken for the rules."""
    assert not is_rules_name(name)


def test_words_of_other_downloads() -> None:
    """The words of a link also reveal other downloads."""
    assert is_other_name("Tournament Rules")
    assert is_other_name("Comprehensive Rules (German)")
    assert not is_other_name("Comprehensive Rules (English)")


@pytest.mark.parametrize(
    ("address", "is_foreign"),
    [
        ("https://a.example/de/MagicCompRules.txt", True),
        ("https://a.example/pt-BR/x/MagicCompRules.txt", True),
        ("https://a.example/en/MagicCompRules.txt", False),
        ("https://a.example/2023/downloads/de", False),
    ],
)
def test_folders_of_languages(address: str, is_foreign: bool) -> None:
    """The language is read from a folder, not from the file's own name."""
    assert is_foreign_folder(address) is is_foreign
