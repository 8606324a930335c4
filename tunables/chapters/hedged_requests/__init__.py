"""Chapter 8: the same request twice, and what the second one costs."""

NUMBER = 8
TITLE = "Ask twice"
_DOCUMENT = "Dean and Barroso, The Tail at Scale, 2013"
CASES = {  # name: title, document
    "tied": ("The faster of two copies", f"{_DOCUMENT}: table 2"),
    "fanout": ("The slowest of many leaves", f"{_DOCUMENT}: table 1, figure and prose"),
    "hedge": ("What second copies cost", f"{_DOCUMENT}: what a second request costs"),
}
