"""Links the prose of articles to the rules that it discusses, and dates it."""
