"""Reads states, texts, headings, links and runs of numbers from an open base on demand."""
