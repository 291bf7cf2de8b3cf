"""Fit the weights of the program anew to what people decided; `make fit` runs this.

`steps` is the evidence for steps, `doubt` what makes the audit doubt a citation, `questions` how
`cr ask` ranks rules. VARIORUM_CORPUS names the folder of the real editions. Each part is printed;
`--write` writes it into the program.
"""

import argparse
import os
import sys
from collections.abc import Sequence
from pathlib import Path

from lab.fit import doubt, questions, steps

ROOT = Path(__file__).resolve().parents[2]


def main(arguments: Sequence[str] | None = None) -> int:
    """Print or write weights; return the exit code."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("part", choices=["steps", "doubt", "questions"])
    parser.add_argument("--kb", type=Path, help="for questions: a base of all editions, and cards")
    parser.add_argument("--jobs", type=int, default=2, help="how many processes work at once")
    parser.add_argument("--write", action="store_true", help="write the weights into the program")
    options = parser.parse_args(arguments)
    corpus = os.environ.get("VARIORUM_CORPUS")
    if not corpus or (options.part == "questions" and not options.kb):
        parser.error("VARIORUM_CORPUS must name the real editions, and --kb a base for questions")
    if options.part == "steps":
        text, file = steps.module(Path(corpus), options.jobs), steps.MODULE
    elif options.part == "doubt":
        text, file = doubt.module(Path(corpus)), doubt.MODULE
    else:
        text, file = questions.table(Path(corpus), options.kb), questions.TABLE
    if options.write:
        (ROOT / file).write_text(text, "utf-8")
    else:
        sys.stdout.write(text)
    return 0


if __name__ == "__main__":
    sys.exit(main())
