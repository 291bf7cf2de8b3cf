"""Score the alignment of editions; `make score` runs this. See `program.py`."""

import sys
from pathlib import Path

if __name__ == "__main__":
    # The tests belong to the checkout, and not to the wheel that is scored.
    sys.path.insert(0, str(Path(__file__).resolve().parents[2]))
    from lab.score.program import main

    raise SystemExit(main())
