"""Which version of the aligner this is; imports nothing, since every build asks for it."""

# Raised whenever steps may come out differently: bases are then aligned anew.
ALIGNER_VERSION = 1
