"""`cr search` and `cr identify`: rules by words."""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from types import SimpleNamespace

import click

from variorum.answers.knowledge_base import KnowledgeBase
from variorum.cards.store import Cards
from variorum.cli import command as opts
from variorum.cli.cards import passages
from variorum.cli.layout import diffed, edition_line, entry, marked, print_note, print_page
from variorum.cli.wording import REMOVED
from variorum.errors import FINDINGS, NOT_FOUND, NotFoundError, VariorumError
from variorum.files import LARGEST_WITNESS, read_file, read_standard_input
from variorum.records.document import Claim, DocumentOrigin, QuotedProvision
from variorum.records.search import Expansion, Hit, Resolution, SearchResult
from variorum.rows import headword_of, named
from variorum.search.ask import MOST_PASSAGES, Inquiry
from variorum.search.query import QueryError, parse_query, words_of
from variorum.search.quoted_words import AMBIGUOUS, RESOLVED, UNKNOWN, find_source
from variorum.search.search import DEFAULT_HITS, Search, SearchOptions
from variorum.search.story import is_story
from variorum.terminal import MATCH, NO_MATCH, bold, page_width
from variorum.text import counted, listed, percent, shortened

_HITS = ("chapter", "section", "rule", "subrule", "glossary")
_MARK, _MOST_RUNS, _FIRST, _LONGEST, _FEW = "**", 3, "1999-12-31", 200, 3
_MOST_DAYS, _MOST_NEXT, _MOST_RULES, _LINE = 4, 3, 15, 80
# Of a longer document, only passages that some edition does not confirm are shown.
_MOST_PASSAGES = 40
# A query that is a quotation of so many words is looked up in all editions, however inexact it is.
_QUOTED, _FEWEST_QUOTED = re.compile(r"\s*[\"“](.+)[\"”]\s*").fullmatch, 4
# A value of power and toughness, which is no option: -x/-x.
_VALUE = re.compile(r"-[xXnN*]/.*").fullmatch


# Search -------------------------------------------------------------------------------------------


@opts.command(
    "QUERY...",
    in_={"default": ""},
    kind={"name": "kinds", "type": click.Choice(_HITS), "multiple": True},
    limit={"type": click.IntRange(1, 10_000), "default": DEFAULT_HITS, "show_default": True},
    apart=("--on --ever",),
    context_settings={"ignore_unknown_options": True},
)
def search(base: KnowledgeBase, o: SimpleNamespace) -> opts.Answer:
    """Search rules and glossary by words, numbers, symbols, phrases or a question.

    A question that tells a story, in several sentences or with cards, is answered as cr ask does. Words
    match in any form. Old terms and players' slang also work: "in play" finds rules that
    say "battlefield" today. The best results come first. A query may have "phrases", brackets, AND,
    OR and NOT in capitals, beginnings of words (regen*), numbers (704.5k, 702.1*) and symbols ({T}).
    See docs/judge.md.

    cr search deathtouch trample
    cr search can I respond to a mana ability
    cr search '"face down" AND reveal* NOT token'
    cr search mana burn --ever            the wording of every edition
    cr search leaves play --on 2007-10-01
    cr search counters --in 702 --kind subrule

    --on
    --ever       Search the wording of every edition.
    --in NUMBER  Only results below this number.
    --kind KIND  Only results of this kind: chapter, section, rule, subrule, glossary. May be
                 repeated.
    --limit N    Show at most this many results.
    --json --jsonl
    """
    for word in o.words:  # -1/-1 is none
        if re.match(r"--?[a-zA-Z]", word) and not _VALUE(word):
            raise click.UsageError(f"No such option {word!r}.")
    query = " ".join(o.words)
    labels = base.labels
    line = f"the wording of all editions, {labels[0]} to {labels[-1]}"
    line = line if o.ever else edition_line(base.edition(o.on or "current"))
    within = opts.number_option("--in", o.in_)
    options = SearchOptions(query, o.on, o.ever, within, o.kinds, o.limit)
    try:
        is_plain = bool(words_of(parse_query(query))) and not (o.ever or o.in_ or o.kinds)
        cards = Cards.open(base.folder) if is_plain else None
        if is_plain and is_story(query, cards):
            return passages(base, cards, Inquiry(query, o.on, min(o.limit, MOST_PASSAGES)))
        with Search(base, print_note) as engine:
            results = engine.search(options)
            if results.hits:
                return opts.Answer(results, lambda: _hits(results, line, labels), results.hits)
            if engine.is_about_nothing(options):
                nothing = f"{_cut(query)}: the rules have nothing about this"
                raise opts.NoAnswerError(nothing, results)
            quoted = _QUOTED(query)
            if quoted and len(quoted[1].split()) >= _FEWEST_QUOTED:
                o.number = o.on = None
                return _source_of(base, quoted[1], o)
            everywhere = SearchOptions(query, ever=True, kinds=o.kinds)
            former = 0 if o.ever else engine.search(everywhere).total
    except QueryError as error:
        raise click.UsageError(str(error)) from None
    nothing = f"{_cut(results.query)}: nothing found in {line}"
    if o.as_json:
        raise opts.NoAnswerError(nothing, results, near=results.suggestions)
    notes = [*map(_cut, _notes(results))]
    if not (o.on or o.ever or results.missing):
        notes.append("every word is found, but not together as asked")
    notes += [f"{former} found in the wording of all editions: cr search --ever"] if former else []
    print_note("\n  ".join([nothing, *notes]))
    return opts.end(NOT_FOUND)


