"""Everything that can go wrong, so that one place can turn it into one line, and all exit codes but 0.

The text of an error is one line for the user. docs/json.md has a table of the exit codes.
"""

from collections.abc import Sequence
from pathlib import Path

NOT_FOUND = FINDINGS = 1
WRONG_USAGE = 2
INPUT_OUTPUT = 3
NEW_EDITION = 10
INTERRUPTED = 130


class VariorumError(Exception):
    """The base of all errors of the project; docs/json.md lists the kinds and exit codes."""

    kind = "failed"
    exit_code = NOT_FOUND
    # Further lines for a terminal.
    also: Sequence[str] = ()


class WrongUsageError(VariorumError, ValueError):
    """What was asked makes no sense, such as two editions at once; or a file of settings does not."""

    kind = "wrong usage"
    exit_code = WRONG_USAGE


class DocumentError(VariorumError, ValueError):
    """A document cannot be read completely; line 0 is the whole of it. Its name may be added later."""

    kind = "refused document"

    def __init__(self, message: str, file: str = "", line: int = 0) -> None:
        self.message, self.file, self.line = message, file, line
        super().__init__(message, file, line)

    def __str__(self) -> str:
        where = f"{self.file}:{self.line}" if self.line else self.file
        return f"{where}: {self.message}"


class FormatError(DocumentError):
    """Bytes are neither a text in a known encoding nor a sound document of Word, in RTF or in PDF."""


class LayoutError(DocumentError):
    """A text is set in none of the known layouts, or in more than one."""


class OtherDocumentError(LayoutError):
    """A document is no edition of the rules; it may quote or discuss them."""


class ParseError(DocumentError):
    """An edition lacks whole parts, or a line does not have the form its layout promises."""


class FileError(VariorumError, OSError):
    """A file or folder cannot be opened or written, or a program or package is missing."""

    kind = "input or output"
    exit_code = INPUT_OUTPUT


class TooLargeError(FileError):
    """A file is far larger than any edition."""


class ArchiveError(VariorumError, OSError):
    """The archive of documents is damaged."""

    kind = "archive"
    exit_code = INPUT_OUTPUT

    def __init__(self, path: Path, reason: str) -> None:
        self.path, self.reason = path, reason
        super().__init__(f"{path}: {reason}")


class BaseError(VariorumError):
    """A knowledge base cannot be used."""

    kind = "damaged base"
    exit_code = INPUT_OUTPUT


class DamagedBaseError(BaseError):
    """A knowledge base does not hold what was written into it."""

    def __init__(self, path: object, reason: str) -> None:
        super().__init__(f"{path}: damaged: {reason}; run cr build to build it anew")


class NoBaseError(BaseError, LookupError):
    """There is no knowledge base where one is asked for."""

    kind = "no base"

    def __init__(self, file: object) -> None:
        makes = "cr sync or cr build PATH creates one, --sample uses the sample rulebook"
        super().__init__(f"{file}: no knowledge base; {makes}")


class BaseVersionError(BaseError):
    """Another version of the program wrote a knowledge base."""

    kind = "base of another version"


class NewerBaseError(BaseVersionError):
    """A knowledge base was written by a newer program than this one."""


class BaseBusyError(BaseError):
    """Another process has the knowledge base in use."""

    kind = "busy base"


class NotFoundError(VariorumError, LookupError):
    """A question has no answer in the knowledge base; docs/json.md explains what it knows nevertheless."""

    kind = "not found"

    def __init__(  # noqa: PLR0913 - facts for JSON
        self,
        message: str,
        *,
        last_edition: str = "",
        last_words: str = "",
        heirs: Sequence[str] = (),
        near: Sequence[str] = (),
        answer: object = None,
    ) -> None:
        super().__init__(message)
        self.last_edition, self.last_words = last_edition, last_words
        self.heirs, self.near, self.answer = tuple(heirs), tuple(near), answer


class NoEditionError(NotFoundError):
    """A designator names no edition of the knowledge base."""

    kind = "no edition"


class AmbiguousError(NotFoundError):
    """A number is printed twice, or a designator fits several editions; the message lists them."""

    kind = "wrong usage"
    exit_code = WRONG_USAGE
