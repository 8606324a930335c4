"""Chapter 2: timeouts, retries, and the storm that they keep alive."""

NUMBER = 2
TITLE = "Timeouts and retries"
CASES = {  # name: title, document
    "lease": (
        "Timeouts and the threads they hold",
        "Cisco Systems, RDU Batch Processing Tuning, 2008",
    ),
    "storm": (
        "The retry storm",
        "Cisco Systems, RDU Batch Processing Tuning, 2008: its timeouts and retries",
    ),
}
