"""Identify a document by its words: the editions it quotes or announces, the rules it discusses."""

from collections.abc import Iterator, Sequence
from datetime import date

from variorum_kb.answers.knowledge_base import KnowledgeBase
from variorum_kb.articles.linker import LinkedArticle, ProseParagraph, link_article
from variorum_kb.forms.identify import ClaimJson, DiscussedJson, IdentifyJson, QuotedJson
from variorum_kb.quoting.base_texts import changed_names, headwords, known_texts
from variorum_kb.quoting.bulletins import announced_step, entries_of
from variorum_kb.quoting.claims import DayClaim
from variorum_kb.quoting.edition_days import EditionDays, runs_of
from variorum_kb.quoting.page import PageOfWords, read_page
from variorum_kb.quoting.verdicts import Judged, PageKind
from variorum_kb.quoting.verdicts import identify as identify_page
from variorum_kb.rows import name_of, named
from variorum_kb.system.resource_limits import within_limits

# Fewer words in a paragraph are a label; fewer numbers at heads of paragraphs may be an article's.
_FEWEST_WORDS, _LONGEST_DATELINE, _FEWEST_RULES = 14, 12, 20
_ENDING = frozenset(".:!?")


def identify(base: KnowledgeBase, data: bytes, file: str) -> IdentifyJson:
    """Return which editions a document quotes or announces, in the form of `cr identify --json`.

    Raises:
        DocumentError: It is no text, or costs more than any document of the rules does.
    """
    page = within_limits(read_page, data, file)
    known, labels = known_texts(base), base.labels
    days = EditionDays([date.fromisoformat(label[:10]) for label in labels])
    page_is = identify_page(page, known, days)
    ties, stated = page_is.ties, page_is.stated
    counts = sorted(page_is.counts, key=lambda count: (-count[1], count[0] not in ties))
    answer: IdentifyJson = {
        "kind": page_is.kind.value,
        "edition": None if page_is.edition is None else labels[page_is.edition],
        "from": labels[ties[0]] if ties else None,
        "to": labels[ties[-1]] if ties else None,
        "candidates": [
            {
                "edition": labels[place],
                "doubts": list(base.editions[place].doubts),
                "matched": matched,
                "of": len(page_is.passages),
            }
            for place, matched in counts
        ],
        "passages": [_quoted(passage, page, labels) for passage in page_is.passages],
        "stated": [
            {"day": day.isoformat(), "words": line, "fits": fits if ties else None}
            for day, line, fits in stated
        ],
        "announces": None,
        "discusses": [],
        "evidence": [],
    }
    if page_is.kind is PageKind.EDITION:
        return answer
    entries = entries_of(page, page_is.commentary, headwords(known))
    if page_is.kind is not PageKind.EXCERPT:
        step = announced_step(entries, [said.day for said in stated], changed_names(base), days)
        if step:
            label = labels[step.edition]
            answer |= {"kind": "bulletin", "edition": label, "from": label, "to": label}
            count, of = len(step.changed), len(entries)
            answer["announces"] = {"edition": label, "confirmed": count, "entries": of}
            for said in answer["stated"]:
                said["fits"] = None
            return answer
    paragraphs = [*_prose(page, page_is.commentary)]
    if page_is.kind is PageKind.NOTHING and 2 * len(entries) > max(len(paragraphs), _FEWEST_RULES):
        return answer  # the rules of another game, in numbers of their own
    title = page.text.strip().split("\n", 1)[0]
    lines = (said for said in stated if len(said.line.split()) <= _LONGEST_DATELINE)
    day = next((said.day for said in lines), None)
    article = link_article(base, paragraphs, title, day, ties)
    # Words common since 2009 do not date a page of 1999.
    if article and not (stated and article.first and max(stated).day < days.days[article.first]):
        answer["discusses"] = _discussed(base, article)
        answer["kind"] = answer["kind"].replace(PageKind.NOTHING.value, PageKind.COMMENTARY.value)
        if not ties and article.first is not None and article.last is not None:
            answer |= {"from": labels[article.first], "to": labels[article.last]}
            answer["evidence"] = list(article.evidence)
    return answer


def _quoted(judged: Judged, page: PageOfWords, labels: tuple[str, ...]) -> QuotedJson:
    passage, printing = judged.passage, judged.printing
    runs = runs_of(passage.editions or passage.by_words)
    return {
        "number": passage.number or printing.number or None,
        "headword": None if printing.number else printing.heading,
        "supplied": judged.supplied or None,
        "verdict": judged.verdict.value,
        "editions": [[labels[first], labels[last]] for first, last in runs],
        "stands": named(printing.number, printing.heading),
        "is_part": passage.is_part,
        "likeness": round(judged.likeness, 3),
        "pieces": list(judged.pieces),
        "claims": [_claim(claim, labels) for claim in judged.claims],
        "line": page.line_of(passage.laid[0].lead),
    }


def _claim(claim: DayClaim, labels: tuple[str, ...]) -> ClaimJson:
    def label(place: int | None) -> str | None:
        return None if place is None else labels[place]

    return {
        "words": claim.words,
        "day": claim.day.isoformat(),
        "verdict": claim.verdict.value,
        "edition": label(claim.edition),
        "words_since": label(claim.words_since),
        "number_since": label(claim.number_since),
    }


def _prose(page: PageOfWords, parts: Sequence[tuple[int, int]]) -> Iterator[ProseParagraph]:
    """Yield the paragraphs of prose; one ends at a blank line, or with a line that ends a sentence."""
    line, counted = 1, 0
    for start, end in parts:
        first = start
        for word in range(start + 1, end + 1):
            between = page.around(word, word)
            is_end = word == end or between.count("\n") > 1
            if is_end or ("\n" in between and not _ENDING.isdisjoint(between)):
                if word - first >= _FEWEST_WORDS:
                    words = page.quoted(first, word) + between.split("\n")[0].rstrip()
                    line += page.text.count("\n", counted, page.starts[first])
                    counted = page.starts[first]
                    yield ProseParagraph(line, words)
                first = word


def _discussed(base: KnowledgeBase, article: LinkedArticle) -> list[DiscussedJson]:
    states = base.texts.rows([rule.state for rule in article.discussed if rule.state is not None])
    return [
        {
            "line": rule.line,
            "rule": name_of(states[rule.state]),
            "edition": base.labels[rule.edition],
            "confidence": rule.chance,
            "words": rule.words,
        }
        for rule in article.discussed
        if rule.state is not None and rule.edition is not None
    ]
