"""`cr search`, `card` and `kb cards`: the rules that have some words, answer a question or govern a card."""

import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from pathlib import Path
from shlex import join
from types import SimpleNamespace

import click

from variorum.answers.knowledge_base import KnowledgeBase
from variorum.cards.governing import card_json
from variorum.cards.store import CARDS, Cards, key_of, take_in
from variorum.cli import command as opts
from variorum.cli.wording import REMOVED, edition_line, entry, para, print_note
from variorum.errors import FINDINGS, NotFoundError
from variorum.files import base_folder
from variorum.records.search import CardWithRules, Hit, Passages, Resolution, SearchResult, Source
from variorum.rows import headword_of, named
from variorum.search.query import parse_query, words_of
from variorum.search.search import DEFAULT_HITS, MOST_PASSAGES, Search, SearchOptions
from variorum.terminal import MATCH, PLAIN, bold, page_width
from variorum.text import doubted, percent, shortened

_MARK, _MARKED = "**", re.compile(r"\*\*(.*?)\*\*")
_MOST_RUNS, _FIRST, _LONGEST, _PASSAGE = 3, "1999-12-31", 200, 320
# A query that is a quotation of four words or more is looked up in all editions, however inexact it is.
_QUOTED = re.compile(r"\s*[\"“](\S+(?:\s+\S+){3,})[\"”]\s*").fullmatch
_OPTION = re.compile(r"--?[a-zA-Z](?!/)").match  # unlike power and toughness: -1/-1, -x/-x
_NOTHING = "the rules have nothing about this"


@opts.command(
    "QUERY...",
    in_={"default": ""},
    limit={"type": click.IntRange(1, 10_000)},
    apart=("--on --ever",),
    context_settings={"ignore_unknown_options": True},
)
def search(base: KnowledgeBase, o: SimpleNamespace) -> opts.Answer:
    """Search rules and glossary by words, numbers, symbols, phrases or a question.

    cr search deathtouch trample
    cr search '"face down" AND reveal* NOT token'
    cr search mana burn --ever            the wording of every edition
    cr search counters --in 702 --kind subrule

    Words match in any form; old terms and players' slang also work. The rules that answer a question are
    found, and why each is there, if it tells a story in several sentences or names cards. See docs/judge.md.

    --on
    --ever       Search the wording of every edition; other words stand in only for words it lacks.
    --in NUMBER  Only results below this number.
    --kind KIND  Only results of this kind: chapter, section, rule, subrule, glossary. May be
                 repeated.
    --limit N    Show at most this many results. Default: 10, or 5 answers to a question.
    --json --jsonl
    """
    for word in filter(_OPTION, o.words):
        raise click.UsageError(f"No such option {word!r}.")
    query = " ".join(o.words)
    if o.in_ and not re.fullmatch(r"[1-9][\d.]*[a-z]*", o.in_):
        raise click.UsageError(f"--in {o.in_}: takes a number, such as 7, 702 or 702.19")
    options = SearchOptions(query, o.on, o.ever, o.in_, o.kind, o.limit or DEFAULT_HITS)
    scope, said = _scope(base, options), shortened(query, _LONGEST)
    is_plain = bool(words_of(parse_query(query))) and not (o.ever or o.in_ or o.kind)
    with Search(base, print_note) as engine:
        if is_plain and engine.is_story(query):
            answer = engine.ask(query, o.on, o.limit or MOST_PASSAGES)
            if answer.passages:
                return opts.Answer(answer, _explained(answer, scope), answer.passages)
            raise NotFoundError(f"{said}: {_NOTHING}", answer=answer, near=answer.suggestions)
        results = engine.search(options)
        if results.hits:
            count = len(results.hits)
            where = _scope(base, options._replace(ever=any(hit.stood for hit in results.hits)))
            page = [*_notes(results, base.labels)]
            page += [line for hit in results.hits for line in _hit(hit, base.labels)]
            of = f" of {results.total:,}" * (count < results.total)
            page += ["", f"  {count:,}{of} found in {where}"]
            return opts.Answer(results, page, results.hits)
        if quoted := _QUOTED(query):
            return source_of(base, quoted[1])
        everywhere = SearchOptions(query, ever=True, kinds=o.kind)
        former = 0 if o.ever else engine.search(everywhere).total
        found = _NOTHING if engine.is_about_nothing(options) else f"nothing found in {scope}"
    near, notes = results.suggestions, [*_notes(results, base.labels)]
    missing = NotFoundError(f"{said}: {found}", answer=results, near=near)
    if not (o.on or o.ever or results.missing):
        notes.append("every word is found, but not together as asked")
    notes += [f"{former} found in the wording of all editions: cr search --ever"] if former else []
    missing.also = [shortened(note, _LONGEST) for note in notes]
    raise missing


