"""What the page of a number or headword shows."""

from dataclasses import dataclass

from variorum_kb.answers.edition_entry import EditionEntry
from variorum_site.pages.link import Link
from variorum_site.pages.markup import Html
from variorum_site.pages.witness_views import AttestationView, Attested


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadingRow:
    """A line of the table of a life.

    Attributes:
        name: Number or headword.
        since: The label of the first edition, leading to this reading in it.
        until: The last day, leading to the last edition; None of what is in force.
        day: From which it was in force.
        what: What happened, in words, leading to the page of changes.
        is_quiet: The words say what they said before.
        relatives: Whom words came from and went to.
        sure: The chance that the step is right, where it is not near one.
        read: Why readers of both editions decided that step so; "" if nobody read it.
        diff: What changed of the words.
        announced: What bulletins said of the step.
    """

    name: str
    since: Link
    until: Link | None
    day: str
    what: Link
    is_quiet: bool
    relatives: tuple[tuple[str, Link, str], ...]
    sure: str
    read: str
    diff: Html
    announced: tuple[AttestationView, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class LifeView:
    """A life: its picture and its table, the newest reading first."""

    line: Html
    signs: tuple[tuple[str, str], ...]
    rows: tuple[ReadingRow, ...]
    ending: str
    heirs: tuple[tuple[str, Link, str], ...]
    first: str
    first_label: str


@dataclass(frozen=True, slots=True, kw_only=True)
class PartView:
    """A subrule of a rule, in short.

    Attributes:
        name: Its number, leading to its page.
        since: The first edition of its life.
        reworded: The editions that reworded it, leading to their changes.
    """

    name: Link
    since: str
    reworded: tuple[Link, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Block:
    """A provision whose life this page tells.

    Attributes:
        edition: The one that the text stands in: the newest, or the last that had it.
        is_today: Whether that is the newest.
        key: Sets anchors of several blocks apart.
        name: Its address, or headword.
        title: Its heading, or the nearest it stands under.
        text: Its words, and of today's all that stands below.
        plain: The anchor of the element that holds its own words, if it has any.
        has_words: Whether it has any besides its heading.
        dated: Where it stands in an edition with these words and this number: what is in force, in
            the first; what is removed, in the last.
        citation: How to cite it there.
        headed: Rules with headings that stand below, leading down the page.
        parts: The subrules of a rule.
        sections: Of a chapter.
        citing: What cites it, with sentences.
        citing_more: What else does.
        since: Since when it says what it says.
        blame: Its words with marks of their editions; "" without any.
        editions: What the marks mean.
        meant: The number it should have; "" where that is the printed one.
        life: Its life.
        attested: Who else attests it.
    """

    edition: EditionEntry
    is_today: bool
    key: str
    name: str
    title: str
    text: Html
    plain: str
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
    life: LifeView
    attested: Attested


@dataclass(frozen=True, slots=True, kw_only=True)
class FormerView:
    """Somebody who bore the number and moved on.

    Attributes:
        name: What it was called then: its address, or headword.
        title: Its heading, or how its words began.
        runs: When, first edition and last day, each a link to the first and the last edition.
        now: The page that tells its life.
        is_alive: Whether it is still there.
        today: What it says then, on pages that nothing else stands on; its first words.
    """

    name: str
    title: str
    runs: tuple[tuple[Link, Link], ...]
    now: Link
    is_alive: bool
    today: str


@dataclass(frozen=True, slots=True, kw_only=True)
class EarlierView:
    """Another rule that had the number, in short, as the head of the page says it.

    Attributes:
        until: The last day on which it was in force under the number.
        name: What it was called then.
        title: Its heading, or how its words began.
        below: The first and the last rule below a section; "" of others.
        now: What it is today, or what took over its words; None without any.
        is_alive: Whether it is still there.
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
    feed: str
    last: Link
