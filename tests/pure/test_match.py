"""The matcher of documents by their words, on the sample rulebook; a row is a page."""

import json
import re
import textwrap
from itertools import pairwise
from pathlib import Path

import pytest

from variorum.quoting.bulletins import announced_step, entries_of
from variorum.quoting.page import page_of, read_page
from variorum.quoting.quotations import printings_with, rules_with
from variorum.quoting.texts import PrintedTexts, Printing
from variorum.quoting.verdicts import Identity, identify
from variorum.reading.edition import read_edition
from variorum.text import find_days

SAMPLE = Path(__file__).parents[2] / "kb" / "variorum" / "sample"
FILES = sorted(SAMPLE.glob("*.txt"))
EDITIONS = [read_edition(file.read_bytes())[1] for file in FILES]
LABELS = [file.stem for file in FILES]


def _known() -> PrintedTexts:
    editions: dict[tuple[str, str, tuple[str, ...]], int] = {}
    for place, provisions in enumerate(EDITIONS):
        for provision in provisions:
            texts = tuple(paragraph.text for paragraph in provision.paragraphs)
            state = provision.number, provision.heading, texts or (provision.heading,)
            editions[state] = editions.get(state, 0) | 1 << place
    printings = [Printing(*s, bits, hash(s[2][:1])) for s, bits in editions.items()]
    return PrintedTexts(printings, LABELS)


KNOWN = _known()


def rules(place: int, first: str, last: str) -> list[str]:
    """Return a run of rules of an edition, a paragraph each, as it prints them."""
    provisions = EDITIONS[place]
    numbers = [provision.number for provision in provisions]
    chosen = provisions[numbers.index(first) : numbers.index(last) + 1]
    lines: list[str] = []
    for rule in chosen:
        texts = [f"{part.marker} {part.text}".strip() for part in rule.paragraphs]
        head = f"{rule.number}{'' if rule.number[-1].isalpha() else '.'} {rule.heading}".strip()
        lines += [f"{head} {texts[0]}", *texts[1:]] if texts else [head]
    return lines


def judged(text: str) -> Identity:
    """Return what the editions say of a page."""
    return identify(page_of(text), KNOWN)


def numbers(identified: Identity) -> list[str]:
    """Return the numbers of the passages, printed or supplied."""
    return [KNOWN.printings[passage.provision].number for passage in identified.passages]


LINES = rules(7, "300", "303.1")
WANTED = [line.split(" ")[0].rstrip(".") for line in LINES if line[0].isdigit()]
UNNUMBERED = [line.split(" ", 1)[1] for line in LINES if line[0].isdigit() and len(line) > 60]

PAIRS = [re.fullmatch(r"(.*?)\.? (.*)", line).groups() for line in LINES if line[0].isdigit()]

FORMS = {
    "lines": "\n".join(LINES),
    "wrapped": "\n".join(textwrap.fill(line, 60, subsequent_indent="    ") for line in LINES),
    "run on": " ".join(LINES),
    "lost breaks": "\n".join(LINES).replace(".\n", "."),
    "marks of change": "\n".join(f"+{line}" for line in LINES),
    "dashes": "\n".join(re.sub(r"^(\S+?)\.? ", r"\1 - ", line) for line in LINES),
    "comments": "\n".join(f"// {part}" for line in LINES for part in textwrap.wrap(line, 70)),
    "our page": '<html><meta name="generator" content="Variorum"><p>'
    + "<p>".join(line.replace(" ", ' <a class="m">was 702.9</a> ', 1) for line in LINES),
    "json": json.dumps({"rules": LINES}),
    "json lines": "\n".join(json.dumps({"Text": t, "number": n}) for n, t in PAIRS),
    "yaml": "\n".join(f'- number: "{n}"\n  text: >\n    {t}' for n, t in PAIRS),
    "xml": "<?xml version='1.0'?>" + "".join(f'<rule number="{n}">{t}</rule>' for n, t in PAIRS),
    "forum": "\n".join(f"[b]CR{n.upper()}[/b] {t}" for n, t in PAIRS),
    "glued markup": "<ul>" + "".join(f"<li><b>{n}</b><i>{t}</i>" for n, t in PAIRS),
    "two columns": "\n".join(f"{p:<64}Calm" for line in LINES for p in textwrap.wrap(line, 60)),
    "wikitext": "\n".join(f"* '''{line.replace(' ', chr(39) * 3 + ' ', 1)}" for line in LINES),
    "diff": "@@\n" + "\n".join(f"-{line}" for line in LINES),
    "pages": "\n".join(line.replace(" ", "\nPage 3 of 9\n\fRules\n", 1) for line in LINES),
    "lost quotes": "\n".join(LINES).replace("’", "\ufffd").replace("“", "\ufffd"),
    "glued": re.sub(r"\(See rule", "(See Rule", "\n".join(LINES)).replace(". (See", ".(See"),
}


