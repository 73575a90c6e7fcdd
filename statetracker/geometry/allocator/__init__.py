"""Register allocation: live intervals, interference, colouring, spilling.

`allocate` is the loop; read it first. Sets of registers are integers.
"""
