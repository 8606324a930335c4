"""What chapter 2, its lab and its lesson claim beside their numbers, and the model answers."""

import math

import numpy as np
import pytest

from tests.assignments.submissions import model_answers
from tests.chapters.notebooks import cells
from tests.chapters.time_outs.prose import (
    CHANCE,
    CHAPTER,
    EVIDENCE,
    HALF_ADVICE,
    LATE,
    SHORT,
    STATUSES,
    SURE,
    TIMEOUT_S,
    N,
    R,
    answered_in_time,
    lost,
    percentile_s,
    pool_of_25,
    roots,
    safe,
    saved_s,
    seconds_of_silence,
    table,
    vote,
)
from tunables.chapters.group_commit.case import ROWS, think_time_s
from tunables.chapters.time_outs.case import lease_case, row_settings
from tunables.chapters.time_outs.predictor import predict_lease
from tunables.core.ledger import freedom
from tunables.simulators.retry_callers import simulate_retry_callers
from tunables.simulators.retry_storm import simulate_retry_storm
from tunables.theory.deadlines import deadline_safe_load
from tunables.theory.retries import retry_fixed_points
from tunables.theory.waiting_callers import any_answer_rates


def test_a_pool_of_25_looks_like_row_1():
    assert pool_of_25("original")["response_s"] == pytest.approx(R["original"], rel=0.01)


def test_the_advice_loses_a_hundred_times_as_many_queries():
    assert lost("both") / lost("original") == pytest.approx(100)


def test_the_percentile_moves_in_steps_of_whole_time_outs():
    assert percentile_s(0.011, "original") / percentile_s(0.009, "original") == pytest.approx(11)
    assert percentile_s(0.011, "both") / percentile_s(0.009, "both") == pytest.approx(6)


def test_the_charts_text_names_the_steps_of_the_percentile():
    source = "".join(cell["source"] for cell in cells(CHAPTER, "code"))
    edges = [100 * 0.01 ** (1 / attempts) for attempts in (1, 2, 3, 4)]
    found = [percentile_s(p, "original") for p in (0.009, 0.05, 0.15, 0.25, 0.5)]
    steps = "{:.1f} s up to {:.0f}%, then {:.1f} s up to {:.0f}%"
    assert steps.format(found[0], edges[0], found[1], edges[1]) in source
    assert f'{found[2]:.1f} s up to {edges[2]:.0f}%, "' in source
    assert f'"{found[3]:.1f} s up to {edges[3]:.0f}% and {found[4]:.0f} s beyond' in source
    advised = [percentile_s(p, "both") for p in (0.009, 0.05, 0.5)]
    assert "{:.1f}, {:.1f} and {:.0f} s with steps at 1 and 10%".format(*advised) in source


def test_24_requests_a_second_always_recover_and_30_never_do():
    assert max(seconds_of_silence(24)) < 600 - 22 - 10  # by the end of its run, each has
    assert min(seconds_of_silence(30)) == math.inf


@pytest.mark.parametrize("retries", [3, 8])
def test_with_the_retries_off_the_queue_drains_after_the_tables_runs_have_ended(retries):
    """The table's runs end six minutes after the retries were turned off."""
    load, off_s = 0.8, 60
    answered = simulate_retry_storm(
        100 * load, 100, 0.5, retries, outage_s=10, horizon_s=2000, seed=1, retries_off_s=off_s
    )[1]
    assert answered[off_s + 60 : off_s + 360].sum() == 0
    assert answered[-300:].mean() > 0.95 * 100 * load


def answered_with_a_queue_of(limit, retries):
    """Return the share of requests that a server at 95% answers in time after an outage."""
    answered = simulate_retry_storm(
        95, 100, 0.5, retries, outage_s=10, horizon_s=420, seed=1, queue_limit=limit
    )[1]
    return answered[-120:].mean() / 95


@pytest.mark.parametrize("retries", [3, 8])
def test_a_queue_as_long_as_the_timeout_is_too_long_and_half_of_it_is_safe(retries):
    """A full queue of fifty takes about a timeout to serve, so chance makes attempts late."""
    assert answered_with_a_queue_of(25, retries) > 0.95
    assert answered_with_a_queue_of(50, retries) < 0.9


def test_the_charts_run_recovers_after_about_a_minute():
    source = "".join(cell["source"] for cell in cells(EVIDENCE, "code"))
    assert "after about a minute" in source
    answered = simulate_retry_storm(24, 100, seed=1, **HALF_ADVICE)[1]
    assert 50 < np.flatnonzero(answered[22:])[0] < 70
    assert simulate_retry_storm(30, 100, seed=1, **HALF_ADVICE)[1][22:].sum() == 0


