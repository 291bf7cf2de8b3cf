"""The version of the aligner; imports nothing, since every build reads it."""

# Raised whenever steps may come out differently: bases are then aligned anew.
ALIGNER_VERSION = 1
