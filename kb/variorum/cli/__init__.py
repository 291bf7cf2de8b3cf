"""The `cr` command."""
