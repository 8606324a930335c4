"""Chapter 5: every number of its prose and of its solutions, computed."""

import math

import numpy as np
import pytest

from tests.chapters.notebooks import ROOT, prose, solution
from tunables.chapters.replication import case as wlcg
from tunables.chapters.replication import session_case as wlcg_session
from tunables.chapters.replication.calibration import (
    calibrate,
    cubic_lcr_bytes_range,
    predictions,
)
from tunables.chapters.replication.paths import ASSUMED_RTT_S, SITES, great_circle_rtt
from tunables.chapters.replication.predictor import STAGES
from tunables.chapters.replication.predictor import predict as predict_results
from tunables.chapters.replication.ratios import (
    RTT_EXPONENTS,
    required_rtt_ratio,
    speed_up_bounds,
)
from tunables.chapters.replication.results import (
    calibrated,
    data,
    lcrs_per_operation,
    lcrs_per_operation_bounds,
    operations,
    time_half_width_s,
    times,
)
from tunables.chapters.replication.rivals import far_times, own_stage, windows_needed
from tunables.chapters.replication.session_predictor import predict as predict_session
from tunables.chapters.replication.session_report import data as session_data
from tunables.chapters.replication.session_report import report
from tunables.chapters.replication.simulation import simulated_connection
from tunables.page.formats import grouped
from tunables.parts.freedom import freedom
from tunables.parts.rival import fair_errors
from tunables.simulators.tandem import simulate_tandem
from tunables.theory.pipelines import lag_drain_time

CHAPTER = ROOT / "chapters" / "05-replication.ipynb"
TEXT = prose(CHAPTER)
DATA, FITTED = data(), calibrated()
PLAIN_S, COMPRESSED_S = times("plain"), times("compress")
OPERATIONS, LCRS_PER_OPERATION = operations(), lcrs_per_operation()
LCRS = OPERATIONS * LCRS_PER_OPERATION
TIME_HALF_WIDTH_S = time_half_width_s()
REPORT = report()
SESSION = session_data()
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
    return predict_session(**wlcg_session.case().settings(replicats=replicats, **changes))


def rate(replicats, io="queue"):
    return session(replicats, io=io)["throughput_lcr_s"]


def windows_kb():
    return {
        site: f"{window_bytes / 1000:.1f}"
        for site, window_bytes in windows_needed(PLAIN_S, LCRS, FITTED["lcr_bytes"]).items()
    }