def test_the_smallest_pool_that_the_explorer_asks_for():
    """With a pool of 49 no row takes longer than published; with 48 row 2 does."""

    def longer(threads):
        return [
            row
            for row in ROWS
            if predict_lease(threads=threads, **row_settings(row))["response_s"] > R[row]
        ]

    assert longer(49) == []
    assert longer(48) == ["flush"]


def test_fewer_retries_double_the_safe_load_and_a_shorter_time_out_leaves_it():
    assert safe(1) == 2 * safe(3)
    [stuck] = {retry_fixed_points(26, 100, timeout_s, 3)[-1] for timeout_s in (0.5, 1.0)}
    assert stuck == 26 * 4


def test_the_chapters_claims_about_the_remedies_are_in_its_table():
    """24/s and 30/s after 2 s, 30/s after 10 s, 70/s after 2 and 10 s, 90/s after 10 s."""
    lines = table("How many of 20 runs recover")[2:]
    counts = {name: [int(count) for count in line] for name, *line in lines}
    half = counts["only half of the advice: 0.5 s, 3 retries"]
    short = counts["pauses with full jitter, 0.5 s to 8 s"]
    long = counts["pauses with full jitter, 5 s to 60 s"]
    patient = counts["timeout of 2 s, 3 retries"]
    assert counts["default: 1 s, 3 retries"] == [20, 15, 0, 0, 0, 0]
    assert half == [20, 0, 0, 0, 0, 0]
    assert short[3:] == long[3:] == [0, 0, 0]
    assert long[1:3] == [20, 0]
    assert patient == [20, 20, 0, 20, 0, 0]
    assert counts["as advised: 0.5 s, 1 retry"] == [20, 20, 20, 0, 0, 0]
    assert counts["no retry"] == [20] * 6
    skips = counts["the server skips requests that nobody waits for"]
    assert skips[:5] == [20] * 5
    assert skips[5] <= 2


def test_the_chapters_claims_about_the_closed_population_are_in_its_table():
    lines = table("The advice for two kinds of clients")[2:]
    lenient = {name.split(":")[0]: float(line[-1][:-2]) for name, *line in lines}
    assert min(answered_in_time("default"), answered_in_time("fewer retries only")) > 52
    assert answered_in_time("as advised") == answered_in_time("shorter timeout only") == 0
    assert [line[1] for line in lines] == ["25/s", "25/s", "50/s", "50/s"]
    assert lenient["default"] == pytest.approx(answered_in_time("default") / 3, rel=0.06)
    assert lenient["as advised"] == 0


def test_the_line_of_fifty_callers_is_between_the_two_timeouts():
    assert TIMEOUT_S["both"] < N / 60 < TIMEOUT_S["flush"]


def callers_answered_per_s(rate, horizon_s=300):
    """Return how many of fifty callers' requests a server answers in time by default."""
    _, answered = simulate_retry_callers(
        50, think_time_s(), rate, 1.0, 3, outage_s=0, horizon_s=horizon_s, seed=1
    )
    return answered[100:].mean()


def test_callers_who_wait_keep_the_server_full_and_send_more_than_n_over_t():
    """N/T bounds only the late attempts; the book once said that fifty send 49.6 at most."""
    offered, _ = simulate_retry_callers(
        50, think_time_s(), 60, 1.0, 3, outage_s=0, horizon_s=300, seed=1
    )
    assert offered[100:].mean() > 58 > LATE["flush"]
    assert callers_answered_per_s(60) > 52


def test_half_of_what_a_server_of_52_a_second_does_is_answered_in_time():
    assert callers_answered_per_s(52, horizon_s=600) == pytest.approx(52 / 2, rel=0.15)


def test_the_states_if_any_answer_counts():
    assert any_answer_rates(50, 60, 1.0, 3, think_time_s()) == [60, 30, 20, 15]


def test_three_services_of_margin_lose_up_to_a_fifth_of_the_time():
    """The services that overrun m = 3/u are long: E[S; S > m]/E[S] = (1 + 3) e^-3."""
    wasted = np.random.default_rng(1).standard_exponential(200_000)
    assert wasted[wasted > 3].sum() / wasted.sum() == pytest.approx(4 * math.exp(-3), rel=0.02)
    assert round(4 * math.exp(-3), 1) == 0.2


def test_skipping_late_work_nearly_triples_the_safe_load():
    assert 2.5 < deadline_safe_load(100, 3) / safe(3) < 3


def test_the_chapters_claims_about_skipping_late_work_are_in_its_table():
    shown = table("A server that skips requests that nobody waits for")[2:]
    lines = {line[0]: line[1:] for line in shown}
    recovers = {load: int(line[2].split()[0]) for load, line in lines.items()}
    assert recovers["70/s, 3 retries"] == recovers["80/s, 3 retries"] == 8
    assert lines["80/s, 3 retries"][1] != "none"
    assert max(recovers[load] for load in ("90/s, 3 retries", "80/s, 8 retries")) == 0


