"""A small document of each kind that a knowledge base accepts, from the sample rulebook."""

import html
from collections.abc import Mapping, Sequence
from functools import cache

from tests.conftest import SAMPLE
from tests.support.original_files import docx, paragraph, pdf, rtf, sample_lines
from variorum.model import Provision
from variorum.reading.edition import read_edition

_DAY = "2008-06-20"
_NUMBERS = ("511", "511.1", "511.2", "511.3", "600.1", "600.2", "600.4", "600.4a")


@cache
def edition() -> tuple[Provision, ...]:
    """Return the provisions of the sample edition that the documents quote."""
    path = SAMPLE / f"{_DAY}.txt"
    return read_edition(path.read_bytes())[1]


def quoted() -> list[Provision]:
    """Return the provisions that they quote."""
    return [provision for provision in edition() if provision.number in _NUMBERS]


def _lines(provision: Provision, before: str, behind: str = "") -> list[str]:
    words = " ".join(filter(None, (provision.heading, provision.text.replace("\n", " "))))
    return [
        f"{before}{words}{behind}",
        *(f"Example: {it.text}{behind}" for it in provision.paragraphs if it.marker),
    ]


def excerpt() -> str:
    """Return rules with their numbers."""
    return (
        "\n\n".join(
            line for provision in quoted() for line in _lines(provision, f"{provision.number}. ")
        )
        + "\n"
    )


def fragment() -> str:
    """Return rules and definitions, beginning within a sentence."""
    rules = excerpt().partition("511.1. ")[2].partition(" ")[2]
    entries = "\n".join([it.text for it in edition() if it.kind == "glossary"][:3])
    return f"{rules}\nGlossary\n{entries}\n"


def rulings() -> str:
    """Return a page of rulings, each rule with a note of its day."""
    lines = ["This search based on the June 22, 2008 release of the Rulings."]
    for provision in quoted():
        is_section = "." not in provision.number
        claim = "" if is_section else " [CompRules 2008/06/20]"
        lines += [f"  {line}" for line in _lines(provision, f"{provision.number} - ", claim)]
    return "\n".join([*lines, "    This search based on the June 22, 2008 release of the Rulings."])


def collection() -> str:
    """Return a collection of rulings with its own numbers."""
    rules = [provision for provision in quoted() if provision.text]
    lines = [f"A.1.{n} - {rule.text} [D'Angelo 02/03/98]" for n, rule in enumerate(rules, start=1)]
    return "\n".join(["A - Coins", "A.1 - General Rulings on Coins", *lines, "B - Boats"]) + "\n"


def wiki() -> str:
    """Return a page copied from a wiki."""
    rules = "\n".join(
        f"  • {line}" for lines in quoted() for line in _lines(lines, f"{lines.number}. ")
    )
    return (
        "Coins\n\nFrom MTG Wiki\nRevision as of 08:15, 3 May 2009 by Somebody (talk)\n"
        "Jump to navigation Jump to search\n\nCoins are flipped in this game, now and then.\n\n"
        f"Rules\n\nFrom the Comprehensive Rules (June 20, 2008—Harbor)\n\n{rules}\n"
    )


def wikitext() -> str:
    """Return the source of a wiki page."""
    rules = "\n".join(
        f"*'''{provision.number}.''' {line}"
        for provision in quoted()
        for line in _lines(provision, "")[:1]
    )
    return (
        "'''Coins''' are flipped in [[this game]], now and [[then]].\n\n==Rules==\n"
        f"{{{{CR|Harbor|{rules}\n}}}}\n\n[[Category:Keywords]]\n"
    )


def _html(title: str, body: Sequence[str], head: str = "") -> str:
    inner = "\n".join(body)
    return (
        f"<!DOCTYPE html>\n<html><head><title>{title}</title>{head}</head><body>\n"
        f"<h1>{title}</h1>\n{inner}\n</body></html>\n"
    )


