"""Closed forms: plain Python, floats in and floats out; MicroPython runs them in the page."""