@pytest.mark.parametrize("form", FORMS)
def test_form_says_nothing(form: str) -> None:
    """Whatever a page looks like, its words tell its edition and its numbers."""
    identified = identify(read_page(FORMS[form].encode()), KNOWN)
    assert (identified.kind, numbers(identified)) == ("excerpt", WANTED)
    assert {passage.said.verdict for passage in identified.passages} == {"agrees"}
    assert [LABELS[place] for place in identified.ties] == ["2022-02-11", "2025-05-30"]


def test_numbers_are_supplied() -> None:
    """A page without numbers has them from its edition."""
    identified = judged("\n".join(UNNUMBERED))
    assert {passage.said.supplied for passage in identified.passages} == {"number"}
    assert set(numbers(identified)) <= set(WANTED)


RULE = next(line for line in LINES if line.startswith("302.1"))
PUT_IN = "Nobody waits for the bell of the second pier."
FORGED = {
    "behind": f"{RULE} {PUT_IN}",
    "before": RULE.replace(" ", f" {PUT_IN} ", 1),
    "within": f"{RULE[:90]} banana {RULE[90:]}",
}


@pytest.mark.parametrize("where", FORGED)
def test_words_put_in(where: str) -> None:
    """A rule with words that no edition has differs, and no other does."""
    page = "\n".join(FORGED[where] if line == RULE else line for line in LINES)
    differing = [p for p in judged(page).passages if p.said.verdict != "agrees"]
    assert [(p.said.verdict, p.said.number) for p in differing] == [("differs", "302.1")]
    assert any(sign == "+" for sign, _ in differing[0].said.pieces)


@pytest.mark.parametrize(
    ("page", "edition"),
    [
        ("", "2025-05-30"),
        ("Updated 2022/03/01\n", "2022-02-11"),
        ("From the edition of February 11, 2022\n", "2022-02-11"),
        ("First written on 3 May 2016, revised June 1, 2025\n", "2025-05-30"),
    ],
)
def test_stated_day_parts_ties(page: str, edition: str) -> None:
    """Of editions that fit equally well, the one that the page states is named."""
    place = judged(page + "\n".join(LINES)).edition
    assert LABELS[place or 0] == edition


def test_other_number() -> None:
    """Words under a number that they never had do not agree."""
    page = "\n".join(LINES).replace("302.1", "702.9")
    verdicts = {p.said.number: p.said.verdict for p in judged(page).passages}
    assert verdicts["702.9"] == "agrees elsewhere"
    assert set(verdicts.values()) == {"agrees", "agrees elsewhere"}


OTHERS = {
    "prose": "The harbor was quiet, and nobody had hoisted anything since the morning.\n" * 40,
    "header": "/* The harbor was quiet.\n" + " * Nobody hoists.\n" * 40 + " */\nint run(int a);\n",
    "program with a rule": "int run(int a) { return a == b ? c(a) : d(b); }\n" * 60 + f"// {RULE}",
    "other rules": "\n".join(f"{n}.1. Runner number {n} draws two cards." for n in range(100, 190)),
    "headings of other rules": "1. First Things\n100. General\n100.1. Runners run.\n200. General\n"
    + "\n".join(f"200.{n}. Runner number {n} draws two cards." for n in range(1, 90)),
}


