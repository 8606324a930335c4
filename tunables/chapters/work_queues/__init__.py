"""Chapter 6: work in slices, and the timers that wait."""

NUMBER = 6
TITLE = "Work in slices"
CASES = {  # name: title, document
    "quagga": ("Work in slices", "Jakma, Peer pressure, May 2005"),
}
