"""The MCP server, a layer on the library for language models; docs/mcp.md describes it."""
