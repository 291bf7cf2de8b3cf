"""Documents by their words: which editions a page quotes, whatever its form."""
