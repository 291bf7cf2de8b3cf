"""A sync: ask the sources, keep, judge and build in their documents, and report."""
