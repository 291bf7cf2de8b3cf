"""The JSON forms that docs/json.md promises, typed."""
