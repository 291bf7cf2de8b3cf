"""Thresholds of quotations: which provision some words come from."""

QUOTED_LIKE = 0.6
"""Likeness. A passage less similar to a provision is not compared with it as its reading. By
hand."""

# Passages of documents. By hand, on the seeds and 1,350 made-up documents of 95 forms;
# docs/witnesses.md.

PASSAGE_IS = 0.8
"""Likeness. A passage at least this similar to a provision quotes it, though not word for word. By
hand, see above."""
PASSAGE_IS_IN_PLACE = 0.6
"""Likeness. Likewise for the provision with the passage's own number. By hand, see above."""

# Quotations in articles.

ARTICLE_QUOTES = 0.75
"""Likeness. Words beside a number in an article quote the numbered provision if they are at least
this similar. By hand."""
ARTICLE_QUOTES_UNNUMBERED = 0.85
"""Likeness. Likewise without a number; such words may be a card's. By hand."""
ALMOST_QUOTED = 0.99
"""Likeness. The highest likeness given to words that are not a provision's word for word. By
hand."""
QUOTED_WITH_NUMBER_CONFIDENCE = 0.98
"""Confidence. The confidence of a quotation under its number, multiplied by its likeness. By
hand."""
QUOTED_ALONE_CONFIDENCE = 0.9
"""Confidence. The confidence of any other quotation, multiplied by its likeness. By hand."""
