"""The chapters: a folder each, found by itself."""
