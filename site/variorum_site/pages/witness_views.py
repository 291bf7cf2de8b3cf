"""What pages show of witnesses: quotations short, sources named, everything escaped."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from variorum_kb.forms.witness import AttestationJson, WitnessJson, WitnessNameJson
from variorum_kb.rows import ABOUT_RULES, ANNOUNCEMENT, named, split_reason
from variorum_kb.thresholds import WITNESS_CERTAIN
from variorum_site import urls
from variorum_site.page_index import PageIndex, page_of_name
from variorum_site.pages.link import Link
from variorum_site.pages.markup import Html, set_pieces

_LONGEST = 300


@dataclass(frozen=True, slots=True, kw_only=True)
class AttestationView:
    """A passage of a witness.

    Attributes:
        witness: What it is called, leading to its page.
        layout: What it is.
        edition: The edition that it is compared with, leading to the provision there; None of none.
        about: What it is about, as the edition calls it, leading to its page; None of none.
        printed: What it calls it itself, where that is something else; "" else.
        verdict: What the editions say.
        claim: The day that it claims, and who says so; "" without.
        sure: The chance that the provision is meant, where it is not near one.
        words: A quotation; "" where the words are those of the edition.
        diff: What it has otherwise.
        evidence: Why.
        reason: Of an announcement, the reason that it gives.
    """

    witness: Link
    layout: str
    edition: Link | None
    about: Link | None
    printed: str
    verdict: str
    claim: str
    sure: str
    words: str
    diff: Html
    evidence: tuple[str, ...]
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Attested:
    """Who else attests a provision.

    Attributes:
        quoted: Who quotes it, claims when it changed, or rules on it.
        commentary: Who writes about it.
        originals: The editions whose originals agree.
        announced: By edition, what was announced of the step into it.
    """

    quoted: tuple[AttestationView, ...]
    commentary: tuple[AttestationView, ...]
    originals: tuple[str, ...]
    announced: Mapping[str, tuple[AttestationView, ...]]


def witness_name(one: WitnessJson | WitnessNameJson) -> str:
    """Return what to call a witness: by its title and author, else by what it is."""
    title = one["title"] or f"{_article(one['layout'])} {one['sha256'][:8]}"
    return f"{title} by {one['author']}" if one["author"] else title


def _article(layout: str) -> str:
    return layout[:1].upper() + layout[1:]


def attested(index: PageIndex, here: urls.Page, found: Sequence[AttestationJson]) -> Attested:
    """Return who else attests a provision, set for a page."""
    announced: dict[str, list[AttestationView]] = {}
    quoted: list[AttestationView] = []
    commentary: list[AttestationView] = []
    for one in found:
        view = attestation(index, here, one)
        if one["kind"] == ANNOUNCEMENT:
            announced.setdefault(str(one["edition"]), []).append(view)
        elif one["verdict"] in ABOUT_RULES:
            commentary.append(view)
        elif one["kind"] != "edition":
            quoted.append(view)
    originals = [str(one["edition"]) for one in found if one["kind"] == "edition"]
    return Attested(
        quoted=tuple(quoted),
        commentary=tuple(commentary),
        originals=tuple(dict.fromkeys(originals)),
        announced={label: tuple(views) for label, views in announced.items()},
    )


def attestation(index: PageIndex, here: urls.Page, one: AttestationJson) -> AttestationView:
    """Return a passage of a witness, set for a page."""
    name = one["stands"] or one["former"]
    printed = one["number"] or one["headword"] or ""
    if one["becomes"]:
        printed = f"{printed or 'new'} → {one['becomes']}"
    is_same = name in {printed, named("", printed)}
    says_same = one["verdict"] in {"agrees", "confirmed (words)", "confirmed (number)"}
    reason, evidence = split_reason(one["evidence"])
    label = one["edition"]
    return AttestationView(
        witness=Link(witness_name(one["witness"]), _link(here, one["witness"]["sha256"])),
        layout=one["witness"]["layout"],
        edition=None if label is None else Link(label, urls.link(here, urls.edition(label))),
        about=None if name is None else _about(index, here, name),
        printed="" if is_same else printed,
        verdict=one["verdict"],
        claim=_claim(one),
        sure=f"{one['confidence'] * 100:.0f} %"
        if 0.0 < one["confidence"] < WITNESS_CERTAIN
        else "",
        words="" if says_same or one["pieces"] else _shortened(one["words"]),
        diff=set_pieces(one["pieces"]),
        evidence=tuple(evidence),
        reason=reason,
    )


def _link(here: urls.Page, sha256: str) -> str:
    return urls.link(here, urls.witness(sha256))


def _about(index: PageIndex, here: urls.Page, name: str) -> Link:
    page = page_of_name(name)
    return Link(name, urls.link(here, page) if index.has_page(page) else "")


def _claim(one: AttestationJson) -> str:
    day = f"dated {one['claimed']}" if one["claimed"] else ""
    source = f"by {one['claimed_by']}" if one["claimed_by"] else ""
    return " ".join([part for part in (day, source) if part])


def _shortened(words: str) -> str:
    return words if len(words) <= _LONGEST else f"{words[:_LONGEST].rsplit(' ', 1)[0]} …"
