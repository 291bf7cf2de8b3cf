"""Witnesses as pages show them: short quotations with their sources, everything escaped."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from variorum_kb.forms.witness import AttestationJson, WitnessJson, WitnessNameJson
from variorum_kb.rows import named
from variorum_kb.stored_rows import ABOUT_RULES, ANNOUNCEMENT, split_reason
from variorum_kb.text.shortened import shortened
from variorum_kb.thresholds.sure import WITNESS_CERTAIN
from variorum_site import urls
from variorum_site.page_index import PageIndex, page_of_name
from variorum_site.pages.link import Link
from variorum_site.pages.markup import Html, set_pieces

_LONGEST = 300


@dataclass(frozen=True, slots=True, kw_only=True)
class AttestationView:
    """A passage of a witness.

    Attributes:
        witness: The name of the witness, linked to its page.
        layout: The kind of document.
        edition: The edition it is compared with, linked to the provision there; None if there is
            none.
        about: The provision, linked to its page; None if there is none.
        printed: The name that the passage uses, if it differs; else "".
        verdict: The result of comparing it with the editions.
        claim: The date that it claims, and who claims it; "" if there is none.
        sure: The confidence that it is about this provision, unless that is certain.
        words: A quotation; "" if its words are those of the edition.
        diff: How its words differ.
        evidence: The reasons for this provision and verdict.
        reason: The reason that an announcement gives.
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
    """The passages of other witnesses about a provision.

    Attributes:
        quoted: Passages that quote it, claim when it changed, or rule on it.
        commentary: Passages that comment on it.
        originals: The editions whose original documents agree.
        announced: Announcements of changes to it, by the edition that made the change.
    """

    quoted: tuple[AttestationView, ...]
    commentary: tuple[AttestationView, ...]
    originals: tuple[str, ...]
    announced: Mapping[str, tuple[AttestationView, ...]]


def witness_name(witness: WitnessJson | WitnessNameJson) -> str:
    """Return the name of a witness: its title and author, else its kind."""
    title = witness["title"] or f"{_article(witness['layout'])} {witness['sha256'][:8]}"
    return f"{title} by {witness['author']}" if witness["author"] else title


def _article(layout: str) -> str:
    return layout[:1].upper() + layout[1:]


def attested(
    index: PageIndex, here: urls.Page, attestations: Sequence[AttestationJson]
) -> Attested:
    """Return the passages of other witnesses about a provision, for a page."""
    announced: dict[str, list[AttestationView]] = {}
    quoted: list[AttestationView] = []
    commentary: list[AttestationView] = []
    for passage in attestations:
        view = attestation(index, here, passage)
        if passage["kind"] == ANNOUNCEMENT:
            announced.setdefault(str(passage["edition"]), []).append(view)
        elif passage["verdict"] in ABOUT_RULES:
            commentary.append(view)
        elif passage["kind"] != "edition":
            quoted.append(view)
    originals = [
        str(passage["edition"]) for passage in attestations if passage["kind"] == "edition"
    ]
    return Attested(
        quoted=tuple(quoted),
        commentary=tuple(commentary),
        originals=tuple(dict.fromkeys(originals)),
        announced={label: tuple(views) for label, views in announced.items()},
    )


def attestation(index: PageIndex, here: urls.Page, passage: AttestationJson) -> AttestationView:
    """Return a passage of a witness, for a page."""
    name, witness = passage["stands"] or passage["former"], passage["witness"]
    printed = passage["number"] or passage["headword"] or ""
    if passage["becomes"]:
        printed = f"{printed or 'new'} → {passage['becomes']}"
    is_same = name in {printed, named("", printed)}
    says_same = passage["verdict"] in {"agrees", "confirmed (words)", "confirmed (number)"}
    reason, evidence = split_reason(passage["evidence"])
    label = passage["edition"]
    return AttestationView(
        witness=Link(witness_name(witness), urls.link(here, urls.witness(witness["sha256"]))),
        layout=witness["layout"],
        edition=None if label is None else Link(label, urls.link(here, urls.edition(label))),
        about=None if name is None else _about(index, here, name),
        printed="" if is_same else printed,
        verdict=passage["verdict"],
        claim=_claim(passage),
        sure=f"{passage['confidence'] * 100:.0f} %"
        if 0.0 < passage["confidence"] < WITNESS_CERTAIN
        else "",
        words="" if says_same or passage["pieces"] else shortened(passage["words"], _LONGEST),
        diff=set_pieces(passage["pieces"]),
        evidence=tuple(evidence),
        reason=reason,
    )


def _about(index: PageIndex, here: urls.Page, name: str) -> Link:
    page = page_of_name(name)
    return Link(name, urls.link(here, page) if index.has_page(page) else "")


def _claim(passage: AttestationJson) -> str:
    day = f"dated {passage['claimed']}" if passage["claimed"] else ""
    source = f"by {passage['claimed_by']}" if passage["claimed_by"] else ""
    return " ".join([part for part in (day, source) if part])
