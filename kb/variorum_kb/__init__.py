"""The knowledge base of every edition of the Comprehensive Rules, and the `cr` command."""
