"""Assignments for a class: README.md says how to make them, hand them out and grade them."""
