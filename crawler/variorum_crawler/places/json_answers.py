"""Parse the JSON lists of sources."""

import json
from typing import cast

from variorum_crawler.errors import SourceError
from variorum_crawler.fetch.fetched import Fetched


def parse_json(source: str, answer: Fetched) -> object:
    """Return the JSON in an answer.

    Args:
        source: The name of the source, for the error.
        answer: The answer as fetched.

    Raises:
        SourceError: It is not JSON: incomplete, or a page for people.
    """
    try:
        return cast("object", json.loads(answer.body))
    except (ValueError, RecursionError):
        raise SourceError(f"{source}: {answer.url}: the answer is not JSON") from None
