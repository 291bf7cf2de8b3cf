"""A whole sync: ask the sources, keep what came, judge it, build it in, remember and report."""
