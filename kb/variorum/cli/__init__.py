"""The command `cr`."""

import gc

# Imports and short answers leave no garbage worth collecting; a long build still collects.
gc.set_threshold(500_000)
