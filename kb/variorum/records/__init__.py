"""The answers: each record is a class of the library, the JSON of `--json`, and its schema."""
