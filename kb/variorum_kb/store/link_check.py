"""Whether the table of links tells of every provision once, and of nothing else."""

from collections import defaultdict
from collections.abc import Iterator

from variorum_kb.rows import STEP_KINDS, kinds_of
from variorum_kb.store.consistency import Contents
from variorum_kb.store.reader import Reader
from variorum_kb.stored_rows import StoredLink


def find_in_links(reader: Reader, contents: Contents) -> Iterator[tuple[int, str]]:
    """Yield editions, by their places, and where the links into them contradict what they hold.

    Raises:
        BaseError: The file is damaged.
    """
    into: dict[int, list[StoredLink]] = defaultdict(list)
    for link in reader.links():
        into[link.edition].append(link)
    held = [set(states) for states in contents.held]
    for place in range(1, len(held)):
        before, now = held[place - 1], held[place]
        departed, reached = set[int](), set[int]()
        for link in into[place]:
            yield from ((place, fault) for fault in _in_link(contents, held, link))
            if not 0.0 <= link.confidence <= 1.0:
                yield place, f"a link into it has the confidence {link.confidence}"
            if link.source == place - 1:
                departed |= {link.old} if link.old is not None else set()
                reached |= {link.new} if link.new is not None else set()
        # A state that both editions have and no link names was kept.
        for lost in sorted(before - departed - (now - reached))[:1]:
            yield place, f"no link says what became of {contents.states[lost].address}"
        for arrived in sorted(now - reached - (before - departed))[:1]:
            yield place, f"no link says where {contents.states[arrived].address} came from"
    if into[0]:
        yield 0, "links lead into it, though it is the first"


def _in_link(contents: Contents, held: list[set[int]], link: StoredLink) -> Iterator[str]:
    old, new = link.old, link.new
    if not 0 <= link.source < link.edition:
        yield f"a link into it comes from the edition {link.source}"
        return
    if old is not None and old not in held[link.source]:
        yield f"a link comes from {contents.states[old].address}, which the edition before does not hold"
    if new is not None and new not in held[link.edition]:
        yield f"a link leads to {contents.states[new].address}, which it does not hold"
    named = kinds_of(link.kinds)
    is_known = 0 < link.kinds < 1 << len(STEP_KINDS)
    is_new = named in (["new"], ["new", "uncertain"])
    is_fit = (old is None) is is_new and (new is not None or "gone" in named)
    if not (is_known and is_fit):
        yield f"a link into it is of the kinds {', '.join(named) or link.kinds}"
