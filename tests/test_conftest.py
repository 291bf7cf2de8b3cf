"""The golden fixture compares exactly, and no test uses the network."""

import socket
from collections.abc import Callable
from pathlib import Path

import pytest

CONFTEST = Path(__file__).with_name("conftest.py").read_text("utf-8")

Run = Callable[..., pytest.RunResult]

GOLDEN_TEST = """
def test_value(golden):
    golden("value.txt", "Æther\\r\\n")
"""


@pytest.fixture
def project(pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch) -> pytest.Pytester:
    """Return an invented project with our conftest, outside of CI and without a corpus."""
    monkeypatch.delenv("CI", raising=False)
    monkeypatch.delenv("VARIORUM_CORPUS", raising=False)
    pytester.makeini("[pytest]\nmarkers =\n  browser: as ours\n  corpus: as ours\n")
    (pytester.mkdir("tests") / "conftest.py").write_text(CONFTEST, "utf-8")
    return pytester


@pytest.fixture
def run(project: pytest.Pytester) -> Run:
    """Run one test of the invented project."""

    def run(source: str, *options: str) -> pytest.RunResult:
        (project.path / "tests" / "test_it.py").write_text(source, "utf-8")
        # Hypothesis takes longer to start than everything else here.
        return project.runpytest("tests", "-rs", "-p", "no:hypothesispytest", *options)

    return run


def test_golden_is_written_and_compared(project: pytest.Pytester, run: Run) -> None:
    """A golden file is written on request and then compared, line ends included."""
    run(GOLDEN_TEST, "--update-golden").assert_outcomes(passed=1)

    run(GOLDEN_TEST).assert_outcomes(passed=1)
    assert (project.path / "tests" / "golden" / "value.txt").read_bytes() == "Æther\r\n".encode()


def test_error_golden_differs(run: Run) -> None:
    """A difference is shown line by line, with the command to accept it."""
    run(GOLDEN_TEST, "--update-golden")

    result = run(GOLDEN_TEST.replace("Æther", "Aether"))

    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines(
        [
            "*value.txt differs: run `pytest --update-golden`, then review the difference",
            "-Æther",
            "+Aether",
        ]
    )


def test_error_golden_in_ci(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    """CI never rewrites a golden file."""
    monkeypatch.setenv("CI", "true")

    result = run(GOLDEN_TEST, "--update-golden")

    assert result.ret == pytest.ExitCode.USAGE_ERROR
    assert "--update-golden is for people: CI compares, and never rewrites" in "\n".join(
        result.outlines + result.errlines
    )


def test_error_network() -> None:
    """A test that connects to another machine fails before it sends anything."""
    with socket.socket() as asking, pytest.raises(pytest.fail.Exception) as caught:
        asking.connect(("192.0.2.1", 80))

    assert str(caught.value) == "a test asked for 192.0.2.1: tests use no network"