def source_of(base: KnowledgeBase, quotation: str) -> opts.Answer:
    """Return the answer of `cr identify` about quoted words."""
    from variorum.search.quoted_words import RESOLVED, UNKNOWN, find_source

    answer = find_source(base, quotation)
    if answer.status == UNKNOWN:
        what = "" if " " in quotation else f"{quotation}: not a file, and "
        about = f"{_near(answer)}; cr search --ever finds older ones".lstrip("; ")
        said = f"{what}no rule prints most of these words in this order; {about}"
        raise NotFoundError(said, answer=answer)
    page = "\n".join(_sources(answer, base.labels)).rstrip()
    return opts.Answer(answer, [page], answer.sources, FINDINGS * (answer.status != RESOLVED))


def _scope(base: KnowledgeBase, options: SearchOptions) -> str:
    if options.ever:
        return f"the wording of all editions, {base.labels[0]} to {base.labels[-1]}"
    return edition_line(base.edition(options.on or "current"))


def _notes(results: SearchResult, labels: Sequence[str]) -> Iterator[str]:
    also, until = dict[str, list[str]](), dict[str, str]()
    for it in results.expanded:
        # The editions do not show how old the wording of the first edition is.
        is_since = it.since is not None and it.since > _FIRST
        when = f"until {it.until}" if it.until else f"since {it.since}" if is_since else ""
        is_era = it.kind == "era" and when
        why = f'the rules\' wording of "{it.from_}" {when}' if is_era else f'for "{it.from_}"'
        also.setdefault(why, []).append(f'"{it.to}"')
        if it.last and it.last >= labels[0]:
            typed = join(["cr", "search", *it.from_.split(), "--on", it.last])
            after = [f"; what changed: cr changes {day}" for day in labels if day > it.last]
            until[f'the rules had "{it.from_}" until {it.last}: {typed}{"".join(after[:1])}'] = ""
    said = {", ".join(words): why for why, words in also.items()}
    yield from (f"also searched for {words} ({why})" for words, why in said.items())
    yield from until
    if results.missing:
        yield "no rule has " + ", ".join([f'"{word}"' for word in results.missing])
    if results.suggestions:
        yield f"did you mean: {', '.join(results.suggestions)}"


