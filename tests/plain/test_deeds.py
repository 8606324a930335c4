"""What a reader did, as text: what it says, and what is refused."""

import pytest

from tunables.plain.deeds import parsed_deeds

KINDS = {"outage": (0.1, 20), "drop": None}


def test_deeds_stand_in_the_order_in_which_they_were_done():
    assert parsed_deeds("60_drop-20.25_outage_1.5", KINDS, 120) == [
        (60.0, "drop", None),
        (20.25, "outage", 1.5),
    ]
    assert parsed_deeds("", KINDS, 120) == []


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("outage", "TIME_NAME_VALUE, joined by -"),
        ("20_outage", "TIME_NAME_VALUE"),
        ("20_drop_1", "TIME_NAME"),
        ("20_outage_2_3", "deed = '20_outage_2_3'"),
        ("soon_drop", "TIME_NAME"),
        ("20_outage_long", "TIME_NAME"),
        ("20_dance", "must be one of"),
        ("121_drop", "time of drop = 121.0: .*at most 120"),
        ("nan_drop", "time of drop"),
        ("20_outage_21", "value of outage = 21.0: .*at most 20"),
        ("20_outage_0", "value of outage = 0.0: .*at least 0.1"),
        ("-".join(["1_drop"] * 51), "number of deeds = 51"),
    ],
)
def test_what_is_no_deed_is_refused_by_what_is_allowed(text, message):
    with pytest.raises(ValueError, match=message):
        parsed_deeds(text, KINDS, 120)
