"""The known errors of an edition by its own standards: citations, numbering, misprints."""