def found_instead(base: KnowledgeBase, text: str, failed: Sequence[VariorumError]) -> None:
    """Show what a search finds for words that are no term and like none, and exit."""
    error = failed[0]
    if not isinstance(error, NotFoundError) or error.last_words:
        return
    if (error.near and " " not in text) or not re.fullmatch(r"[^\W\d]+(?:[ '’-]+[^\W\d]+)*", text):
        return
    labels = base.labels
    with Search(base, print_note) as engine, suppress(QueryError):
        for query, ever in (f'"{text}"', True), (text, False):
            results = engine.search(SearchOptions(query, ever=ever, limit=_FEW))
            if results.hits:
                option = " --ever" if ever else ""
                print_note(error)
                print_note(f"cr search {text}{option} finds {results.total:,}, of which the first:")
                line = "the wording of all editions"
                line = line if ever else edition_line(base.edition("current"))
                print_page(_hits(results, line, labels))
                opts.end(NOT_FOUND)


def _cut(text: str) -> str:
    return text if len(text) <= _LONGEST else f"{text[:_LONGEST]}…"


def _hits(results: SearchResult, line: str, labels: Sequence[str]) -> Iterator[str]:
    yield from _notes(results)
    for hit in results.hits:
        yield from _hit(hit, labels)
    count = len(results.hits)
    if any(hit.stood for hit in results.hits):  # a number that only other editions have
        line = f"the wording of all editions, {labels[0]} to {labels[-1]}"
    of = f"{count:,} of {results.total:,}" if count < results.total else f"{count}"
    yield from ["", f"  {of} found in {line}"]


def _notes(results: SearchResult) -> Iterator[str]:
    """Yield notes: other words that were searched for, and words that no text has."""
    also: dict[str, list[str]] = {}
    for expansion in results.expanded:
        also.setdefault(_why_also(expansion), []).append(f'"{expansion.to}"')
    yield from (f"also searched for {', '.join(words)} ({why})" for why, words in also.items())
    if results.missing:
        missing = ", ".join([f'"{word}"' for word in results.missing])
        yield f"no rule has {missing}"
    if results.suggestions:
        yield f"did you mean: {', '.join(results.suggestions)}"


def _why_also(expansion: Expansion) -> str:
    asked = f'"{expansion.from_}"'
    if expansion.kind == "era" and expansion.until:
        return f"the rules' wording of {asked} until {expansion.until}"
    # The editions do not show how old the wording of the first edition is.
    if expansion.kind == "era" and expansion.since and expansion.since > _FIRST:
        return f"the rules' wording of {asked} since {expansion.since}"
    return f"for {asked}"


def _hit(hit: Hit, labels: Sequence[str]) -> Iterator[str]:
    own = named(hit.number, hit.heading)
    name = hit.last if hit.stood else own
    opening = "  ".join(filter(None, (hit.number, hit.heading)))
    where = " › ".join(hit.path) if hit.number else "Glossary"
    if name != own:
        opening, where = headword_of(name) or name, f"was {opening}  {where}"
    width = page_width()
    title = f"{opening}  {where}".rstrip()
    title = title if not width or len(title) <= width else f"{title[: width - 1].rstrip()}…"
    yield title.replace(opening, bold(opening), 1)
    if hit.stood:
        runs = [(name, first, last) for first, last in hit.stood]
        yield f"    with these words: {_printed(runs, hit.now, labels)}"
    elif hit.now != own:
        became = f"now {hit.now}" if hit.now else _ended(hit.edition, labels, REMOVED)
        yield f"    {hit.edition}, {became}"
    if hit.snippet.replace(_MARK, "") != hit.heading:
        words = _around_marks(hit.snippet, width - 4) if width else hit.snippet
        yield "    " + re.sub(r"\*\*(.*?)\*\*", rf"{MATCH}\1{NO_MATCH}", words)


