"""The places where editions are published, and the documents that each offers."""
