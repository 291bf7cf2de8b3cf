"""The MCP server, a layer on the library for language models; docs/library.md describes it."""
