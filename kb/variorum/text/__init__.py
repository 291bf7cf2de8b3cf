"""Text: folding, words, stems, stop words, sentences and likeness, one of each. Pure."""