def off_by(factor):
    """Return by how many per cent CUBIC errs at TRIUMF if its round trip is factor times BNL's."""
    seconds = PLAIN_S["BNL"] * factor ** RTT_EXPONENTS["cubic"]
    return f"{100 * (seconds / PLAIN_S['TRIUMF'] - 1):+.1f}".replace("-", "−")


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
        "assumed at once": f"assume {1000 * ASSUMED_RTT_S['TRIUMF']:.0f} ms for a record and the "
        f"answer to it, and {1000 * ASSUMED_RTT_S['BNL']:.0f} ms to Long Island",
        "time ratio": f"{percent(PLAIN_S['TRIUMF'], PLAIN_S['BNL'])} longer, over a path that we "
        f"take to be {percent(longer, 1)} longer",
        "window law": f"the same window at both, says {grouped(by('window')['plain', 'TRIUMF'])}",
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
        "other ratios": f"from 1.36 to 2.0 CUBIC would err by {off_by(1.36)} to {off_by(2)} %",
        "window fails": "the same window everywhere errs by +"
        + percent(by("window")["plain", "TRIUMF"], PLAIN_S["TRIUMF"])
        + ", the manual's, with one bandwidth for both, by −"
        + percent(PLAIN_S["BNL"], PLAIN_S["TRIUMF"]),
        "other windows": "{BNL} kB to BNL and {TRIUMF} kB to TRIUMF".format(**windows_kb()),
        "price of CUBIC": f"one segment in {grouped(1 / FITTED['loss'])} lost",
        "retransmissions": f"one retransmission in {grouped(1 / FITTED['loss'])} segments",
        "ratios for a ping": f"ratio {required_rtt_ratio('window', TIME_RATIO[1]):.3f}, if both",
        "twice the window": f"half the time, {grouped(PLAIN_S['BNL'] / 2)} s",
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
        "TRIUMF's network": f"needs {grouped(PLAIN_S['TRIUMF'] / BOUNDS['BNL'][1])} s only",
        "no way out": "would need "
        + grouped((PLAIN_S["BNL"] - TIME_HALF_WIDTH_S) / BOUNDS["TRIUMF"][2])
        + " s",
        "price": f"at 400 bytes, {source * FITTED['lcr_bytes'] / 1e6:.1f} MB/s",
        "utilisations": f"{100 * one['user_io_utilisation']:.1f} % to "
        f"{100 * one['cpu_utilisation']:.1f} %",
        "upstream": f"{grouped(REPORT.lcrs / REPORT.receiver_s)} and "
        f"{grouped(REPORT.lcrs / REPORT.reader_s)} LCR/s",
        "bounds": f"at {grouped(rate(1))} LCR/s",
        "a queue": f"for those {grouped(REPORT.user_io_s)} s, and "
        f"{grouped(one['user_io_bound_lcr_s'])} LCR/s is the bound",
        "a delay": f"the bound is the CPU's, {grouped(one['cpu_bound_lcr_s'])}.",
        "two": f"either way, {grouped(rate(2))} or {grouped(rate(2, 'delay'))}",
        "steps": f"the fourth adds {fourth:.0f}",
        "four": f"four give {grouped(rate(4, 'delay'))}, and with five the CPU is at "
        f"{100 * session(5, io='delay')['cpu_utilisation']:.0f} %",
        "six": f"six of them: {grouped(rate(6, 'delay'))}",
        "side by side": f"four of them: {grouped(4 * rate(1))}",
        "full disks": "when the CPU is at "
        f"{100 * one['user_io_bound_lcr_s'] / one['cpu_bound_lcr_s']:.0f} %",
        "2016": f"{source / one['user_io_bound_lcr_s']:.1f} times what the disk could take",
        "lag": f"{grouped(SESSION['reader-lag'].value)} s behind, {LAG_DAYS:.2f} days",
        "unaccounted": f"**{REPORT.unaccounted_s:.2f} s** of the apply time, "
        f"{100 * REPORT.unaccounted_s / REPORT.apply_s:.1f} %",
        "pump of stop and wait": f"needs the pump at {grouped(round(WAITING['pump_lcr_s'], -2))}",
    }


@pytest.mark.parametrize(("what", "text"), numbers_in_the_prose().items())
def test_prose(what, text):
    assert text in TEXT, what


def test_the_count_of_the_prose_is_that_of_the_ledger():
    found = freedom(wlcg.case())
    assert (found.numbers, len(found.fitted), found.left) == (9, 5, 4)
    assert "Nine numbers, five fitted, four left and all of them seen" in TEXT
    statuses = [number.status for number in wlcg.case().numbers]
    assert "predicted" not in statuses
    assert "It has predicted nothing" in TEXT
    assert freedom(wlcg_session.case()).left == 0
    errors = sorted(fair_errors(wlcg.case()))
    assert [pair for pair in errors if abs(pair[0]) > 1e-9] == errors[:1]
    theirs, ours = errors[0]
    assert f"by {100 * abs(theirs):.0f} %, the model by {100 * abs(ours):.1f} %" in TEXT


def test_five_replicats_and_not_four_would_set_off_the_talk_s_rule_if_waits_are_a_delay():
    low = SESSION["cpu-maximum-low"].value / 100
    assert session(4, io="delay")["cpu_utilisation"] < low
    assert session(5, io="delay")["cpu_utilisation"] > low
    assert session(32)["cpu_utilisation"] < 0.5 * low
    needed = FITTED["source_lcr_s"]
    assert rate(5, "delay") < needed < rate(6, "delay")
    assert 3 * rate(1) < needed < 4 * rate(1)


