"""Chapter 99: a shop's till with one clerk."""

NUMBER = 99
TITLE = "One clerk"
CASES = {"SLUG": ("One clerk", "A list made up for the walk-through")}  # name: title, document
