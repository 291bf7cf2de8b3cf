"""The commands of the crawler; the table of all commands names them."""
