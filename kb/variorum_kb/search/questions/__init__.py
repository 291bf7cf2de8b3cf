"""Questions as people ask them, with cards, names and stories, and the rules that answer them."""