@pytest.mark.parametrize("page", OTHERS)
def test_nothing(page: str) -> None:
    """Other texts quote nothing."""
    assert judged(OTHERS[page]).kind == "nothing"


def changed_by(place: int) -> set[str]:
    """Return the numbers whose words an edition changed, or that it gave or took away."""
    before, after = (
        {rule.number: (rule.heading, rule.paragraphs) for rule in EDITIONS[edition] if rule.number}
        for edition in (place - 1, place)
    )
    return {number for number in before | after if before.get(number) != after.get(number)}


CHANGES = {place: changed_by(place) for place in range(1, len(EDITIONS))}


def announcement(stated: str) -> str:
    """Return a bulletin on what the edition of 2017-11-10 changed."""
    numbers = sorted(number for number in CHANGES[6] if "." in number)[:9]
    heads = [f"**{numbers[0]}**", *[f"{first} & {second}" for first, second in pairwise(numbers)]]
    return f"Published on {stated}\n\n" + "\n\n".join(
        f"{head}\nThis was unclear, so we say it better now." for head in heads
    )


@pytest.mark.parametrize(
    ("stated", "edition"),
    [("November 3, 2017", "2017-11-10"), ("March 3, 2013", None), ("May 20, 2025", None)],
)
def test_bulletin(stated: str, edition: str | None) -> None:
    """A bulletin belongs to the step near its day that changed what it names, else to none."""
    page = page_of(announcement(stated))
    entries = [*entries_of(page, set(), KNOWN)]
    step = announced_step(entries, [*find_days(stated)], CHANGES, KNOWN.days)
    assert (len(entries), step and LABELS[step]) == (9, edition)
    assert not step or all(entry.is_among(CHANGES[step]) for entry in entries)


def standing(words: str) -> list[tuple[str, int]]:
    """Return where a rule's text stands: its number, and the place of the edition."""
    return [
        (provision.number, place)
        for place, provisions in enumerate(EDITIONS)
        for provision in provisions
        if [part.text for part in provision.paragraphs][:1] == [words]
    ]


TEXTS = [p.paragraphs[0].text for p in EDITIONS[4] if p.number and p.paragraphs]
RENUMBERED = [text for text in TEXTS if len(standing(text)) == len({*standing(text)}) > 5]


@pytest.mark.parametrize("slip", ["", "foghorn "])
def test_quotation_has_its_numbers_with_their_years(slip: str) -> None:
    """Words that stood under several numbers are told with each, in the editions that print them."""
    several = 0
    for text in RENUMBERED:
        found = printings_with(text.replace(" ", f" {slip}", 1), KNOWN)
        rules = rules_with(found, found, KNOWN)
        told = [
            (run.number, place)
            for rule in rules
            for run in rule.runs
            for place in range(run.first, run.last + 1)
        ]
        assert {*standing(text)} <= {*told}
        assert all((rule.likeness < 1.0) == bool(slip) for rule in rules)
        several += len(rules[0].runs) > 1
    assert several > 9


CLAIMS = {
    "2022/02/11": "confirmed (words)",
    "2017/11/10": "contradicted",
    "2019/01/01": "unknown",
}


@pytest.mark.parametrize("day", CLAIMS)
def test_claimed_day(day: str) -> None:
    """A day behind words is confirmed where the words were new, else contradicted."""
    page = "\n".join(f"{RULE} [CompRules {day}]" if line == RULE else line for line in LINES)
    claims = [claim for passage in judged(page).passages for claim in passage.said.claims]
    assert [claim.verdict for claim in claims] == [CLAIMS[day]]
