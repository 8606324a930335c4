"""Chapter 7: a BLOB in a file of its own, or in a row of a database."""

NUMBER = 7
TITLE = "A file or a row?"
CASES = {  # name: title, document
    "blobs": ("A file or a row?", "SQLite, Internal Versus External BLOBs, about 2011"),
}
