"""Bring your own numbers: read them, fit a chapter's model, judge it on rows held out."""
