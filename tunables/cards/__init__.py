"""Operator's cards: one file a chapter; what to watch, and how to change its tunable safely."""
