"""What readers write in place of the right thing, formula by formula.

Each formula stands in named steps; a mistake is a step or two done otherwise. An
exercise takes its formula from here, and with it the names of all its mistakes.
"""
