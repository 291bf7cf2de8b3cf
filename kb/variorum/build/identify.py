"""Identify a document by its words: the editions it quotes or announces, the rules it discusses."""

from variorum.answers.knowledge_base import KnowledgeBase
from variorum.articles.linker import LinkedArticle
from variorum.forms.identify import ClaimJson, DiscussedJson, IdentifyJson, QuotedJson
from variorum.quoting.claims import DayClaim, runs_of
from variorum.quoting.page import PageOfWords
from variorum.quoting.verdicts import Judged, PageKind
from variorum.rows import name_of, named
from variorum.witnesses.read import DocumentReader


def identify(base: KnowledgeBase, data: bytes, file: str) -> IdentifyJson:
    """Return which editions a document quotes or announces, in the form of `cr identify --json`.

    Raises:
        DocumentError: It is no text, or costs more than any document of the rules does.
    """
    labels = base.labels
    page, quotes, step, linked = DocumentReader(base).read(data, file)
    ties, stated = quotes.ties, quotes.stated
    # Of editions with as many passages, those that fit best lead.
    counts = sorted(quotes.counts, key=lambda count: (-count[1], count[0] not in ties))
    answer: IdentifyJson = {
        "kind": quotes.kind.value,
        "edition": None if quotes.edition is None else labels[quotes.edition],
        "from": labels[ties[0]] if ties else None,
        "to": labels[ties[-1]] if ties else None,
        "candidates": [
            {
                "edition": labels[place],
                "doubts": list(base.editions[place].doubts),
                "matched": matched,
                "of": len(quotes.passages),
            }
            for place, matched in counts
        ],
        "passages": [_quoted(passage, page, labels) for passage in quotes.passages],
        "stated": [
            {"day": day.isoformat(), "words": line, "fits": fits if ties else None}
            for day, line, fits in stated
        ],
        "announces": None,
        "discusses": [],
        "evidence": [],
    }
    if step:
        label, count = labels[step.edition], len(step.changed)
        answer |= {"kind": "bulletin", "edition": label, "from": label, "to": label}
        of = len(step.entries)
        answer["announces"] = {"edition": label, "confirmed": count, "entries": of}
        for said in answer["stated"]:
            said["fits"] = None
    elif linked:
        answer["discusses"] = _discussed(base, linked)
        answer["kind"] = answer["kind"].replace(PageKind.NOTHING.value, PageKind.COMMENTARY.value)
        if not ties and linked.first is not None and linked.last is not None:
            answer |= {"from": labels[linked.first], "to": labels[linked.last]}
            answer["evidence"] = list(linked.evidence)
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
