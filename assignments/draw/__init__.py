"""Inputs that the student does not see: one file a chapter, which says who answers."""
