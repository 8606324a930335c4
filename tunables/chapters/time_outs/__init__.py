"""Chapter 2: time-outs, retries, and the storm that they keep alive."""

NUMBER = 2
TITLE = "Time-outs and retries"
CASES = {  # name: title, document
    "lease": (
        "Time-outs and the threads they hold",
        "Cisco Systems, RDU Batch Processing Tuning, 2008",
    ),
    "storm": (
        "The retry storm",
        "Cisco Systems, RDU Batch Processing Tuning, 2008: its time-outs and retries",
    ),
}
