"""Chapter 3: a cache that a scan must fit into."""

NUMBER = 3
TITLE = "The LRU cliff"
CASES = {  # name: title, document
    "rrd": ("The LRU cliff", "Han, Data Collector and Windows System Cache, April 2007"),
}
