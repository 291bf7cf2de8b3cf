"""Citations by and of provisions, on the sample rulebook."""

import pytest

from tests.support.citation_tables import by_base, by_resolver, resolver_of
from tests.support.schemas import assert_fits
from variorum_kb.answers.knowledge_base import KnowledgeBase
from variorum_kb.answers.refs import refs_of


@pytest.mark.parametrize("place", range(9))
def test_base_and_resolver_agree(base: KnowledgeBase, place: int) -> None:
    """The answers from the base's rows are those of the pure resolver."""
    index = resolver_of(base, base.editions[place])

    for match in base.provisions(base.editions[place]):
        assert by_base(match) == by_resolver(match, index), match.address


def test_cited_by_is_the_other_side(base: KnowledgeBase) -> None:
    """Each citation is listed for both the citing and the cited provision."""
    provisions = list(base.provisions("2022-02-11"))
    forward = {
        (provision.address, target)
        for provision in provisions
        for citation in refs_of([provision])["cites"]
        for target in citation["targets"]
    }

    backward = {
        (citing["address"], provision.address)
        for provision in provisions
        if provision.number
        for citing in refs_of([provision])["cited_by"]
    }

    assert backward == forward
    assert len(forward) > 50


def test_citations_as_printed(base: KnowledgeBase) -> None:
    """The citations in the text of a provision are listed as it prints them, without headings'."""
    for provision in base.provisions("2022-02-11"):
        printed = [cited["text"] for cited in provision.cites() if cited["part"] == "text"]
        assert provision.citations() == printed


def test_schema(base: KnowledgeBase) -> None:
    """The answer fits its schema."""
    for question in ("705", "702.11", "704.5a", "100.1"):
        refs = refs_of(base.show(question))
        assert_fits(refs, "refs")
