"""Files for programs and for the site's own script: JSON, indexes, feeds, sitemap, worker."""
