"""Format what a provision cites and what cites it."""

from variorum.cli.pages.provisions import indented
from variorum.terminal import bold

TYPE_CHECKING = False
if TYPE_CHECKING:
    from variorum.records.provision import Citation, References


def set_refs(refs: "References", edition: str, *, width: int) -> str:
    """Format the answer of `cr refs`."""
    number = refs.number or refs.address
    lines: list[str] = []
    cites, cited_by = refs.cites, refs.cited_by
    lines.append(bold(f"{number} cites {_count(len(cites))}"))
    for citation in cites:
        lines += _entry(_cited(citation), "", width)
    lines.append(bold(f"{number} is cited {_times(len(cited_by))}"))
    for citing in cited_by:
        lines += _entry(citing.address, citing.text, width)
    return "\n".join([*lines, "", f"  {edition}", ""])


def _cited(citation: "Citation") -> str:
    targets = ", ".join(citation.targets)
    title = f" “{citation.title}”" if citation.title else ""
    if citation.status != "resolved":
        return f"{citation.text}{title}: dangling" + (f", but for {targets}" if targets else "")
    named = "" if targets == citation.text else f" = {targets}"
    misfit = ", which has another title" if citation.title_fits is False else ""
    return f"{citation.text}{title}{named}{misfit}"


def _entry(name: str, text: str, width: int) -> list[str]:
    words = f"{name}  {text}" if text else name
    first, *rest = indented(words, width, 2, 4)
    if text:
        first = f"  {bold(name)}{first[2 + len(name) :]}"
    return [first, *rest]


def _count(number: int) -> str:
    return "nothing" if not number else f"{number:,}:"


def _times(number: int) -> str:
    return "nowhere" if not number else f"{number:,} {'time' if number == 1 else 'times'}:"
