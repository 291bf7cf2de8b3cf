"""`cr completion` in real shells."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.support.terminal import COMMAND, needs_terminal

pytestmark = pytest.mark.slow
SCRIPTS = os.pathsep.join([str(Path(COMMAND[0]).parent), os.environ["PATH"]])

# The typed words, and the shell's suggestions for the last one.
OFFERED = [
    ("cr edi", ["editions"]),
    ("cr 705.", ["705.1", "705.2", "705.3"]),
    ("cr show 705.", ["705.1", "705.2", "705.3"]),
    ("cr show 705.1 --on 2008", ["2008-06-20"]),
    ("cr history --fu", ["--full"]),
    ("cr completion z", ["zsh"]),
]


def needs(shell: str) -> pytest.MarkDecorator:
    """Return a mark that skips a test if a shell is not installed."""
    return pytest.mark.skipif(shutil.which(shell) is None, reason=f"{shell} is not installed")


def environment(base: Path) -> dict[str, str]:
    """Return the environment of a shell that finds `cr` and a base."""
    return {**os.environ, "PATH": SCRIPTS, "VARIORUM_KB": str(base), "TERM": "dumb"}


def run(arguments: list[str], base: Path) -> list[str]:
    """Run a shell; return its output lines, and fail on errors."""
    done = subprocess.run(
        arguments, env=environment(base), capture_output=True, check=True, encoding="utf-8"
    )
    assert done.stderr == ""
    return done.stdout.splitlines()


@needs("bash")
@pytest.mark.skipif(sys.platform == "win32", reason="bash there is that of another system")
@pytest.mark.parametrize(("typed", "offered"), OFFERED)
def test_bash(sample_base: Path, typed: str, offered: list[str]) -> None:
    """`eval "$(cr completion bash)"` sets up completion of commands, options, numbers and dates."""
    words = typed.split()
    line = (
        'eval "$(cr completion bash)"; '
        f"COMP_WORDS=({typed}); COMP_CWORD={len(words) - 1}; "
        f"_cr_completion cr {words[-1]} {words[-2]}; "
        'printf "%s\\n" "${COMPREPLY[@]}"'
    )

    assert run(["bash", "--norc", "-c", line], sample_base) == offered


@needs("fish")
@pytest.mark.parametrize(("typed", "offered"), OFFERED)
def test_fish(sample_base: Path, typed: str, offered: list[str]) -> None:
    """`cr completion fish | source` sets up the same in fish."""
    line = f"cr completion fish | source; complete -C '{typed}'"

    texts = run(["fish", "--no-config", "-c", line], sample_base)

    assert [text.partition("\t")[0] for text in texts] == offered


@needs("fish")
def test_fish_offers_headwords_with_commas(sample_base: Path) -> None:
    """A headword with a comma is suggested whole."""
    script = run(["cr", "completion", "fish"], sample_base)

    assert sum('(string split -m 1 "," $completion)' in line for line in script) == 1


# A key that shows the typed line.
ZSH = """\
PS1= PS2= ; unsetopt PROMPT_SP PROMPT_CR BEEP; autoload -U compinit; compinit -D -u
eval "$(cr completion zsh)"
tell() { print -r -- "<$BUFFER>" }; zle -N tell; bindkey ^X tell; LISTMAX=1000; print ready$((1+1))
"""


@needs_terminal
@needs("zsh")
@pytest.mark.parametrize(("typed", "offered"), OFFERED)
def test_zsh(sample_base: Path, typed: str, offered: list[str]) -> None:
    """`eval "$(cr completion zsh)"` sets up the same in zsh."""
    master, slave = os.openpty()
    with subprocess.Popen(
        ["zsh", "-f", "-i"],  # noqa: S607 - whichever is installed
        stdin=slave,
        stdout=slave,
        stderr=slave,
        env=environment(sample_base),
    ) as shell:
        os.close(slave)
        os.write(master, ZSH.encode())
        read_until(master, "ready2")
        os.write(master, f"{typed}\t\x18".encode())
        shown = read_until(master, ">")
        shell.kill()
    os.close(master)

    if len(offered) == 1:
        assert f"<{' '.join([*typed.split()[:-1], offered[0]])}" in shown
    else:
        assert [word for word in shown.split() if word in offered] == offered


def read_until(master: int, end: str) -> str:
    """Return the output of a terminal up to some characters."""
    shown = ""
    while end not in shown:
        shown += os.read(master, 65536).decode()
    return shown
