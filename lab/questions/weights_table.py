"""Print fitted weights as the table that `parse_weights` reads."""

from collections.abc import Sequence

from variorum_kb.search.questions.weights import QuestionWeights


def print_weights(weights: QuestionWeights, head: Sequence[str]) -> str:
    """Return the table that `parse_weights` reads.

    Args:
        head: Lines that describe the table.
    """
    lines = [f"# {line}".rstrip() for line in head]
    lines.append(f"edition\t{weights.edition}\t")
    for kind, table in (
        ("feature", weights.features),
        ("section", weights.sections),
        ("rule", weights.rules),
        ("cited", weights.subrules),
    ):
        lines += [f"{kind}\t{name}\t{value:.2f}" for name, value in table.items()]
    lines += [f"sign\t{sign}\t{cells}" for sign, cells in sorted(weights.signs.items())]
    return "\n".join(lines) + "\n"
