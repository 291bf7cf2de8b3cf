"""The first bytes of files in formats that are no text."""

ZIP = b"PK\x03\x04"  # of a Word document, too
PDF = b"%PDF-"
RTF = b"{\\rtf"
# Word documents from before 2007, and those locked with a password.
OLE = b"\xd0\xcf\x11\xe0"
