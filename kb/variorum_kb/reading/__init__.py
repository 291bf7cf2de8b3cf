"""A document's bytes become an edition, every line accounted for; pure: no file, no clock."""