def _around_marks(words: str, width: int) -> str:
    """Return what fits into a line of a sentence with marks, from shortly before the first one."""
    if len(words.replace(_MARK, "")) <= width:
        return words
    first = max(words.find(_MARK), 0)
    start = words.rfind(" ", 0, max(first - width // 3, 0)) + 1 if first > width // 2 else 0
    shown = shortened(words[start:], width - 2)
    return f"{'…' if start else ''}{shown}{_MARK * (shown.count(_MARK) % 2)}"


def _printed(runs: Sequence[Sequence[str]], now: str | None, labels: Sequence[str]) -> str:
    """Return when provisions printed some words, in runs of a name and two editions; and their name now."""
    *_, (name, _, end) = runs
    is_moved = any(each != name for each, *_ in runs)
    phrases: list[str] = []
    for each, first, last in runs if is_moved else runs[-_MOST_RUNS:]:
        if is_moved:
            until = f"since {first}" if last == labels[-1] else f"from {first} to {last}"
            phrases.append(f"{each} {f'on {first}' if first == last else until}")
        else:
            until = "today" if last == labels[-1] else last
            phrases.append(first if first == last else f"{first} to {until}")
    before = "… " if len(phrases) < len(runs) else ""
    ended = _ended(end, labels, REMOVED if now is None else "changed")
    became = "" if now is None or now == name else f"; now {now}"
    return f"{before}{', '.join([*phrases, *([ended] if ended else [])])}{became}"


def _ended(last: str, labels: Sequence[str], how: str) -> str:
    """Return the day on which another edition replaced some words; "" if they are still printed."""
    after = labels[labels.index(last) + 1 :]
    return f"{how} on {after[0]}" if after else ""


# Documents and quotations -------------------------------------------------------------------------


@opts.command("FILE|WORDS...", number={"default": ""})
def identify(base: KnowledgeBase, o: SimpleNamespace) -> opts.Answer:
    """Find the editions that a document may come from, or the rule that quoted words come from.

    FILE may be an excerpt, a fragment without title or numbers, a page that quotes rules, or a whole
    edition. Days that it gives for its words are checked. Of a bulletin, the edition that it announces
    is found; of an article, the rules that it discusses.

    WORDS are what is no file and has a blank; they may be incomplete or inexact. If several rules print
    them, all are listed; a rule that prints them today comes first. If several print them today, the exit
    code is 1; choose one with --number or --on.

    cr identify excerpt.txt
    cr 704.5k --copy | cr identify -    from standard input
    cr identify "if a player controls two or more legendary permanents"
    cr identify "the player leaves the game" --number 600.4a --on 2007-10-01

    --number NUMBER  The number given with quoted words.
    --on EDITION     The edition that quoted words are from.
    --quoted         Quoted words, also a single one or a file's name.
    --json --jsonl
    """
    text = " ".join(o.words)
    if o.quoted or (" " in text.strip() and (len(o.words) > 1 or not Path(text).exists())):
        return _source_of(base, text, o)
    if o.number or o.on:
        raise click.UsageError("--number and --on are for quoted words")
    path = opts.named_path(text)
    is_piped = text == "-"
    data = read_standard_input(LARGEST_WITNESS) if is_piped else read_file(path, LARGEST_WITNESS)
    from variorum.witnesses.read import DocumentReader  # a search needs none of it

    answer = DocumentReader(base).identify(data, text)
    if not (answer.passages or answer.discusses or answer.from_):
        raise opts.NoAnswerError(f"{text}: it quotes no rule and discusses none", answer)
    return opts.Answer(answer, lambda: set_identified(answer), answer.passages)


def set_identified(answer: DocumentOrigin) -> Iterator[str]:
    """Yield the lines of what a document is, and a line for each passage."""
    passages = answer.passages
    about = f": {counted(len(passages), 'passage')}" if passages else ""
    yield f"{answer.kind}{about}"
    yield from _origin(answer)
    shown = passages
    if len(passages) > _MOST_PASSAGES:
        shown = [each for each in passages if not _is_plain(each)][:_MOST_PASSAGES]
    for passage in shown:
        yield from _passage(passage, answer.edition)
    if hidden := len(passages) - len(shown):
        yield f"  {counted(hidden, 'passage')} not shown here; --json lists all"
    for link in answer.discusses[:_MOST_RULES]:
        sure = f"{percent(link.confidence)} sure: {shortened(link.words, _LINE)}"
        yield f"  line {link.line}  {link.rule}  {sure}"
    if (more := len(answer.discusses) - _MOST_RULES) > 0:
        yield f"  and {more:,} more"


def _origin(answer: DocumentOrigin) -> Iterator[str]:
    """Yield what is said of the whole document: its edition, those that come next, its days."""
    step, edition, first, last = answer.announces, answer.edition, answer.from_, answer.to
    if step:
        count = f"{step.confirmed} of its {counted(step.entries, 'entry')}"
        yield f"It announces the edition of {step.edition}, which changed what {count} name."
    elif first is None or last is None:
        yield "It tells no edition."
    elif edition is None:
        span = f"the edition of {first}" if first == last else f"editions of {first} to {last}"
        yield f"It is about {span}."
    else:
        counts = {candidate.edition: candidate.matched for candidate in answer.candidates}
        of, matched = len(answer.passages), counts[edition]
        when = f"{first} alone" if first == last else f"{first} to {last}, likeliest {edition}"
        how = "All agree" if matched == of else f"{matched:,} of {of:,} agree"
        if not any(passage.verdict == "agrees" for passage in answer.passages):
            how += ", but for their numbers,"
        yield f"{how} word for word with {when}."
        others = {label: count for label, count in counts.items() if not first <= label <= last}
        if most := max(others.values(), default=0):
            best = sorted(label for label, count in others.items() if count == most)
            how = f"Next, with {most:,}" if most < matched else "With as many"
            yield f"{how}: {listed(best, _MOST_NEXT)}."
    yield from (f"- {line}" for line in answer.evidence)
    stated = {said.day: said for said in reversed(answer.stated) if said.fits is not None}
    for day, said in sorted(stated.items(), reverse=True)[:_MOST_DAYS]:
        misfit = "is too early" if first and day < first else "is later"
        yield f"- {day} {'fits' if said.fits else misfit}: {shortened(said.words, _LINE)}"


def _is_plain(passage: QuotedProvision) -> bool:
    confirmed = [claim.verdict.startswith("confirmed") for claim in passage.claims]
    return passage.verdict == "agrees" and all(confirmed)


def _passage(passage: QuotedProvision, edition: str | None) -> Iterator[str]:
    name = passage.number or passage.headword or ""
    stands = headword_of(passage.stands or "") or passage.stands
    runs = passage.editions
    here = [run for run in runs if edition and run[0] <= edition <= run[1]] or runs[-1:]
    notes = [
        passage.verdict + ("" if stands == name else f" as {stands}"),
        *(f"{run[0]} alone" if run[0] == run[1] else f"{run[0]} to {run[1]}" for run in here),
        *([f"{passage.supplied} supplied"] if passage.supplied else []),
        *([f"{percent(passage.likeness)} alike"] if passage.verdict == "differs" else []),
    ]
    said = Counter(map(_claim, passage.claims))
    notes += [each + (f" ({count} times)" if count > 1 else "") for each, count in said.items()]
    yield entry(name, ", ".join(notes))
    yield from diffed(marked(passage.pieces), 6) if passage.pieces else ()


def _claim(claim: Claim) -> str:
    said, since = f"says {claim.day}: {claim.verdict}", claim.words_since
    if claim.verdict == "contradicted" and since:
        said += f", words since {since}"
        if claim.number_since not in {None, since}:
            said += f", number since {claim.number_since}"
    return said


def _source_of(base: KnowledgeBase, quotation: str, o: SimpleNamespace) -> opts.Answer:
    number = opts.number_option("--number", o.number or "")
    try:
        answer = find_source(base, quotation, number, o.on)
    except QueryError as error:
        raise click.UsageError(str(error)) from None
    label = base.edition(o.on).label if o.on else ""
    if answer.status == UNKNOWN:
        raise opts.NoAnswerError("no rule prints most of these words in this order", answer)
    if o.as_json and answer.status == AMBIGUOUS:
        near = [named(source.number, source.heading) for source in answer.sources]
        said = f"{answer.total:,} provisions print these words, or words like them"
        raise opts.NoAnswerError(said, answer, near=near, kind="ambiguous")
    code = 0 if answer.status == RESOLVED else FINDINGS
    lines = lambda: _sources(answer, base.labels, number, label)  # noqa: E731
    return opts.Answer(answer, lines, answer.sources, code)


def _sources(answer: Resolution, labels: Sequence[str], number: str, label: str) -> Iterator[str]:
    for source in answer.sources:
        name = named(source.number, source.heading)
        heading = f" {source.heading}" if source.number and source.heading else ""
        alike = "" if source.likeness == 1 else f"; {percent(source.likeness)} alike"
        yield entry(name + heading, f"{_printed(source.numbers, source.now, labels)}{alike}", 0)
        yield from [f"    {source.snippet}", ""]
    if answer.status == AMBIGUOUS:
        shown, total = len(answer.sources), answer.total
        some = f"; {shown} of them are shown" if shown < total else ""
        alike = " or similar words" if answer.sources[0].likeness < 1 else ""
        yield f"  ambiguous: {total:,} provisions print these words{alike}{some}"
    if answer.number_fits is False:
        yield f"  {number or 'the number before them'} does not have these words"
    if answer.edition_fits is False:
        yield f"  the edition of {label} does not print these words"
