"""Make the rows of a document that was compared with the editions."""

from typing import TYPE_CHECKING

from variorum_kb.build.comparison_inputs import ComparisonInputs
from variorum_kb.store.witnesses import WitnessRows
from variorum_kb.stored_rows import PassageRow, WitnessRow, with_reason

if TYPE_CHECKING:  # the comparison takes longer to import than most builds take
    from variorum_kb.sources.comparing.attestation_types import Attestation, Attested


def rows_of(sha256: str, inputs: ComparisonInputs, attested: "Attested") -> WitnessRows:
    """Return the rows of a witness: its own and those of its passages."""
    row = WitnessRow(
        sha256,
        inputs.digest(attested.layout, attested.stated, attested.dated),
        attested.layout,
        attested.title,
        attested.author,
        attested.source,
        attested.stated,
        attested.dated,
        attested.first,
        attested.last,
        attested.matched,
        attested.of,
        "\n".join(attested.evidence),
    )
    return WitnessRows(row, tuple([_passage(passage) for passage in attested.passages]))


def _passage(attestation: "Attestation") -> PassageRow:
    from variorum_kb.store.edition_rows import compact  # noqa: PLC0415 - imported on first use

    cells = {name: getattr(attestation, name) for name in PassageRow.columns}
    cells["verdict"] = attestation.verdict.value
    cells["evidence"] = "\n".join(with_reason(attestation.reason, attestation.evidence))
    cells["pieces"] = compact(attestation.pieces) if attestation.pieces else ""
    return PassageRow.of(cells.values())