def wiki_html() -> str:
    """Return the HTML of a wiki page."""
    rules = [
        f"<li><b>{provision.number}.</b> {html.escape(line)}</li>"
        for provision in quoted()
        for line in _lines(provision, "")[:1]
    ]
    stamp = "<p><b>From the Comprehensive Rules (June 20, 2008&#8212;<i>Harbor</i>)</b></p>"
    generator = '<meta name="generator" content="MediaWiki 1.39">'
    return _html("Coins - MTG Wiki", [stamp, "<ul>", *rules, "</ul>"], generator)


def rulings_html() -> str:
    """Return the HTML of a rulings page."""
    return _html("Rulings", ["<pre>", html.escape(rulings()), "</pre>"])


def hyperlinked() -> str:
    """Return rules as a page with links between them."""
    lines = [
        f'<p id="R{provision.number}"><b>{provision.number}.</b> {html.escape(line)}</p>'
        for provision in quoted()
        for line in _lines(provision, "")[:1]
    ]
    return _html("Rules of 2008", lines)


def article() -> str:
    """Return prose that addresses readers and quotes a rule."""
    rule = next(provision for provision in quoted() if provision.number == "600.4a")
    return (
        "Harbor Monday: What happens when somebody leaves\n\nBy Joan Keeper, Level 2 judge\n\n"
        "Posted on March 5, 2009\n\n"
        "Last week I was asked what becomes of the cards of a player who goes home early.\n\n"
        f"The rules say it, in rule {rule.number}: “{rule.text}” That is all, isn’t it?\n\n"
        "So we learn: don’t go home early.\n"
    )


def bulletin() -> str:
    """Return a page that announces changes to rules."""
    return (
        "# January 2010 Update Bulletin\n\nBy Joan Keeper\n\nPosted on January 20, 2010\n\n"
        "## 511\n\n511 becomes 705. Its rules were renumbered with it.\n\n"
        "## 511.1\n\n511.1 becomes 705.1.\n\n"
        "## 511.2\n\n511.2 becomes 705.2. Nothing else about this rule has changed.\n\n"
        "## 600.4a\n\n600.4a becomes 800.4a. The whole section moved to the end of the book.\n\n"
        "## 601.2\n\nThis is a new rule. It says what nobody had thought of so far.\n"
    )


def texts() -> Mapping[str, str]:
    """Return the text documents, by file name."""
    return {
        "excerpt.txt": excerpt(),
        "fragment.txt": fragment(),
        "rulings.txt": rulings(),
        "rulings.html": rulings_html(),
        "collection.txt": collection(),
        "wiki.txt": wiki(),
        "wiki.html": wiki_html(),
        "wikitext.txt": wikitext(),
        "hyperlinked.html": hyperlinked(),
        "article.txt": article(),
        "bulletin.md": bulletin(),
    }


# The layout of each of them.
LAYOUTS: Mapping[str, str] = {
    "excerpt.txt": "excerpt",
    "fragment.txt": "fragment",
    "rulings.txt": "rulings page",
    "rulings.html": "rulings page",
    "collection.txt": "rulings collection",
    "wiki.txt": "wiki page",
    "wiki.html": "wiki page",
    "wikitext.txt": "wiki page",
    "hyperlinked.html": "hyperlinked edition",
    "article.txt": "article",
    "bulletin.md": "bulletin",
}
KINDS = ("edition.txt", "edition.docx", "edition.rtf", "edition.pdf", *LAYOUTS)


@cache
def document(name: str) -> bytes:
    """Return the bytes of a document by its name."""
    match name:
        case "edition.txt":
            return (SAMPLE / f"{_DAY}.txt").read_bytes()
        case "edition.docx":
            return docx("".join(map(paragraph, sample_lines())))
        case "edition.rtf":
            return rtf(sample_lines())
        case "edition.pdf":
            return pdf(sample_lines())
        case _:
            return texts()[name].encode()
