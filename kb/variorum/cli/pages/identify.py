"""Format what the editions say of a document, and where quoted words come from."""

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from variorum.cli.pages.diff import diff_paragraph, marked, paragraph
from variorum.cli.pages.provisions import indented
from variorum.cli.pages.search import when_printed
from variorum.rows import headword_of, named
from variorum.terminal import bold
from variorum.text import counted, listed, percent, shortened

if TYPE_CHECKING:
    from variorum.records.identify import Claim, DocumentOrigin, QuotedProvision, RuleDiscussed
    from variorum.records.search import Resolution, Source

_MOST_DAYS, _MOST_NEXT, _MOST_RULES = 4, 3, 15
# Of a longer document, only passages that some edition does not confirm are shown.
_MOST_PASSAGES = 40
_LINE = 80


def set_identified(answer: "DocumentOrigin", width: int) -> str:
    """Format the answer of `cr identify FILE`: what the document is, then a line for each passage.

    Args:
        answer: In the form of `cr identify --json`.
        width: Columns of the terminal; 0 puts each paragraph on one line.
    """
    passages = answer.passages
    about = f": {counted(len(passages), 'passage')}" if passages else ""
    lines = [f"{answer.kind}{about}"]
    for line in _whole(answer):
        lines += indented(line, width, 0, 2)
    for passage in _shown(passages):
        lines += _passage(passage, answer.edition, width)
    hidden = len(passages) - len(_shown(passages))
    if hidden:
        lines.append(f"  {counted(hidden, 'passage')} not shown here; --json lists all")
    for link in answer.discusses[:_MOST_RULES]:
        lines += indented(_link(link), width, 2, 4)
    more = len(answer.discusses) - _MOST_RULES
    if more > 0:
        lines.append(f"  and {more:,} more")
    return "\n".join(lines) + "\n"


def _whole(answer: "DocumentOrigin") -> Iterator[str]:
    """Yield what is said of the whole document."""
    step, edition = answer.announces, answer.edition
    first, last = answer.from_, answer.to
    if step:
        count = f"{step.confirmed} of its {counted(step.entries, 'entry')}"
        yield f"It announces the edition of {step.edition}, which changed what {count} name."
    elif first is None or last is None:
        yield "It tells no edition."
    elif edition is None:
        span = f"the edition of {first}" if first == last else f"editions of {first} to {last}"
        yield f"It is about {span}."
    else:
        yield from _ties(answer, first, last, edition)
    yield from (f"- {line}" for line in answer.evidence)
    stated = {said.day: said for said in reversed(answer.stated) if said.fits is not None}
    for day, said in sorted(stated.items(), reverse=True)[:_MOST_DAYS]:
        misfit = "is too early" if first and day < first else "is later"
        words = shortened(said.words, _LINE)
        yield f"- {day} {'fits' if said.fits else misfit}: {words}"


def _ties(answer: "DocumentOrigin", first: str, last: str, edition: str) -> Iterator[str]:
    """Yield the editions that fit best, and those that come next."""
    counts = {candidate.edition: candidate.matched for candidate in answer.candidates}
    of, matched = len(answer.passages), counts[edition]
    when = f"{first} alone" if first == last else f"{first} to {last}, likeliest {edition}"
    how = "All agree" if matched == of else f"{matched:,} of {of:,} agree"
    if not any(passage.verdict == "agrees" for passage in answer.passages):
        how += ", but for their numbers,"
    yield f"{how} word for word with {when}."
    others = {label: count for label, count in counts.items() if not first <= label <= last}
    most = max(others.values(), default=0)
    if most:
        best = sorted(label for label, count in others.items() if count == most)
        how = f"Next, with {most:,}" if most < matched else "With as many"
        yield f"{how}: {listed(best, _MOST_NEXT)}."


def _shown(passages: "Sequence[QuotedProvision]") -> "Sequence[QuotedProvision]":
    if len(passages) <= _MOST_PASSAGES:
        return passages
    return [passage for passage in passages if not _is_plain(passage)][:_MOST_PASSAGES]


