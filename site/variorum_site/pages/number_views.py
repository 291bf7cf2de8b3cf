"""What the page of a number or headword shows."""

from dataclasses import dataclass

from variorum.answers.editions import EditionEntry
from variorum_site.pages.link import Link
from variorum_site.pages.markup import Html
from variorum_site.pages.witnesses import AttestationView, Attested


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadingRow:
    """A row in the table of a history.

    Attributes:
        name: Number or headword.
        since: The label of the reading's first edition, linked to the reading there.
        until: The last day in force, linked to the last edition; None if it is in force today.
        what: What happened, in words, linked to the page of changes.
        is_quiet: Whether the meaning stayed the same.
        relatives: The provisions that gave words to it or took words from it.
        sure: The confidence of the step; "" if it is near 1.
        read: The reason that readers of both editions gave for the step; "" if nobody read it.
        diff: The word diff from the reading before.
        announced: What bulletins announced about the step.
    """

    name: str
    since: Link
    until: Link | None
    what: Link
    is_quiet: bool
    relatives: tuple[tuple[str, Link, str], ...]
    sure: str
    read: str
    diff: Html
    announced: tuple[AttestationView, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class HistoryView:
    """A history: its picture and its table, the newest reading first."""

    line: Html
    signs: tuple[tuple[str, str], ...]
    rows: tuple[ReadingRow, ...]
    ending: str
    heirs: tuple[tuple[str, Link, str], ...]
    first: str
    first_label: str


@dataclass(frozen=True, slots=True, kw_only=True)
class PartView:
    """A row in the table of a rule's subrules.

    Attributes:
        name: The subrule's number, linked to its page.
        since: The label of the first edition of its history.
        reworded: The editions that reworded it, linked to their changes.
    """

    name: Link
    since: str
    reworded: tuple[Link, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Block:
    """A provision with its history, on its own page.

    Attributes:
        edition: The edition that the text is from: the one in force, or the last with the
            provision.
        is_today: Whether the provision is in force.
        key: A suffix that keeps the anchors of several blocks apart.
        name: Its address or headword.
        title: Its heading, else a name made from its words.
        text: Its text; if it is in force, also the text of everything below it.
        has_words: Whether it has words besides its heading.
        dated: The link to these words under this number in an edition: the first such edition for a
            provision in force, else the last.
        citation: How to cite it in that edition.
        headed: Links to the rules with headings below it, on the same page.
        parts: The subrules of a rule.
        sections: The sections of a chapter.
        citing: The first provisions that cite it, each with the citing sentence.
        citing_more: The other provisions that cite it.
        since: The first edition with its present meaning.
        blame: Its words, each run marked with the edition that added it; "" if there is none.
        editions: The editions in these marks, each with its number of words.
        meant: The number intended by the publisher if another was printed; else "".
        attested: The other documents that attest it.
    """

    edition: EditionEntry
    is_today: bool
    key: str
    name: str
    title: str
    text: Html
    has_words: bool
    dated: str
    citation: str
    headed: tuple[Link, ...]
    parts: tuple[PartView, ...]
    sections: tuple[Link, ...]
    citing: tuple[tuple[Link, str], ...]
    citing_more: tuple[Link, ...]
    since: Link
    blame: Html
    editions: tuple[tuple[str, int], ...]
    meant: str
    history: HistoryView
    attested: Attested


@dataclass(frozen=True, slots=True, kw_only=True)
class FormerView:
    """A provision that had the number earlier and has another one now.

    Attributes:
        name: Its address or headword at that time.
        title: Its heading, or its first words.
        runs: The periods, each as its first edition and its last day, linked to both editions.
        now: Its last number or headword, linked to the page with its history.
        is_alive: Whether it is in force.
        today: The first words of its last text.
    """

    name: str
    title: str
    runs: tuple[tuple[Link, Link], ...]
    now: Link
    is_alive: bool
    today: str


@dataclass(frozen=True, slots=True, kw_only=True)
class EarlierView:
    """A line at the top of a page about an earlier holder of the number.

    Attributes:
        until: The last day on which it was in force under the number.
        name: Its address or headword at that time.
        title: Its heading, or its first words.
        below: The first and last rule below a section; "" for other provisions.
        now: Its number today, or the provision that took over its words; None if there is neither.
        is_alive: Whether it is in force.
    """

    until: str
    name: str
    title: str
    below: str
    now: Link | None
    is_alive: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class NumberView:
    """The page of a number or headword."""

    number: str
    is_entry: bool
    title: str
    summary: str
    crumbs: tuple[Link, ...]
    before: Link | None
    after: Link | None
    blocks: tuple[Block, ...]
    gone: tuple[Block, ...]
    former: tuple[FormerView, ...]
    earlier: tuple[EarlierView, ...]
    last: Link
