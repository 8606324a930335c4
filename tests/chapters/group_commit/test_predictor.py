"""Every rival's rows of the batch tuning table, and the runs that would decide between them."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tunables.chapters.group_commit.predictor import HYPOTHESES, calibrated_base, predict
from tunables.evidence.published import published

DATA = published("rdu-batch-tuning")
ROWS = ("original", "flush", "both")


def row_settings(row):
    return {
        "max_delay_s": DATA[f"{row}-flush-delay-max"].value / 1000,
        "timeout_s": DATA[f"{row}-lease-timeout"].value / 1000,
        "retries": DATA[f"{row}-lease-retries"].value,
        "clients": DATA["concurrent-calls"].value,
    }


def response_s(row):
    return DATA[f"{row}-response"].value / 1000


THINK_S = DATA["concurrent-calls"].value / DATA["both-throughput"].value - response_s("both")
FOURTH = {"max_delay_s": 2.0, "timeout_s": 0.5, "retries": 1}


def base_s(hypothesis):
    """Calibrate to row 2, or to row 1 for the thread pool, which row 2 refutes."""
    row = "original" if hypothesis == "thread pool" else "flush"
    if "adaptive" in hypothesis:
        hypothesis = "two caps"  # the same two flushes, cut at 25 ms
    return calibrated_base(
        response_s(row), hypothesis=hypothesis, think_s=THINK_S, **row_settings(row)
    )


def predict_rival(hypothesis, row=None, **changes):
    arguments = row_settings(row) if row else {}
    arguments |= {"hypothesis": hypothesis, "base_s": base_s(hypothesis), "think_s": THINK_S}
    return predict(**arguments | changes)


def errors_percent(hypothesis):
    return [
        100 * (predict_rival(hypothesis, row)["response_s"] / response_s(row) - 1) for row in ROWS
    ]


def test_what_follows_from_the_table_alone():
    first, second, third = (response_s(row) for row in ROWS)
    delays = [row_settings(row)["max_delay_s"] for row in ROWS]
    assert (first - second) / (delays[0] - delays[1]) == pytest.approx(1.998, abs=5e-4)
    assert [round(1000 * r) for r in (first - 4, second - 4, third - 1)] == [4072, 126, 131]
    busy = [50 / r * total for r, total in ((first, 4), (second, 4), (third, 1))]
    assert busy == pytest.approx([24.8, 48.5, 44.2], abs=0.05)


def test_only_row_3_shows_a_think_time():
    """Z = N/X - R with X rounded: row 3 alone excludes 0."""
    ranges = []
    for row in ROWS:
        x = DATA[f"{row}-throughput"]
        low, high = (50 / (x.value + side * x.resolution / 2) - response_s(row) for side in (1, -1))
        ranges.append((low, high))
    assert ranges[0][0] < 0 < ranges[0][1]
    assert ranges[1][0] < 0 < ranges[1][1]
    assert ranges[2] == pytest.approx((0.018, 0.045), abs=5e-4)
    assert pytest.approx(0.0318, abs=5e-5) == THINK_S


@pytest.mark.parametrize(
    ("hypothesis", "percent"),
    [
        ("one cap", (-24.4, 0, -0.44)),
        ("two caps", (0.05, 0, -0.44)),
        ("thread pool", (0, 95.6, 83.2)),
        ("commit stage", (-0.29, 0, -0.44)),
        ("ideal adaptive flusher", (-45.6, -0.48, -2.2)),
        ("adaptive flusher with a stuck transaction", (-1.0, -0.48, -2.2)),
    ],
)
def test_rival_rows(hypothesis, percent):
    """The errors of the three response times; 0 for the row that was fitted."""
    assert errors_percent(hypothesis) == pytest.approx(percent, abs=0.05)


def test_which_row_refutes_which_hypothesis():
    """A hypothesis fits if every row is within 3%."""
    fits = [name for name in HYPOTHESES if max(map(abs, errors_percent(name))) < 3]
    assert fits == ["two caps", "commit stage", "adaptive flusher with a stuck transaction"]


def test_calibrated_bases():
    assert base_s("one cap") == pytest.approx(0.101)
    assert base_s("two caps") == pytest.approx(0.076)
    assert base_s("commit stage") == pytest.approx(0.101)
    # A pool of 25 holds each thread for 25 (R + Z) / 50.
    assert 4 + base_s("thread pool") == pytest.approx((response_s("original") + THINK_S) / 2)


def test_throughput_of_the_survivors_rounds_to_the_published_integers():
    for hypothesis in ("two caps", "commit stage"):
        rates = [predict_rival(hypothesis, row)["throughput_per_s"] for row in ROWS]
        assert [round(rate) for rate in rates] == [6, 12, 43]


@pytest.mark.parametrize(
    ("changes", "two_caps_ms", "commit_stage_ms"),
    [
        (FOURTH, 5076, 8081),
        ({"max_delay_s": 1.0}, 6076, 5101),
        ({"clients": 25}, 8076, 6101),
        ({"clients": 100}, 8076, 16162),
    ],
)
def test_runs_that_decide(changes, two_caps_ms, commit_stage_ms):
    """The fourth cell of the table and three other runs, without think time."""
    for hypothesis, expected in (("two caps", two_caps_ms), ("commit stage", commit_stage_ms)):
        response = predict_rival(hypothesis, think_s=0.0, **changes)["response_s"]
        assert round(1000 * response) == expected


def test_a_saturated_commit_stage_hides_the_think_time():
    """N/X is fixed by the threads, so a longer think time is a shorter response."""
    idle = predict_rival("commit stage", "original", think_s=0.0)
    busy = predict_rival("commit stage", "original", think_s=0.5)
    assert busy["throughput_per_s"] == pytest.approx(idle["throughput_per_s"])
    assert busy["response_s"] == pytest.approx(idle["response_s"] - 0.5)


any_settings = st.fixed_dictionaries(
    {
        "hypothesis": st.sampled_from(HYPOTHESES),
        "max_delay_s": st.floats(0, 3),
        "timeout_s": st.floats(0.01, 2),
        "retries": st.integers(0, 5),
        "clients": st.integers(1, 200),
        "base_s": st.floats(0.001, 1),
        "think_s": st.floats(0, 1),
    }
)
quick = settings(deadline=None, derandomize=True, max_examples=100)


@quick
@given(any_settings)
def test_little_holds_and_the_lease_query_is_paid(arguments):
    result = predict(**arguments)
    cycle = result["response_s"] + arguments["think_s"]
    assert result["throughput_per_s"] * cycle == pytest.approx(arguments["clients"])
    assert result["response_s"] >= (arguments["retries"] + 1) * arguments["timeout_s"]


@quick
@given(any_settings)
def test_without_a_delay_all_hypotheses_give_the_same_response(arguments):
    """With D = 0 the flusher makes nobody wait."""
    arguments |= {"max_delay_s": 0.0, "commit_threads": arguments["clients"]}
    if arguments["hypothesis"] == "thread pool":
        arguments["pool_threads"] = arguments["clients"]
    lease_s = (arguments["retries"] + 1) * arguments["timeout_s"]
    assert predict(**arguments)["response_s"] == pytest.approx(lease_s + arguments["base_s"])


@quick
@given(any_settings, st.floats(0, 1))
def test_the_adaptive_flusher_is_between_no_wait_and_its_caps(arguments, think_s):
    arguments |= {"hypothesis": "ideal adaptive flusher", "think_s": think_s}
    ideal = predict(**arguments)["response_s"]
    stuck = predict(**arguments | {"hypothesis": "adaptive flusher with a stuck transaction"})
    caps = predict(**arguments | {"hypothesis": "two caps"})["response_s"]
    least = predict(**arguments | {"max_delay_s": 0.0})["response_s"]
    assert least - 1e-9 <= ideal <= caps + 1e-9
    assert ideal <= stuck["response_s"] * (1 + 1e-9)


@quick
@given(any_settings)
def test_calibration_inverts_the_prediction(arguments):
    response = predict(**arguments)["response_s"]
    base = arguments.pop("base_s")
    found = calibrated_base(response, **arguments)
    assert predict(base_s=found, **arguments)["response_s"] == pytest.approx(response)
    if arguments["hypothesis"] in ("one cap", "two caps"):
        assert found == pytest.approx(base)


@pytest.mark.parametrize(
    ("argument", "value", "message"),
    [
        ("hypothesis", "three caps", "hypothesis = 'three caps': must be one of one cap, two"),
        ("max_delay_s", -1, "max_delay_s = -1"),
        ("timeout_s", float("nan"), "timeout_s = nan"),
        ("retries", 1.5, "retries = 1.5"),
        ("clients", 0, "clients = 0"),
        ("base_s", float("inf"), "base_s = inf"),
        ("think_s", -0.1, "think_s = -0.1"),
        ("pool_threads", 0, "pool_threads = 0"),
        ("commit_threads", 0, "commit_threads = 0"),
    ],
)
def test_bad_input(argument, value, message):
    with pytest.raises(ValueError, match=message):
        predict(**{argument: value})


def test_calibration_to_an_impossible_response_is_refused():
    with pytest.raises(ValueError, match=r"response_s = 4.0: must be a finite number at least 8"):
        calibrated_base(4.0, hypothesis="two caps")
