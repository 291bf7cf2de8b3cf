"""An MCP server on the library: what language models ask, docs/mcp.md describes it."""
