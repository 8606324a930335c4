"""What a reader did, as text: what it says, and what is refused."""

import pytest

from tunables.base.interventions import parse_interventions

KINDS = {"outage": (0.1, 20), "drop": None}


def test_interventions_keep_the_order_in_which_they_happen():
    assert parse_interventions("60_drop-20.25_outage_1.5", KINDS, 120) == [
        (60.0, "drop", None),
        (20.25, "outage", 1.5),
    ]
    assert parse_interventions("", KINDS, 120) == []


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("outage", "TIME_NAME_VALUE; join several with -"),
        ("20_outage", "TIME_NAME_VALUE"),
        ("20_drop_1", "TIME_NAME"),
        ("20_outage_2_3", "intervention = '20_outage_2_3'"),
        ("soon_drop", "TIME_NAME"),
        ("20_outage_long", "TIME_NAME"),
        ("20_dance", "must be one of"),
        ("121_drop", "time of drop = 121.0: .*at most 120"),
        ("nan_drop", "time of drop"),
        ("20_outage_21", "value of outage = 21.0: .*at most 20"),
        ("20_outage_0", "value of outage = 0.0: .*at least 0.1"),
        ("-".join(["1_drop"] * 51), "number of interventions = 51"),
    ],
)
def test_other_text_is_refused_with_what_is_allowed(text, message):
    with pytest.raises(ValueError, match=message):
        parse_interventions(text, KINDS, 120)
