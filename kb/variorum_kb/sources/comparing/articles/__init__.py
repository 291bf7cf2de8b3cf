"""Links articles to the provisions that they discuss, and dates them."""
