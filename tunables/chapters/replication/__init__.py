"""Chapter 5: a database replicated over the WAN."""

NUMBER = 5
TITLE = "Replication over the WAN"
CASES = {  # name: title, document
    "wlcg": (
        "Replication over the WAN",
        "Lobato Pardavila, Network performance optimization at WLCG, 2016",
    ),
    "wlcg_session": (
        "I/O bound or CPU bound?",
        "Lobato Pardavila, Network performance optimization at WLCG, 2016",
    ),
}
