"""Chapter 5: every number of its prose and of its solutions, computed."""

import math

import numpy as np
import pytest

from tests.chapters.notebooks import ROOT, prose, solution
from tunables.cases import wlcg, wlcg_session
from tunables.cases.wlcg_calibration import (
    calibrate,
    cubic_lcr_bytes_range,
    predictions,
    required_rtt_ratio,
    required_window_ratio,
    speed_up_bounds,
)
from tunables.cases.wlcg_parameters import (
    COMPRESSED_S,
    DATA,
    FITTED,
    LCRS_PER_OPERATION,
    OPERATIONS,
    PLAIN_S,
    TIME_HALF_WIDTH_S,
    lcrs_per_operation_bounds,
)
from tunables.cases.wlcg_paths import ASSUMED_RTT_S, SITES, great_circle_rtt
from tunables.cases.wlcg_simulation import simulated_connection
from tunables.predictors.wlcg import STAGES
from tunables.predictors.wlcg import predict as predict_results
from tunables.predictors.wlcg_session import predict as predict_session
from tunables.reader.formats import grouped
from tunables.simulators.tandem import simulate_tandem
from tunables.theory.pipelines import lag_drain_time

CHAPTER = ROOT / "chapters" / "05-replication.ipynb"
TEXT = prose(CHAPTER)
LCRS = OPERATIONS * LCRS_PER_OPERATION
SESSION = wlcg_session.DATA
BOUNDS = {
    site: speed_up_bounds(PLAIN_S[site], COMPRESSED_S[site], TIME_HALF_WIDTH_S)
    for site in ("BNL", "TRIUMF", "RAL")
}
TIME_RATIO = speed_up_bounds(PLAIN_S["TRIUMF"], PLAIN_S["BNL"], TIME_HALF_WIDTH_S)
CUBIC = predictions(FITTED)
WAITING = calibrate("stop-and-wait", PLAIN_S, COMPRESSED_S, OPERATIONS, LCRS_PER_OPERATION)
LAG_DAYS = lag_drain_time(SESSION["reader-lag"].value, 2, 1) / 86_400


def by(law, **assumed):
    fitted = calibrate(law, PLAIN_S, COMPRESSED_S, OPERATIONS, LCRS_PER_OPERATION, **assumed)
    return predictions(fitted)


def percent(predicted, observed):
    return f"{100 * abs(predicted / observed - 1):.0f} %"


def session(replicats=1, **changes):
    return predict_session(**wlcg_session.CASE.settings(replicats=replicats, **changes))


def rate(replicats):
    return session(replicats)["throughput_lcr_s"]


def spread(law):
    low, _, high = (required_rtt_ratio(law, bound) for bound in TIME_RATIO)
    return f"{low:.3f} to {high:.3f}"


