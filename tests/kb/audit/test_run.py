"""Trees of many files, audited by several processes."""

import pytest

from tests.kb.audit.audited import Cr, files, write


@pytest.mark.slow
@pytest.mark.parametrize("form", ["text", "json", "sarif"])
def test_many_files(cr: Cr, form: str) -> None:
    """Several processes print what one prints, byte for byte."""
    numbers = ["300.1", "100.2", "999.9", "502.5a–b", "704.5m/n"]
    texts = {f"{place % 7}/{place}.txt": f"x\nCR {numbers[place % 5]}\n" for place in range(210)}
    write({**texts, "odd.bin": b"\0"})

    result, two = [cr("--as-of=first", "--format", form, "--jobs", jobs) for jobs in ("1", "2")]

    assert result.stdout == two.stdout
    assert (result.exit_code, result.stderr) == (two.exit_code, two.stderr)
    assert result.exit_code == 1
    assert result.stdout.count("300.1")


def test_many_files_are_rewritten(cr: Cr) -> None:
    """Many files are rewritten, each once."""
    write({f"{place}.txt": "CR 300.1\n" for place in range(205)})

    result = cr("--as-of=first", "--fix", "--jobs=2")

    assert set(files().values()) == {b"CR 500.1\n"}
    assert result.stdout.splitlines()[-1] == "205 citations rewritten in 205 files"
