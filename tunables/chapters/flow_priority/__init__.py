"""Chapter 4: short flows ahead of long ones on a switch port."""

NUMBER = 4
TITLE = "The last packet"
CASES = {  # name: title, document
    "dpp": (
        "The last packet",
        "Cisco, Enhancing Database Performance with Nexus 9000 and ACI, January 2017",
    ),
}
