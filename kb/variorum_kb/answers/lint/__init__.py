"""What is wrong in an edition by its own standards: citations, numbering, misprints."""
