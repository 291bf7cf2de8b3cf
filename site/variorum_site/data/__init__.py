"""What the website gives programs and its own script: JSON, indexes, feeds, sitemap, worker."""