def _is_plain(passage: "QuotedProvision") -> bool:
    return passage.verdict == "agrees" and all(
        claim.verdict.startswith("confirmed") for claim in passage.claims
    )


def _passage(passage: "QuotedProvision", edition: str | None, width: int) -> Iterator[str]:
    name = passage.number or passage.headword or ""
    stands = headword_of(passage.stands) or passage.stands
    notes = [passage.verdict + ("" if stands == name else f" as {stands}")]
    runs = passage.editions
    here = [run for run in runs if edition and run[0] <= edition <= run[1]] or runs[-1:]
    notes += [f"{run[0]} alone" if run[0] == run[1] else f"{run[0]} to {run[1]}" for run in here]
    if passage.supplied:
        notes.append(f"{passage.supplied} supplied")
    if passage.verdict == "differs":
        notes.append(f"{percent(passage.likeness)} alike")
    said = Counter(map(_claim, passage.claims))
    notes += [words + (f" ({count} times)" if count > 1 else "") for words, count in said.items()]
    first, *rest = indented(f"{name}  {', '.join(notes)}", width, 2, 6)
    yield first.replace(name, bold(name), 1)
    yield from rest
    if passage.pieces:
        yield from diff_paragraph(marked(passage.pieces), 6, width)


def _claim(claim: "Claim") -> str:
    words = f"says {claim.day}: {claim.verdict}"
    since = claim.words_since
    if claim.verdict == "contradicted" and since:
        words += f", words since {since}"
        if claim.number_since not in {None, since}:
            words += f", number since {claim.number_since}"
    return words


def _link(link: "RuleDiscussed") -> str:
    words = shortened(link.words, _LINE)
    return f"line {link.line}  {link.rule}  {percent(link.confidence)} sure: {words}"


# Quoted words -----------------------------------------------------------------------------------


def set_sources(
    answer: "Resolution", labels: Sequence[str], number: str, label: str, width: int
) -> str:
    """Format the rules that quoted words come from.

    Args:
        answer: In the form of `cr identify "words" --json`, with sources.
        labels: The labels of all editions, oldest first.
        number: The number given with the words, or "".
        label: The label of the edition given with them, or "".
        width: Columns of the terminal; 0 puts each paragraph on one line.
    """
    lines: list[str] = []
    for source in answer.sources:
        lines += [*_source(source, labels, width), ""]
    if answer.status == "ambiguous":
        shown, total = len(answer.sources), answer.total
        some = f"; {shown} of them are shown" if shown < total else ""
        alike = " or similar words" if answer.sources[0].likeness < 1 else ""
        lines.append(f"  ambiguous: {total:,} provisions print these words{alike}{some}")
    if answer.number_fits is False:
        lines.append(f"  {number or 'the number before them'} does not have these words")
    if answer.edition_fits is False:
        lines.append(f"  the edition of {label} does not print these words")
    return "\n".join(lines) + "\n"


def _source(source: "Source", labels: Sequence[str], width: int) -> Iterator[str]:
    name = named(source.number, source.heading)
    heading = f" {source.heading}" if source.number and source.heading else ""
    alike = "" if source.likeness == 1 else f"; {percent(source.likeness)} alike"
    opening = name + heading
    first, *rest = indented(f"{opening}  {_years(source, name, labels)}{alike}", width, 0, 4)
    yield first.replace(opening, bold(opening), 1)
    yield from rest
    yield from paragraph(source.snippet, 4, width)


def _years(source: "Source", name: str, labels: Sequence[str]) -> str:
    """Return when a rule printed words; if its number changed, each number with its years."""
    numbers = source.numbers
    last_name, *last = numbers[-1]
    if all(number == last_name for number, *_ in numbers):
        return when_printed(name, source.now, [run for _, *run in numbers], labels)
    years = [
        f"{number} on {first}" if first == end else f"{number} from {first} to {end}"
        for number, first, end in numbers
    ]
    if last[1] == labels[-1]:
        years[-1] = f"{last_name} since {last[0]}"
    after = when_printed(name, source.now, [last], labels)
    return ", ".join(years) + after.removeprefix(after.partition(",")[0])
