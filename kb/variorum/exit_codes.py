"""The exit codes of all commands, except 0; docs/json.md has the table, errors.py the code of each error."""

NOT_FOUND = FINDINGS = 1
WRONG_USAGE = 2
INPUT_OUTPUT = 3
NEW_EDITION = 10
INTERRUPTED = 130
