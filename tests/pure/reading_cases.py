"""Changes of the small edition, most of them taken from a real one; a row is a case."""

from typing import Literal

from tests.support.edition_texts import LONG, RULES
from variorum.rule_numbers import SUBRULE_LETTERS

Part = Literal["head", "rules", "glossary", "credits_", "all"]
Case = tuple[str, Part, str, str]

MORE = "".join(f"101.{number}. Wick {number} burns.\n\n" for number in range(3, 12))


def _numbered(why: str, numbers: str) -> Case:
    """Return a case with other numbers in the first section."""
    lines = [
        f"{number}{'' if number[-1].isalpha() else '.'} "
        + ("Boats" if "." not in number else f"Words about {number}.")
        for number in numbers.split()
    ]
    start = RULES.partition("100.1.")[0]
    return why, "rules", RULES, start + "\n\n".join(lines) + "\n\n101. Lamps\n\n"


def _titled(length: int) -> str:
    return ("Wick " * length)[: length - 1] + "k"


def _heading(why: str, words: str) -> Case:
    return why, "rules", "101.1. Wick", f"101.1. {words}"


def _glossary(why: str, glossary: str) -> Case:
    return why, "glossary", GLOSSARY_WHOLE, glossary


def _words(letters: str) -> str:
    return "".join(f"{letter}{n}lamp\n{LONG}\n\n" for letter in letters for n in "abcdef")


GLOSSARY_WHOLE = (
    "Boat\nWhat a keeper has. See rule 100.1a.\n\n"
    "Lamp\n1. What a boat has.\n2. What a keeper lights.\n\n"
)
LAMP = "Lamp\nWhat a boat has.\n\n"
LETTERS = " ".join(f"100.1{letter}" for letter in (*SUBRULE_LETTERS, "aa", "ab"))

