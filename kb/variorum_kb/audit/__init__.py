"""Citations of rules in files of any kind: found, dated, judged, and made to follow the rules."""
