"""The forms of citations, and the sentences around them, for an invented tree."""

STARTS = ("Zibber", "Quandle", "Velpish", "Wimble", "Druxy", "Fonterel", "Maddock", "Trisk")
_TEXT = (
    "walks the queue before anything else happens here and then asks for more of it while nobody "
    "looks at the list again because every caller waits until its own step has been taken out of "
    "the way by somebody who knows better than this helper does when it was written long ago so "
    "do not touch what works without asking whoever wrote it first or at least run it twice a day"
)
PROSE = _TEXT.split()
ACCENTED = ("caf\u00e9", "na\u00efve", "fa\u00e7ade", "\u00fcber")
# Numbers that are not citations.
DISTRACTORS = (
    "ships since 1.702.3",
    "tagged as v702.4",
    "costs $702.50 or \u00a3704.10",
    "is told at https://example.org/rules/702.9",
    "was at http://example.org/cr/702.9a#rule-704.5k",
    "mirrors www.example.org/rule/702.9",
    "takes 0.702 s",
    "takes 702.5 ms",
    "dates from 2009-07-11",
    "reads 702.9.1",
    "listens on port 443",
    "answers HTTP 404",
    "breaks in line 512",
    "follows RFC 822",
    "has the CRC 702",
    "holds 702.52a of nothing",
    "has a ruler 300 wide",
    "is quoted on page 702",
    "falls under section 230 of an act",
    "knows the SCR 702.1",
    "runs on a CR2032",
    "is rated CR 1,000",
    "follows rule 34",
    "is 104.3 % of it",
    "needs rules 3.11 or newer",
)
BEHIND = (
    ". ", ".", ") ", ": ", " \u2013 ", "! ", " and a ", " or a ", ", ", ", 3 of them ", ", 250 in all ",
    " (", " says ", "; ", "? ", ' "',
)  # fmt: skip
WORDS = (
    ("CR", "CR "),
    ("CR", "CR "),
    ("CR", "CRs "),
    ("CR", "cr "),
    ("CR #", "CR #"),
    ("CR:", "CR: "),
    ("cr702.52a", "cr"),
    ("cr702.52a", "CR"),
    ("C.R.", "C.R. "),
    ("C.R.", "C.R."),
    ("rule", "rule "),
    ("rule", "Rule "),
    ("rule", "rules "),
    ("rule", "rule no. "),
    ("subrule", "subrule "),
    ("Comprehensive Rules", "Comprehensive Rules "),
    ("Comprehensive Rules", "comprehensive rule "),
    ("Comp. Rules", "Comp. Rules "),
    ("**CR**", "**CR** "),
)
# After these words, only numbers with a dot are citations.
WEAK = (
    ("\u00a7", "\u00a7 "),
    ("\u00a7", "\u00a7"),
    ("section", "section "),
    ("section", "Section "),
)
BETWEEN = (
    ("list, commas", ", ", ", "),
    ("list, and", ", ", " and "),
    ("list, and", ", ", ", and "),
    ("list, and", " & ", " & "),
    ("list, or", ", ", " or "),
    ("list, slashes", "/", "/"),
    ("list, slashes", " / ", " / "),
    ("list, semicolons", "; ", "; "),
)
LETTERS_BETWEEN = (
    ("/", "/"),
    (", ", ", and "),
    (", ", " and "),
    (" and ", " and "),
    (" & ", " & "),
)
DASHES = ("-", "\u2013", "-", "\u2013", " to ", " through ", " - ")
COMMENTS = {
    ".py": "# ", ".rs": "/// ", ".java": "// ", ".cs": "/// ", ".ts": "// ", ".lua": "-- ",
    ".sh": "# ", ".sql": "-- ",
}  # fmt: skip
KINDS = (*COMMENTS, ".py", ".rs", ".java", ".cs", ".ts", ".md", ".txt", ".csv", ".json", ".yml")
ENCODINGS = (
    *(["utf-8"] * 14), "utf-8-sig", "utf-16-le", "utf-16-be", "latin-1", "cp1252",
)  # fmt: skip
MARKS = {"utf-16-le": b"\xff\xfe", "utf-16-be": b"\xfe\xff"}
