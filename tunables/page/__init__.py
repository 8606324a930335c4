"""What answers in the page, in MicroPython and in CPython alike."""
