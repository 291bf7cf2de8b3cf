"""Everything that can go wrong, so that one place can turn it into one line, and all exit codes but 0.

The text of an error is one line for the user. docs/json.md has a table of the kinds and exit codes.
"""

from collections.abc import Sequence
from typing import Any

NOT_FOUND = FINDINGS = 1
WRONG_USAGE, INPUT_OUTPUT, NEW_EDITION, INTERRUPTED = 2, 3, 10, 130


class VariorumError(Exception):
    """The base of all errors of the project; a terminal also shows the further lines `also`."""

    kind, exit_code = "failed", NOT_FOUND
    also: Sequence[str] = ()


class WrongUsageError(VariorumError, ValueError):
    """What was asked makes no sense, such as two editions at once; or a file of settings does not."""

    kind, exit_code = "wrong usage", WRONG_USAGE


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
    """A document has none of the formats and layouts of the rules, or nothing to do with them."""


class OtherDocumentError(FormatError):
    """A text is no edition of the rules; it may quote or discuss them."""


class FileError(VariorumError, OSError):
    """A file or folder cannot be opened or written, or a program or package is missing."""

    kind, exit_code = "input or output", INPUT_OUTPUT


class TooLargeError(FileError):
    """A file is far larger than any edition."""


class BaseError(VariorumError):
    """A knowledge base, or its archive of documents, is damaged or cannot be used."""

    kind, exit_code = "damaged base", INPUT_OUTPUT

    def __init__(
        self, path: object, reason: str, remedy: str = "run cr build to build it anew"
    ) -> None:
        self.what, self.remedy = f"{path}: {reason}", remedy
        super().__init__(path, reason, remedy)

    def __str__(self) -> str:
        return f"{self.what}; {self.remedy}"


class NoBaseError(BaseError, LookupError):
    """There is no knowledge base where one is asked for."""

    kind = "no base"


class BaseVersionError(BaseError):
    """Another version of the program wrote a knowledge base."""

    kind = "base of another version"


class NewerBaseError(BaseVersionError):
    """A newer version of the program did."""


class BaseBusyError(BaseError):
    """Another process has the knowledge base in use."""

    kind = "busy base"


class NotFoundError(VariorumError, LookupError):
    """A question has no answer in the knowledge base; `known` are fields of `records.upkeep.Failure`."""

    kind = "not found"

    def __init__(self, message: str, **known: object) -> None:
        super().__init__(message)
        self.known: dict[str, Any] = known


class NoEditionError(NotFoundError):
    """A designator names no edition of the knowledge base."""

    kind = "no edition"


class AmbiguousError(NotFoundError):
    """A number is printed twice, or a designator fits several editions; the message lists them."""

    kind, exit_code = "wrong usage", WRONG_USAGE
