"""Measures of reading, dating and building in witnesses that are not editions."""

import shutil
import subprocess
import sys
import sysconfig
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path

from tests.support.pasted_fragments import Form, pasted
from variorum_kb.answers.knowledge_base import KnowledgeBase

Run = Callable[[], tuple[float, float]]
_CR = Path(sysconfig.get_path("scripts")) / ("cr.exe" if sys.platform == "win32" else "cr")
_PIECE = 30
_LIMITS = {".docx": "3 s", ".rtf": "", ".pdf": "30 s"}


def witnessing(corpus: Path, folder: Path) -> Iterator[tuple[str, Run, str]]:
    """Yield measures of commands, each in a process of its own.

    Args:
        corpus: The folder of the real editions, with originals, bulletins and seeds beside it.
        folder: The folder in which bases are made; its `base` has all editions.
    """
    base, heard = folder / "base", folder / "heard"
    witnesses = [corpus / name for name in ("originals", "bulletins", "other")]
    seeds = sorted((corpus.parent / "seeds").glob("*.txt"))
    shutil.copytree(base, heard)
    _timed("build", *map(str, (*witnesses, *seeds)), "--kb", str(heard))

    def taking_in() -> tuple[float, float]:
        with tempfile.TemporaryDirectory(dir=folder) as new:
            shutil.copytree(base, new, dirs_exist_ok=True)
            return _timed("build", *map(str, (*witnesses, *seeds)), "--kb", new)

    yield "python -c pass (baseline)", _pass, ""
    for seed in seeds:
        yield (
            f"cr identify seed {seed.name[:3]}",
            _of("identify", str(seed), "--kb", str(base)),
            "1 s",
        )
    pieces = folder / "pieces"
    pieces.mkdir()
    for form in Form:
        path = pieces / f"{form.name}.txt"
        path.write_text(_piece(base, form), "utf-8")
        yield (
            f"cr identify {_PIECE} provisions without numbers, {form.value}",
            _of("identify", str(path), "--kb", str(base)),
            "1 s",
        )
    for path in sorted((corpus / "originals").iterdir()):
        yield f"cr read {path.name}", _of("read", str(path)), _LIMITS[path.suffix]
    yield f"cr build of {len(seeds) + 18} witnesses onto all editions", taking_in, ""
    yield "cr build with them, nothing new", _of("build", "--kb", str(heard)), "0.5 s"
    for question in (("history", "704.5k"), ("witnesses", "600.4a"), ("witnesses",)):
        for name, kb in (("", base), (" with witnesses", heard)):
            yield f"cr {' '.join(question)}{name}", _of(*question, "--kb", str(kb)), ""


def _piece(base: Path, form: Form) -> str:
    """Return rules of a middle edition, as people paste them."""
    with KnowledgeBase.open(base, today=None) as opened:
        label = opened.editions[len(opened.editions) // 2].label
        some = [
            provision
            for provision in opened.provisions(label)
            if provision.kind != "glossary" and provision.text
        ]
        middle = len(some) // 2
        return pasted(some[middle : middle + _PIECE], form)


def _of(*arguments: str) -> Run:
    return lambda: _timed(*arguments)


def _pass() -> tuple[float, float]:
    start = time.perf_counter()
    subprocess.run((sys.executable, "-c", "pass"), check=True)
    return time.perf_counter() - start, 0.0


def _timed(*arguments: str) -> tuple[float, float]:
    start = time.perf_counter()
    done = subprocess.run((str(_CR), *arguments), capture_output=True, check=False)
    if done.returncode:
        raise SystemExit(f"cr {' '.join(arguments)}: {done.stderr.decode()}")
    return time.perf_counter() - start, 0.0