def numbers_in_the_prose():
    longer = ASSUMED_RTT_S["TRIUMF"] / ASSUMED_RTT_S["BNL"]
    light = [f"{1000 * great_circle_rtt(site):.1f}" for site in SITES]
    source = FITTED["source_lcr_s"]
    least, greatest = cubic_lcr_bytes_range(PLAIN_S, LCRS)
    one = session()
    fourth = rate(4) - rate(3)
    return {
        "minutes": f"{PLAIN_S['RAL'] / 60:.0f} minutes. Long Island needs "
        f"{PLAIN_S['BNL'] / 60:.0f}",
        "time ratio": f"{percent(PLAIN_S['TRIUMF'], PLAIN_S['BNL'])} longer over a path "
        f"{percent(longer, 1)} longer",
        "window law": f"window law says {grouped(by('window')['plain', 'TRIUMF'])}",
        "LCRs an operation": "{:.3f} to {:.3f}".format(*lcrs_per_operation_bounds()),
        "LCRs a transaction": "{:.0f} LCRs each".format(
            SESSION["server-lcrs-applied"].value * 1e3 / SESSION["coordinator-txns-applied"].value
        ),
        "cut off": f"is {LCRS / COMPRESSED_S['TRIUMF'] / 1000:.2f} thousand",
        "near sites": f"sped both up, by {100 * (BOUNDS['RAL'][1] - 1):.1f} %",
        "source": f"{grouped(source)} LCR/s, {1e6 / source:.0f} µs a record",
        "great circles": f"{', '.join(light[:3])} and {light[3]} ms",
        "assumed": "{}, {}, {} and {} ms".format(
            *(f"{1000 * ASSUMED_RTT_S[s]:.0f}" for s in SITES)
        ),
        "CUBIC": f"hits within {100 * abs(CUBIC['plain', 'TRIUMF'] / PLAIN_S['TRIUMF'] - 1):.1f} %",
        "intervals": f"{spread('window')} against {spread('cubic')}",
        "geography": f"give {great_circle_rtt('TRIUMF') / great_circle_rtt('BNL'):.3f}, between",
        "window fails": "window law is off by "
        + percent(by("window")["plain", "TRIUMF"], PLAIN_S["TRIUMF"]),
        "other windows": f"{required_window_ratio(longer, TIME_RATIO[1]):.2f} times as large",
        "waiting": f"by {percent(by('stop-and-wait')['plain', 'TRIUMF'], PLAIN_S['TRIUMF'])}, and",
        "waiting at IN2P3": f"in {grouped(by('stop-and-wait')['plain', 'IN2P3'])} s, sooner",
        "record sizes": f"between {least:.0f} and {greatest:.0f} bytes",
        "small records": "(250 B: TRIUMF +"
        + percent(by("cubic", lcr_bytes=250)["plain", "TRIUMF"], PLAIN_S["TRIUMF"])
        + ")",
        "published ratio": f"published ratio is {TIME_RATIO[1]:.3f}",
        "shared ratio": f"both, {FITTED['compression_ratio']:.2f}, makes BNL "
        f"{100 * (CUBIC['compressed', 'BNL'] / COMPRESSED_S['BNL'] - 1):.1f} % too slow and TRIUMF "
        f"{100 * (1 - CUBIC['compressed', 'TRIUMF'] / COMPRESSED_S['TRIUMF']):.1f} % too fast",
        "largest ratio": f"is at most {BOUNDS['TRIUMF'][2]:.2f}",
        "no way out": "need "
        + grouped((PLAIN_S["BNL"] - TIME_HALF_WIDTH_S) / BOUNDS["TRIUMF"][2])
        + " s",
        "price": f"at 400 bytes, {source * FITTED['lcr_bytes'] / 1e6:.1f} MB/s",
        "utilisations": f"{100 * one['user_io_utilisation']:.1f} % to "
        f"{100 * one['cpu_utilisation']:.1f} %",
        "bounds": f"at {grouped(rate(1))} LCR/s. More Replicats would overlap one's wait with "
        f"another's work, up to the disks' bound of {grouped(one['user_io_bound_lcr_s'])}",
        "steps": f"({grouped(rate(2))}); the fourth adds {fourth:.0f}",
        "full disks": "when the CPU is at "
        f"{100 * one['user_io_bound_lcr_s'] / one['cpu_bound_lcr_s']:.0f} %",
        "2016": f"{source / one['user_io_bound_lcr_s']:.1f} times what these disks",
        "lag": f"{grouped(SESSION['reader-lag'].value)} s behind, {LAG_DAYS:.2f} days",
        "unaccounted": f"**{wlcg_session.UNACCOUNTED_S:.2f} s** of the apply time, "
        f"{100 * wlcg_session.UNACCOUNTED_S / wlcg_session.APPLY_S:.1f} %",
        "pump of stop and wait": f"needs the pump at {grouped(round(WAITING['pump_lcr_s'], -2))}",
    }


@pytest.mark.parametrize(("what", "text"), numbers_in_the_prose().items())
def test_prose(what, text):
    assert text in TEXT, what