CASES: tuple[Case, ...] = (
    # Numbers as they are printed.
    ("no period", "rules", "101.2. A lamp", "101.2 A lamp"),
    ("a space in the number", "rules", "101.2. A lamp", "101. 2. A lamp"),
    ("no space after the number", "rules", "101.2. A lamp", "101.2.A lamp"),
    ("the number twice", "rules", "101.2. A lamp", "101.2. 101.2. A lamp"),
    ("a longer number is no repetition", "rules", "101.2. A lamp", "101.2. 101.2a lamps"),
    ("a period after a subrule's number", "rules", "101.2. A lamp", "101.1b. A lamp"),
    ("a space in a subrule's number", "rules", "101.2. A lamp", "101. 1b A lamp"),
    ("an indented rule", "rules", "101.2. A lamp", " 101.2. A lamp"),
    ("306.b for 306.3b, 2008-10-01", "rules", "100.1b A boat", "100.b A boat"),
    _numbered("160.2c for 100.2c, 2005-08-01", "100.1 100.2 100.2a 100.2b 160.2c 100.3"),
    _numbered(
        "a section under another's numbers, 2006-05-01",
        "100.1 100.2 100.3 105 105.1 100.2 100.3 100.4 106 106.1",
    ),
    _numbered("102.2b for 100.2b, 2006-10-01", "100.1 100.2 100.2a 102.2b 100.3"),
    _numbered("100.1b twice, 2009-10-01", "100.1 100.1a 100.1b 100.1b 100.2"),
    _numbered("100.23 for 100.3, 2010-06-18", "100.1 100.2 100.23 100.3a 100.4"),
    _numbered("100.3a-c for 100.2a-c, 2021-09-24", "100.1 100.2 100.3a 100.3b 100.3c 100.3 100.4"),
    _numbered("100.2d-e for 100.2a-b, 2023-04-14", "100.1 100.2 100.2d 100.2e 100.3"),
    _numbered("a rule and its subrule twice, 2024-09-20", "100.1 100.1a 100.1b 100.1 100.1a 100.3"),
    _numbered("subrules without the first", "100.1 100.1b 100.1c 100.2"),
    _numbered("a subrule of the next rule", "100.1 100.2 100.3a"),
    _numbered("subrules of other rules", "100.1 100.1a 102.1b 100.2d"),
    _numbered("l and o are never used, aa follows z", f"100.1 {LETTERS} 100.2"),
    _numbered("a letter skipped, 2001-07-23", "100.1 100.1a 100.1b 100.1d 100.2"),
    _numbered("a number skipped, 2009-07-11", "100.1 100.2 100.4 100.5"),
    _numbered("a subrule skips at the end of a section", "100.1 100.2b"),
    _numbered("100.2c for 100.1c, above 100.2", "100.1 100.1a 100.1b 100.2c 100.2 100.3"),
    _numbered("a number skips at the end of a section", "100.1 100.2 100.10"),
    _numbered("printed twice, and numbered on", "100.1 100.1a 100.1a 100.1b 100.2 100.2 100.3"),
    _numbered("parts repeated", " ".join(2 * [f"100.{number}" for number in range(1, 20)])),
    _numbered("backwards", " ".join(f"100.{number}" for number in range(20, 0, -1))),
    _numbered(
        "rules of other sections between",
        " ".join(f"100.{n} 100.{n}a {150 + n}.1b" for n in range(1, 9)),
    ),
    *(
        (
            "a number that is 9 or 10 ahead",
            "rules",
            "101. Lamps\n",
            f"{number}. Oars.\n\n101. Lamps\n",
        )
        for number in ("100.11", "100.12")
    ),
    # Missing rules.
    ("more rules", "rules", RULES, RULES + MORE),
    ("one missing", "rules", RULES, RULES + MORE.replace("101.5. Wick 5 burns.\n\n", "")),
    ("rules missing", "rules", RULES, RULES + MORE[len("101.3. Wick 3 burns.\n\n") * 3 :]),
    ("subrules missing", "rules", "101.1a A wick burns.", "101.1a Wick.\n\n101.1e Wick."),
    (
        "a chapter out of order",
        "rules",
        RULES,
        RULES + "3. Boats\n\n300. General\n\n300.1. A boat floats.\n\n",
    ),
    # Paragraphs.
    (
        "examples and continuations",
        "rules",
        "Example: Another",
        "Examples: A third.\n     The tide is low.\n\nExample: Another",
    ),
    ("the marker twice, 2014-06-01", "rules", "Example: Another", "Example:Example: Another"),
    ("EXAMPLE, 1999-04-23", "rules", "Example: Another", "EXAMPLE: Another"),
    ("a broken line, 2003-05-26", "rules", "A boat has a lamp.", "A boat\nhas a lamp."),
    ("a lone letter, 2021-11-19", "rules", "100.2. The", "f\n\n100.2. The"),
    ("a citation at the start", "rules", "100.2. The", "212.2c), or so.\n\n100.2. the"),
    (
        "a blank line missing among many",
        "rules",
        RULES,
        RULES
        + "".join(f"101.{n}. Words.\n\n" for n in range(3, 22))
        + "101.22. Words.\n101.23. Close.\n\n",
    ),
    (
        "no blank lines at all",
        "rules",
        RULES,
        RULES + "".join(f"101.{n}. Words.\n" for n in range(3, 24)) + "\n",
    ),
    # Headings of rules.
    _heading("a heading of several words", "Lamps that burn"),
    _heading("a heading with an exclamation mark", "Light the Lamps!"),
    _heading("a heading with a sign", "∞ (Infinity)"),
    _heading("no heading before a list", "Lamps are lit as follows:"),
    _heading("no heading but a sentence", "There are three ways to light a lamp."),
    _heading("no heading but a quotation", 'A keeper may say "Light."'),
    _heading("the longest heading", _titled(60)),
    _heading("too long for a heading", _titled(61)),
    ("a title without subrules", "rules", "A lamp with no wick stays dark.", "Oil and Water"),
    ("words without subrules", "rules", "A lamp with no wick stays dark.", "Oil that burns"),
    ("the longest heading of a section", "all", "101. Lamps", f"101. {_titled(115)}"),
    ("too long for a section", "all", "101. Lamps", f"101. {_titled(116)}"),
    # Contents.
    ("another heading in the contents", "head", "101. Lamps", "101. Lights"),
    ("a section not in the contents", "head", "101. Lamps", ""),
    (
        "no contents, 2003-05-26",
        "head",
        "Contents\n\n1. Game Concepts\n100. General\n101. Lamps\n\nGlossary\n\nCredits\n\n",
        "",
    ),
    ("a section only in the contents", "head", "101. Lamps", "101. Lamps\n102. Boats"),
    (
        "many sections only in the contents",
        "head",
        "101. Lamps",
        "101. Lamps\n102. Boats\n103. Tides\n104. Keepers",
    ),
    # The parts of a document.
    ("begins too late", "rules", RULES.partition("101.1. ")[0] + "101.1. ", ""),
    (
        "no glossary",
        "all",
        "Glossary\n\nBoat\nWhat a keeper has. See rule 100.1a.\n\nLamp\n1. What a boat has.\n2. What a keeper lights.\n\nCredits",
        "",
    ),
    ("no credits", "all", "\n\nCredits\n\nHarborlight", "\n\nHarborlight"),
    ("two editions", "credits_", "Nobody\n", "Nobody\n\n" + RULES),
    ("no month", "head", "June 5", "Juno 5"),
    ("no day", "head", "June 5", "June 31"),
    ("no date", "all", "effective as of June 5, 2020", "good"),
    ("no blank in the date, 2021-06-18", "head", "June 5, 2020.", "June5, 2020."),
    ("no period, 2023-11-17", "head", "June 5, 2020.", "June 5, 2020"),
    ("capitals", "head", "June 5, 2020.", "JUNE 5, 2020."),
    ("current as of, to 2009-05-01", "head", "effective as of", "current as of"),
    ("dates that differ", "credits_", "June 5", "June 6"),
    # The glossary.
    _glossary("no blank line above a headword", "Boat\nA hull.\nLamp\nIt burns.\nAnchor\n\n"),
    _glossary("a blank line below a headword", f"Boat\n\nWhat a keeper has.\n\n{LAMP}"),
    _glossary(
        "a sentence in order is no headword",
        "Boat\nWhat a keeper has.\nLamps burn.\n\nWick\nIt burns.\n\n",
    ),
    _glossary(
        "blank lines between senses", f"Boat\n\n1. What a keeper has.\n\n2. A hull.\n\n{LAMP}"
    ),
    _glossary(
        "a headword glued to its sense, 2021-06-18",
        f"Boat1. What a keeper has.\n2. A hull.\n\n{LAMP}",
    ),
    _glossary(
        "a list with headings, 2003-03-15",
        f"Boat\nWhat a keeper has. These are known:\n\nBig Boats\n\n     Trawler\n\n     Ketch\n\n{LAMP}",
    ),
    _glossary(
        "a line with a colon is no headword",
        f"Boat\nWhat a keeper has.\nAll boats float:\nKetch, Trawler\n\n{LAMP}",
    ),
    _glossary("a headword twice", "Boat\nWhat a keeper has.\n\nBoat\nA hull.\n\n"),
    _glossary(
        "examples", 'Boat\nWhat a keeper has.\nExample: "Ketch" is a boat.\n     It floats.\n\n'
    ),
    _glossary("letters missing", _words("ABCDEFGHLMNOPRSTUVWXYZ")),
    _glossary("hardly any entries", "Boat\n" + "".join(f"     {LONG}{n}.\n\n" for n in range(70))),
    _glossary("the longest headword", f"Boat\nWhat a keeper has.\n\n{_titled(120)}\nIt burns.\n\n"),
    _glossary(
        "too long for a headword", f"Boat\nWhat a keeper has.\n\n{_titled(121)}\nIt burns.\n\n"
    ),
    _glossary(
        "the longest headword alone", f"Boat\nWhat a keeper has.\n\n{_titled(60)}\n\nIt burns.\n\n"
    ),
    _glossary(
        "too long for a headword alone",
        f"Boat\nWhat a keeper has.\n\n{_titled(61)}\n\nIt burns.\n\n",
    ),
    # Lost characters.
    *(
        (f"lost characters: {words}", "rules", "The tide turns.", words)
        for words in (
            "A boat ? or two ? float.",
            "A boat?or two?floats.",
            "A boat — a red ? boat.",
            "a?b — turns.",
            'Say "one ?," or "two ?"',
            "A boat of (20 ? 13) feet.",
            "The UngluedT boat, the Magicr lamp, a T.",
            "See rules 101.1a?b.",
            "See rules 101.1?2 and 101.1a?2.",
            "Is it a boat? It is.",
            '"What floats?" she asked.',
            "See www.boats.example/?x=1 or http://a.b/c?d=e.",
            "Copyright ?2020 Nobody.",
            "The Harborlight? game.",
            "A keeper\N{REPLACEMENT CHARACTER}s tide.",
            "The _Harborlight_ game, and _____ Goblin.",
        )
    ),
    ("a lost dash in an example", "rules", "lights a lamp", "lights ? a lamp"),
    (
        "lost signs where dashes are printed",
        "rules",
        "The tide turns.",
        "The tide — the Harborlight? game — turns. " * 6,
    ),
)

TEXTS = (
    "plain words",
    "A keeper’s lamp — “bright” in the Harborlight® game™ — burns. Dandân, Junún, Ma’rûf.",
    "A keeper’s lamp — “bright” — burns. Junún rests.",
    # Only one letter shows the encoding (2006-07-15, 2006-10-01, 2007-05-01).
    "The island of El-Hajjâj lies far off.",
    # Also valid in Windows-1252, but with a dash and a quotation mark inside words.
    "Ghazbán and Junún, Æther tell of Ma'rûf.",
    # Unlisted names are recognised by letters that words have.
    "Sár the keeper met Tólm and Brún at night.",
    "She is the keeper’s daughter; he isn’t.",
    "It follows a dash: “Barge — Lantern” or — “Barge”.",
)
