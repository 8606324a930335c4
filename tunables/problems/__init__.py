"""Problem sets: the seed draws the numbers, and the models answer. Runs in the page."""