def test_a_stage_at_triumf_explains_both_times():
    changes = own_stage(FITTED, PLAIN_S, COMPRESSED_S, LCRS)
    assert far_times(FITTED, changes) == pytest.approx({s: COMPRESSED_S[s] for s in changes})
    assert f"apply to {grouped(changes['TRIUMF']['apply_lcr_s'])}" in TEXT
    assert f"At $r$ = {changes['BNL']['compression_ratio']:.3f} that" in TEXT
    pressed = wlcg.case().settings(
        rtt_s=ASSUMED_RTT_S["TRIUMF"], compress="on", compression_ratio=4.6, apply_lcr_s=9890
    )
    assert predict_results(**pressed)["seconds"] == pytest.approx(COMPRESSED_S["TRIUMF"], abs=1)


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
    outputs = predict_results(**wlcg.case().settings(rtt_s=ASSUMED_RTT_S["RAL"], compress="off"))
    mean_s = np.array([1 / outputs[f"{stage}_rate_lcr_s"] for stage in STAGES])
    chance = np.random.default_rng(5).standard_exponential((20_000, 4))
    share = 20_000 / simulate_tandem(chance * mean_s, [0] * 3)[-1] / outputs["throughput_lcr_s"]
    assert 0.5 < share < 0.6
    assert "loses nearly half" in TEXT


def test_the_explorers_questions():
    unlimited = REPORT.lcrs / session()["user_io_bound_lcr_s"]
    assert unlimited > 3600
    half = REPORT.user_io_s / 2
    one, two = (session(n, user_io_s=half)["apply_s"] for n in (1, 2))
    assert two < 3600 < one
    assert f"none: the disk alone needs {grouped(unlimited)} s" in TEXT
    assert f"in {grouped(two)} s at one disk" in TEXT
    as_delays = [session(n, io="delay")["apply_s"] for n in (1, 2)]
    assert as_delays[1] < 3600 < as_delays[0]
    assert f"two: {grouped(as_delays[1])} s" in TEXT


def test_can_they_share_a_ratio():
    text = solution(CHAPTER, "wlcg-ratio")
    for site in ("TRIUMF", "BNL"):
        low, _, high = BOUNDS[site]
        assert f"= {low:.3f}$" in text
        assert f"= {high:.3f}$" in text
    assert BOUNDS["TRIUMF"][2] < BOUNDS["BNL"][0]
    assert f"{BOUNDS['BNL'][1]:.3f} or more fits both" in text


def test_one_ping():
    text = solution(CHAPTER, "wlcg-ping")
    bnl, triumf = (1000 * ASSUMED_RTT_S[site] for site in ("BNL", "TRIUMF"))
    window, cubic = (PLAIN_S["BNL"] * (triumf / bnl) ** power for power in (1, 0.25))
    assert grouped(window).replace(",", "{,}") in text
    assert grouped(cubic).replace(",", "{,}") in text
    needs = [required_rtt_ratio(law, TIME_RATIO[1]) for law in ("window", "cubic")]
    assert f"{needs[0]:.3f} and {needs[1]:.3f}" in text
    assert f"{bnl * needs[0]:.1f} ms and {bnl * needs[1]:.1f} ms" in text
    assert "{TRIUMF} kB against BNL's {BNL}".format(**windows_kb()) in text


def test_two_replicats():
    text = solution(CHAPTER, "wlcg-replicats")
    assert f"{REPORT.user_io_s / REPORT.lcrs * 1e6:.1f} µs" in text
    assert f"{grouped(rate(2))} LCR/s, not {grouped(2 * rate(1))}" in text
    assert f"two give {grouped(rate(2, 'delay'))}" in text
