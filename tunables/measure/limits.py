"""What a lab may be asked for at most: more would not end today, or not fit into the machine."""

LONGEST_S = 3600.0  # of a wait, a delay or a measurement
MOST_BYTES = 2**30  # of a window, or of what is held in memory
MOST_COUNTED = 10**7  # items, packets, statements
MOST_REPEATS = 1000
