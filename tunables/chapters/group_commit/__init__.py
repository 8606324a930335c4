"""Chapter 1: the flush delay of a batch server."""

NUMBER = 1
TITLE = "Group commit"
CASES = {  # name: title, document
    "rdu": ("Group commit", "Cisco Systems, RDU Batch Processing Tuning, 2008"),
}
