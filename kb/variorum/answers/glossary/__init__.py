"""The glossary of an edition: its entries, and its terms in any text."""
