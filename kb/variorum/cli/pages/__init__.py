"""Format answers for a terminal or a pipe.

An answer has the form of the command's JSON. `width` is the number of columns of the terminal; with
0, as in a pipe, each paragraph is one line.
"""
