"""From documents to a knowledge base: read, align, compare, write; and whether a base is sound."""
