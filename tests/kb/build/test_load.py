"""Reading a document of any kind."""

from tests.support.small_bases import edition
from variorum_kb.build.load import account_json, check_original, read_document


def test_accounts() -> None:
    """Every line of an edition, or of a page that quotes it, is accounted for."""
    page = b"<p>100.1a A keeper has a boat.</p><p>100.1b A boat has a lamp.</p>"

    whole, part = [account_json(read_document(data, "a.html")) for data in (edition(), page)]

    assert "effective" in whole
    assert "effective" not in part


def test_originals() -> None:
    """A document in RTF is the original of a text; the text itself is none."""
    assert check_original(rb"{\rtf1 A keeper has a boat.}", "a.rtf")
    assert not check_original(b"A keeper has a boat.", "a.txt")
