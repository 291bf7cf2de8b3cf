"""What answers read from an open base, on demand: states, texts, headings, links, runs of numbers."""