def test_the_columns_are_what_the_text_says():
    times = [*PLAIN_S.values(), *COMPRESSED_S.values()]
    assert len(times) == 8
    assert len(set(times)) == 5
    assert "eight times are five different numbers" in TEXT
    assert math.gcd(*map(int, times)) == 20
    ratio = DATA["compress-triumf-lcr-rate"].value
    assert ratio == math.floor(10 * LCRS / COMPRESSED_S["TRIUMF"] / 1000) / 10


def random_seconds(loss, site, record_bytes):
    rates = [
        simulated_connection("cubic", ASSUMED_RTT_S[site], 1, loss, FITTED["mss_bytes"], seed=seed)
        for seed in range(4)
    ]
    return np.mean([LCRS * record_bytes / rate for rate in rates])


def test_losses_at_random_spoil_the_agreement_and_no_record_size_mends_both_sites():
    results = {}
    for record_bytes in (400, 600, 800):
        low, high = 1e-4, 1e-3
        for _ in range(14):
            loss = math.sqrt(low * high)
            slow = random_seconds(loss, "BNL", record_bytes) > PLAIN_S["BNL"]
            low, high = (low, loss) if slow else (loss, high)
        results[record_bytes] = [random_seconds(low, s, record_bytes) for s in ("TRIUMF", "RAL")]
    assert results[400][0] / PLAIN_S["TRIUMF"] == pytest.approx(1.10, abs=0.01)
    assert results[400][1] < PLAIN_S["RAL"] < results[600][1]
    assert results[600][0] > 1.015 * PLAIN_S["TRIUMF"]
    assert abs(results[800][0] / PLAIN_S["TRIUMF"] - 1) < 0.015
    assert f"hold at {grouped(round(results[800][1], -1))} s" in TEXT


def test_without_room_a_pipeline_loses_nearly_half():
    outputs = predict_results(**wlcg.CASE.settings(rtt_s=ASSUMED_RTT_S["RAL"], compress="off"))
    mean_s = np.array([1 / outputs[f"{stage}_rate_lcr_s"] for stage in STAGES])
    chance = np.random.default_rng(5).standard_exponential((20_000, 4))
    share = 20_000 / simulate_tandem(chance * mean_s, [0] * 3)[-1] / outputs["throughput_lcr_s"]
    assert 0.5 < share < 0.6
    assert "loses nearly half" in TEXT


def test_the_explorers_questions():
    unlimited = wlcg_session.LCRS / session()["user_io_bound_lcr_s"]
    assert unlimited > 3600
    half = wlcg_session.USER_IO_S / 2
    one, two = (session(n, user_io_s=half)["apply_s"] for n in (1, 2))
    assert two < 3600 < one
    assert f"none: the disks alone need {grouped(unlimited)} s" in TEXT
    assert f"two do it in {grouped(two)} s" in TEXT


def test_can_they_share_a_ratio():
    text = solution(CHAPTER, "wlcg-ratio")
    for site in ("TRIUMF", "BNL"):
        low, _, high = BOUNDS[site]
        assert f"= {low:.3f}$" in text
        assert f"= {high:.3f}$" in text
    assert BOUNDS["TRIUMF"][2] < BOUNDS["BNL"][0]


def test_one_ping():
    text = solution(CHAPTER, "wlcg-ping")
    bnl, triumf = 95, 155
    window, cubic = 6940 * triumf / bnl, 6940 * (triumf / bnl) ** 0.25
    assert grouped(window).replace(",", "{,}") in text
    assert grouped(cubic).replace(",", "{,}") in text
    needs = [required_rtt_ratio(law, TIME_RATIO[1]) for law in ("window", "cubic")]
    assert f"{needs[0]:.3f} and {needs[1]:.3f}" in text
    assert f"{bnl * needs[0]:.1f} ms and {bnl * needs[1]:.1f} ms" in text


def test_two_replicats():
    text = solution(CHAPTER, "wlcg-replicats")
    assert f"{wlcg_session.USER_IO_S / wlcg_session.LCRS * 1e6:.1f} µs" in text
    assert f"{grouped(rate(2))} LCR/s, not {grouped(2 * rate(1))}" in text