def test_the_chapters_claims_about_the_plane_are_in_its_tables():
    """The columns are 0, 1, 2, 3, 5 and 8 retries. The simulator's tests try the whole plane."""
    before = {line[0]: line[1:] for line in table("Rules set up in advance")[2:]}
    assert before["no rule"] == ["95%", "40%", "30%", "<30%", "<30%", "<30%"]
    assert before["a budget: at most one retry per ten requests"] == ["95%"] + ["80%"] * 5
    for name, line in before.items():
        everywhere = line == ["95%"] * 6
        assert everywhere == (name not in list(before)[:3]), name
    tonight = {line[0]: line[1:] for line in table("Done in the storm")[2:]}
    assert tonight["turn the retries off and empty the queue"] == ["95%"] * 6
    assert tonight["turn the retries off"][-1] != "95%"
    assert tonight["empty the queue"] == ["95%", "70%", "50%", "50%", "30%", "<30%"]


def test_turning_away_just_enough_does_nothing_for_three_quarters_of_an_hour():
    minutes = {line[0]: line[-1] for line in table("30 requests a second, 3 retries")[2:]}
    assert minutes["turn away 18%"] == "not in 45 minutes"
    assert 120 * (1 - 0.18) < roots(30)[1] < 100
    times = [float(minutes[name].split()[0]) for name in list(minutes)[1:]]
    assert times == sorted(times, reverse=True)
    assert 20 < times[0] < 30 < 60 * times[-2] < 100 > 1 > times[-1]


def kept_by_emptying(attempts, retries, runs):
    """Return how many runs keep their clients if the attempts come to that many capacities."""
    load = attempts / (retries + 1)
    return sum(
        simulate_retry_storm(
            100 * load, 100, 0.5, retries, outage_s=10, horizon_s=420, seed=seed, purge_s=60
        )[1][-120:].mean()
        > 70 * load
        for seed in range(runs)
    )


def test_emptying_the_queue_is_sure_below_a_load_and_chance_decides_beyond():
    assert [kept_by_emptying(SURE, retries, 16) for retries in (1, 2, 5)] == [16, 16, 16]
    assert 0 < kept_by_emptying(CHANCE, 1, 60) < 60
    assert kept_by_emptying(3.0, 3, 16) == 0


def test_nothing_is_fitted_or_predicted_and_the_six_numbers_of_the_table_are_bounded():
    assert set(STATUSES) == {"bound", "identity"}
    assert freedom(lease_case()).left == 0


def test_the_bound_of_row_1_is_half_of_it():
    assert round(SHORT["original"], 1) == 0.5


def test_calls_beyond_the_pool_are_what_tells_it_from_none():
    assert predict_lease(clients=50, threads=50) == predict_lease(clients=50, threads=100)
    assert predict_lease(clients=100, threads=50) != predict_lease(clients=100, threads=100)


def test_in_lab_2_nothing_is_lost_when_both_advices_are_followed():
    apart = saved_s("flush", "original") + saved_s("original", "both")
    assert apart == pytest.approx(saved_s("flush", "both"))


def test_skipping_late_work_stays_in_the_storm_at_90_a_second_or_with_eight_retries():
    assert vote(90, 2, cancel_stale=True) == "no"
    assert vote(70, 2, retries=8, cancel_stale=True) == "no"


def test_fifty_callers_are_answered_with_the_longer_timeout_and_not_with_the_shorter():
    offered, answered = (
        [
            simulate_retry_callers(50, 0, 60, timeout_s, 3, outage_s=0, horizon_s=300, seed=1)[what]
            for timeout_s in (1.0, 0.5)
        ]
        for what in (0, 1)
    )
    assert answered[0][100:].mean() > 50
    assert offered[0][100:].mean() == pytest.approx(60, rel=0.05)
    assert answered[1][100:].sum() == 0


def test_the_model_answers_to_the_assignments_open_questions():
    text = model_answers("time_outs")
    stuck = max(roots(40))
    stale = (stuck - 100) * 3600
    assert f"40 × 4 = {stuck:.0f} attempts a second" in text
    assert f"{stuck - 100:.0f} × 3,600 = {stale:,.0f} stale attempts" in text
    assert stale / (100 - 40) == pytest.approx(3600)  # "take another hour at 60 a second"
    assert f"the queue takes {stale / 100 / 60:.0f} minutes to clear" in text
    assert retry_fixed_points(40, 100, timeout_s=0.5, retries=1) == [pytest.approx(40, abs=0.01)]