def _hit(hit: Hit, labels: Sequence[str]) -> Iterator[str]:
    own = named(hit.number, hit.heading)
    name = hit.last if hit.stood else own
    opening = "  ".join(filter(None, (hit.number, hit.heading)))
    where = " › ".join(hit.path) if hit.number else "Glossary"
    if name != own:
        opening, where = headword_of(name) or name, f"was {opening}  {where}"
    yield entry(opening, where, 0)
    if hit.stood:
        runs = [(name, first, last) for first, last in hit.stood]
        since = f"; this sentence from {hit.since} on" * (hit.since not in {None, runs[0][1]})
        yield f"    with these words: {printed(runs, hit, labels)}{since}"
    elif hit.now != own:
        became = f"now {hit.now}" if hit.now else f"{REMOVED} since"
        yield f"    {hit.edition}, {doubted(became, hit.confidence)}"
    if hit.snippet.replace(_MARK, "") != hit.heading:
        snippet, width = hit.snippet, page_width() - 4
        if 0 < width < len(snippet.replace(_MARK, "")):  # one line, in which a mark stands
            first = snippet.find(_MARK)
            start = snippet.rfind(" ", 0, first - width // 3) + 1 if first > width * 2 // 3 else 0
            line = f"{'… ' * bool(start)}{snippet[start:]}"
            line = shortened(line, width - 2 + len(_MARK) * line[:width].count(_MARK))
            snippet = line + _MARK * (line.count(_MARK) % 2)
        yield "    " + _MARKED.sub(rf"{MATCH}\1{PLAIN}", snippet)


def printed(runs: Sequence[Sequence[str]], found: Hit | Source, labels: Sequence[str]) -> str:
    """Return when what was found printed some words, in runs of a name and two editions; and its name now."""
    *_, (name, _, end) = runs
    now, chance = found.now, found.confidence
    is_moved = any(each != name for each, *_ in runs)
    shown = runs if is_moved else runs[-_MOST_RUNS:]
    phrases = ["…"] if len(shown) < len(runs) else []
    for each, first, last in shown:
        days = f"on {first}" if first == last else f"from {first} to {last}"
        days = f"since {first}" if last == labels[-1] else days
        phrases.append(f"{each} {days}" if is_moved else days)
    phrases[-1] = doubted(phrases[-1], chance if now == name else 1)
    if after := labels[labels.index(end) + 1 :]:
        ended = f"{REMOVED if now is None else 'changed'} on {after[0]}"
        phrases.append(doubted(ended, chance if now is None else 1))
    said = ", ".join(phrases).replace("…, ", "… ")
    return said if now in {None, name} else f"{said}; {doubted(f'now {now}', chance)}"


def _sources(answer: Resolution, labels: Sequence[str]) -> Iterator[str]:
    for source in answer.sources:
        name = named(source.number, source.heading)
        heading = f" {source.heading}" if source.number and source.heading else ""
        alike = "" if source.likeness == 1 else f"; {percent(source.likeness)} alike"
        yield entry(name + heading, f"{printed(source.numbers, source, labels)}{alike}", 0)
        yield from [f"    {source.snippet}", ""]
    if answer.status == "ambiguous":
        shown, total = len(answer.sources), answer.total
        some = f"; {shown} of them are shown" if shown < total else ""
        alike = " or similar words" if answer.sources[0].likeness < 1 else ""
        yield f"  ambiguous: {total:,} provisions print these words{alike}{some}"
    yield from [f"  perhaps a paraphrase; {near}" for near in [_near(answer)] if near]
    if answer.number_fits is False:
        yield "  the number before them does not have these words"


def _near(answer: Resolution) -> str:
    near = ", ".join([join(["cr", it]) for it in answer.near])
    return f"by its words: {near}" if near else ""


def _explained(answer: Passages, line: str) -> Iterator[str]:
    cards = [it for it in answer.cards if it.name != it.written]
    notes = [f"{it.written}: {' or '.join([it.name, *it.others])}" for it in cards]
    notes += [f"did you mean: {', '.join(answer.suggestions)}"] if answer.suggestions else []
    yield from [*notes, *[""] * bool(notes)]
    for passage in answer.passages:
        opening = "  ".join(filter(None, (passage.number, passage.heading)))
        yield entry(opening, " › ".join(passage.path), 0)
        why = defaultdict[str, dict[str, None]](dict)  # each word once
        for it in passage.why:
            source = f"{'a ruling on ' * (it.kind == 'ruling')}{it.card or 'the question'}"
            why[source] |= dict.fromkeys(map(str.lower, it.words))
        said = [f"{source}: {', '.join(words)}" for source, words in why.items()]
        yield f"    why: {'; '.join(said)}"
        texts = [passage.text] if passage.text != passage.heading else []
        texts += [f"{it.number}  {it.text}" for it in passage.subrules]
        for text in filter(None, texts):
            yield from para(shortened(text, _PASSAGE), 4)
        yield ""
    yield f"  {line}"
    if not answer.has_cards:
        yield "  no cards added; cr kb cards FILE adds cards, and their text also counts"


def _cards(folder: Path) -> Cards:
    if known := Cards.open(folder):
        return known
    need = "cr kb cards FILE adds AtomicCards of mtgjson.com, or bulk data of scryfall.com"
    raise NotFoundError(f"no cards yet; {need}")


@opts.command("NAME...")
def card(base: KnowledgeBase, o: SimpleNamespace) -> opts.Answer:
    """Show the card NAME, the rules that govern it with the reason for each, and its rulings.

    cr card Kruphix
    cr card birthing pod --on 2012-05-01

    A part of a name is enough. Add cards first, with cr kb cards. A number in a ruling is read as on the
    day of the ruling.

    --on --json --jsonl
    """
    name, edition = " ".join(o.words), base.edition(o.on or "current")
    cards = _cards(base.folder)
    ids, _ = cards.named(key_of(name))
    near = [] if ids else cards.likeliest(name)
    ids = near if len(near) == 1 else ids
    if not ids:
        names = [cards.card(each).name for each in near]
        older = "the cards that you added may be older than this one"
        meant = f"did you mean {', '.join(names)}?" if names else older
        raise NotFoundError(f"{name}: no such card; {meant}", near=names)
    answer = card_json(base, edition, cards.card(ids[0]))
    others = [cards.card(each).name for each in ids[1:]]
    if others and not o.as_json:
        print_note(f"{name!r} is shown as {answer.name}; others: {', '.join(others)}")
    return opts.Answer(answer, _card(answer, edition_line(edition)), answer.rules)


def _card(card: CardWithRules, line: str) -> Iterator[str]:
    for face in card.faces:
        yield f"{bold(face.name)}  {face.cost}".rstrip()
        yield f"{face.type_line}  {face.size}".rstrip()
        yield from [*para(face.text, 4), ""]
    for rule in card.rules:
        yield entry(f"{rule.number}  {rule.heading}".rstrip(), f"({rule.reason}: {rule.words})")
    yield from [""] if card.rules else []
    for ruling in card.rulings:
        yield f"  {ruling.date}  {ruling.text}"
        for cited in ruling.citations:
            now = f"{'still' if cited.now == cited.number else 'now'} {cited.now}"
            now = doubted(now if cited.now else REMOVED, cited.confidence)
            then = f" of {cited.edition}: {now}"
            then = then if cited.edition else ": not in the rules of that day"
            yield f"      {cited.number}{then}"
    yield from [*([""] if card.rulings else []), f"  {line}"]


@opts.command("[PATHS]...", is_alone=True)
def cards(o: SimpleNamespace) -> opts.Answer:
    """Add the cards in PATHS for questions and cr card; without PATHS, say which cards there are.

    cr kb cards AtomicCards.json.gz
    cr kb cards oracle-cards.json rulings.json

    PATHS are files: MTGJSON's AtomicCards or Scryfall's bulk data (cards and their rulings), compressed
    or not. They replace the cards that were there.

    --json --kb
    """
    folder = base_folder(o.kb)
    counts = take_in(o.words, folder) if o.words else _cards(folder).counts
    newest = f", the newest of {counts.newest}" if counts.newest else ""
    said = f"{folder / CARDS}: {counts.cards:,} cards, {counts.rulings:,} rulings{newest}"
    return opts.Answer(counts, [said])
