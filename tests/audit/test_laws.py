"""Each law by an example worked out by hand: a row that keeps it, and one that can't."""

import pytest

from tests.audit.reading import audit_text, blamed, table_of
from tunables.audit.laws import explain

# law, heads, rows that keep it, row that misses it, words of the finding
EXAMPLES = [
    (
        "Little's law",
        "Clients, Throughput (req/s), Mean latency (ms)",
        ["8, 402.1, 19.9", "16, 410.3, 39.0", "32, 405.2, 79.0"],
        "64, 401.3, 15.9",  # 401.3/s x 15.9 ms = 6.38 in flight of 64
        "keeps only 6.38 requests in flight, but the row has 64 clients",
    ),
    (
        "Little's law with Markov's inequality",
        "Clients, Throughput (req/s), p90 (ms)",
        ["8, 402.1, 31.9", "16, 410.3, 55.2"],
        "4, 401.3, 150.7",  # a tenth of 401.3/s takes 150.7 ms: 6.05 in flight
        "so they alone keep 6.05 requests in flight, but the row has 4 clients",
    ),
    (
        "the utilisation law",
        "Throughput (req/s), Service time (ms), Utilisation (%)",
        ["41.3, 12.1, 50.0", "20.7, 12.1, 25.0"],
        "62.0, 12.1, 57.0",  # 62.0 x 12.1 ms = 75.0%
        "keeps one server 75% busy, but the row says 57.0%",
    ),
    (
        "the bottleneck bound",
        "Threads, Throughput (req/s), Service time (ms)",
        ["1, 81.3, 12.1", "2, 160.3, 12.1"],
        "4, 421.7, 12.1",  # 4 / 12.1 ms = 330.6/s
        "4 servers can't complete 421.7 req/s",
    ),
    (
        "rate × time = count",
        "Throughput (req/s), Duration (s), Requests",
        ["41.31, 60, 2479", "83.77, 60, 5026"],
        "90.13, 60, 4508",  # 90.13 x 60 = 5408
        "for 60 s does not come to 4508",
    ),
    (
        "size × rate = bandwidth",
        "Block size (KiB), IOPS, Bandwidth (MiB/s)",
        ["4, 25613, 100.05", "8, 21311, 166.49"],
        "16, 9713, 251.77",  # 16 KiB x 9,713 = 151.77 MiB/s
        "does not come to 251.77 MiB/s",
    ),
    (
        "the order of percentiles",
        "Run, p50 (ms), p99 (ms)",
        ["a, 3.1, 9.7"],
        "b, 9.7, 3.1",
        "is larger than p99",
    ),
    (
        "the bounds on the mean",
        "Run, Mean (ms), Max (ms)",
        ["a, 3.1, 9.7"],
        "b, 9.7, 3.1",
        "The mean of 9.7 ms is above the maximum of 3.1 ms",
    ),
    (
        "Markov's inequality",
        "Run, Mean (ms), p90 (ms)",
        ["a, 3.1, 9.7"],
        "b, 3.1, 97.3",  # a tenth at 97.3 ms makes a mean of 9.7 ms at least
        "10% of the latencies are 97.3 ms or more, so the mean can't be 3.1 ms",
    ),
    (
        "the upper bound on the mean",
        "Run, Mean (ms), p99 (ms), Max (ms)",
        ["a, 3.1, 9.7, 12.3"],
        "b, 11.1, 9.7, 12.3",  # at most 0.99 x 9.7 + 0.01 x 12.3 = 9.73
        "so the mean can't be 11.1 ms",
    ),
    (
        "Popoviciu's inequality",
        "Run, Min (ms), Max (ms), Stddev (ms)",
        ["a, 3.1, 9.7, 2.2"],
        "b, 3.1, 9.7, 4.4",  # at most 3.3
        "at most half of the range",
    ),
    (
        "hits + misses = 1",
        "Cache size (MiB), Hit ratio, Miss ratio",
        ["1, 61.3%, 38.7%", "2, 71.1%, 28.9%"],
        "4, 83.9%, 26.1%",
        "do not add up to 100%",
    ),
    (
        "the law of stack policies",
        "Cache size (MiB), Hit ratio",
        ["1, 61.3%", "2, 71.1%", "4, 79.1%"],
        "8, 62.2%",
        "is larger than the cache of 4 MiB, but does worse",
    ),
    (
        "Amdahl's bound",
        "Threads, Serial share (%), Speedup",
        ["2, 10.0, 1.81x", "4, 10.0, 3.05x"],
        "8, 10.0, 6.21x",  # at most 1 / (0.1 + 0.9/8) = 4.71
        "8 processors can give a speedup of at most 4.7",
    ),
    (
        "the token bucket",
        "Baseline (IOPS), Burst duration at 3,000 IOPS (s), Time to refill (s)",
        ["300, 2000, 18000", "750, 2400, 7200"],
        "100, 1802, 54000",
        "would last 1,862 s at 3,000 IOPS, not 1802 s",
    ),
    (
        "a difference",
        "Case, Before (ms), After (ms), Difference (ms)",
        ["a, 103.7, 51.4, 52.3", "b, 87.1, 40.9, 46.2", "c, 64.4, 31.3, 33.1"],
        "d, 99.9, 45.5, 45.5",
        "99.9 ms - 45.5 ms is not 45.5 ms",
    ),
    (
        "a sum",
        "Case, Reads, Writes, Total",
        ["a, 1037, 514, 1551", "b, 871, 409, 1280", "c, 644, 313, 957"],
        "d, 999, 455, 1544",
        "999 + 455 does not add up to 1544",
    ),
    (
        "the same work in every row",
        "Site, Time (s), Rate (op/s)",
        ["a, 6941, 2593.3", "b, 7859, 2290.4", "c, 1679, 10720.7", "d, 1523, 11818.8"],
        "e, 1811, 8939.3",  # 18 million / 1811 s = 9939.3
        "but the other rows come to 18,0",
    ),
]
NAMES = [example[0] for example in EXAMPLES]


def example_table(heads, kept, missed=None):
    heads = heads.replace("Burst duration at 3,000", "Burst duration at 3000")
    return table_of(heads, *kept, *([missed] if missed else []))


def meanings(law):
    return {1: "duration"} if law == "the same work in every row" else None


@pytest.mark.parametrize(("law", "heads", "kept", "missed", "words"), EXAMPLES, ids=NAMES)
def test_a_law_is_kept_and_missed_where_it_is_by_hand(law, heads, kept, missed, words):
    clean = audit_text(example_table(heads, kept), chosen=meanings(law))
    assert clean.findings == []
    found = audit_text(example_table(heads, kept, missed), chosen=meanings(law))
    assert law in [each.name for finding in found.findings for each in finding.laws]
    assert {row for row, _ in blamed(found)} == {len(kept)}
    said = " ".join(finding.sentence for finding in found.findings)
    assert words.replace("3,000 IOPS", "3000 IOPS") in said


def test_every_law_says_its_formula_and_source_once():
    laws = explain()
    assert len({law["name"] for law in laws}) == len(laws)
    assert all(law["formula"] and law["source"] for law in laws)
    assert set(NAMES) <= {law["name"] for law in laws}


def test_requests_in_flight_below_the_clients_are_no_error_in_a_table_that_thinks_throughout():
    text = example_table(
        "Clients, Throughput (req/s), Mean latency (ms)",
        ["10, 9.81, 19.4", "20, 19.63, 19.7", "40, 39.17, 20.9", "80, 77.9, 27.1"],
    )
    found = audit_text(text)
    assert found.findings == []
    assert found.at(0, 2).state == "possible"


def test_two_rows_with_idle_clients_are_remarked_and_not_called_wrong():
    text = example_table(
        "Clients, Throughput (req/s), Mean latency (ms)", ["20, 13458.9, 1.016", "20, 12106.5, 1.1"]
    )
    found = audit_text(text)
    assert found.findings == []
    assert found.remarks == [
        "Little's law is used here only as an upper bound, because we don't assume that every "
        "client is always busy."
    ]


LITTLE = "Connections, Requests/sec, Avg Latency"


def test_a_bound_that_marks_every_row_needs_no_remark_on_what_it_leaves_out():
    found = audit_text(table_of(LITTLE, "50, 3624, 187.76 ms", "64, 9100, 120.10 ms"))
    assert len(found.findings) == 2
    assert found.remarks == []


def test_a_number_that_is_not_blamed_is_disputed_by_the_one_that_is():
    found = audit_text(table_of(LITTLE, "50, 3624, 12.1 ms", "50, 3624, 187.76 ms"))
    assert blamed(found) == [(1, 2)]
    assert found.at(1, 1).disputed
    assert found.at(1, 1).sentence == (
        "3624/s and 187.76 ms can't both be true for 50 clients. "
        "The audit marks Avg Latency as the likelier error."
    )


@pytest.mark.parametrize(
    ("heads", "row", "needed"),
    [
        (LITTLE, "10, 5000, 3.25 ms", "at most 2.00 ms"),
        (LITTLE, "64, 1.2M, 0.33 ms", "at most 0.0533 ms"),
        ("Run, p95, p99", "a, 3.00 ms, 2.90 ms", "at most 2.90 ms"),
        ("Run, p50, p95, p99", "a, 1.00 ms, 3.00 ms, 2.90 ms", "between 1.00 ms and 2.90 ms"),
    ],
)
def test_a_bound_is_what_the_printed_numbers_make_by_hand(heads, row, needed):
    (finding,) = audit_text(table_of(heads, row)).findings
    assert finding.needed[0][1] == needed


def test_what_is_allowed_is_a_bound_without_a_hidden_margin():
    found = audit_text(table_of(LITTLE, "100, 253000, 328 us"))
    assert found.at(0, 1).sentence == "The other cells allow at most 304,878/s."  # 100 / 328 us


def test_a_margin_that_a_number_needs_is_said():
    rows = ["8, 402.1, 19.9 ms", "16, 410.3, 39.2 ms", "32, 405.2, 79.0 ms"]
    found = audit_text(table_of(LITTLE, *rows))
    assert found.at(0, 1).sentence == "The other cells allow at most 402.0/s."
    assert found.at(1, 1).sentence == (  # 16 / 39.2 ms
        "The other cells allow at most 408.2/s. "
        "The printed number is off, but by no more than measurement error can explain."
    )


def test_more_in_flight_than_clients_may_be_pipelined_corrected_or_timed_out():
    (finding,) = audit_text(table_of(LITTLE, "50, 3624, 187.76 ms")).findings
    said = " ".join(finding.explanations)
    for words in ("HdrHistogram", "pipelining", "timeouts", "in place of 3624/s"):
        assert words in said


def test_numbers_of_wrk_are_judged_alike_in_a_table_and_in_its_own_output():
    text = "# Benchmark with wrk\n\n" + table_of(LITTLE, "50, 3624, 187.76 ms")
    found = audit_text(text)
    assert found.findings == []
    assert "wrk corrects its latencies" in found.remarks[0]
    assert len(audit_text(text, chosen={0: "clients"}).findings) == 1
    assert len(audit_text(text.replace("wrk", "wrkx")).findings) == 1


def test_a_think_time_that_is_printed_is_part_of_the_law():
    heads = "Clients, Throughput (req/s), Mean latency (ms), Think time (ms)"
    rows = ["10, 9.81, 19.4, 1000", "20, 19.61, 19.9, 1000", "40, 39.18, 20.9, 1000"]
    assert audit_text(example_table(heads, rows)).findings == []
    found = audit_text(example_table(heads, rows, "80, 57.9, 27.1, 1000"))
    assert {row for row, _ in blamed(found)} == {3}


def test_a_bandwidth_that_fits_with_binary_prefixes_is_possible_and_says_so():
    heads = "Block size (kB), IOPS, Bandwidth (MiB/s)"
    rows = ["4, 25613, 97.705", "8, 21311, 162.59"]
    text = example_table(heads, rows, "16, 9713, 151.77")  # KiB in that row
    found = audit_text(text)
    assert found.findings == []
    assert found.at(2, 2).sentence == "It fits if kB means KiB (1,024 bytes)."


def test_a_percentile_that_few_samples_cannot_know_is_said():
    text = example_table("Requests, p99.9 (ms)", ["211, 9.7"], "50311, 9.7")
    found = audit_text(text)
    assert found.findings == []
    assert "p99.9 (ms) of 211 samples is hardly different from their maximum" in found.remarks[0]


def test_what_fits_only_if_digits_were_cut_off_is_possible_and_says_so():
    heads = "Name, CPU time (ms), Calls, Mean CPU time (us)"
    rows = ["a, 9991.458, 63390, 157", "b, 845.869, 61041, 13", "c, 431.127, 5011, 86",
            "d, 72.301, 977, 74"]  # 157.6, 13.86, 86.04, 74.003  # fmt: skip
    found = audit_text(example_table(heads, rows))
    assert found.findings == []
    assert found.at(0, 3).state in ("follows", "possible")
    assert found.at(0, 1).sentence == "It fits only if digits were cut off rather than rounded."


STATUSES = "Status,Share\nok,{}%\ntimeout,18.9%\nerror,15.4%\n"
RUN_SHARES = "Run,Requests,Errors,Error share\na,400,300,75.0%\nb,500,300,60.0%\nc,200,90,45.0%\n"


def shares(share, chosen=None, rest=""):
    return audit_text(STATUSES.format(share) + rest, "shares.csv", chosen)


def test_shares_of_one_total_add_up_to_100_percent_at_most_where_the_reader_says_so():
    wrong = shares("71.2", {1: "share"})
    assert blamed(wrong)
    assert "add up to 105.5%, which is more than 100%" in wrong.findings[0].sentence
    for possible in ("65.7", "65.8", "12.0"):  # 65.8: 100.1%, of three numbers that were rounded
        assert not blamed(shares(possible, {1: "share"}))
    assert blamed(shares("65.9", {1: "share"}))
    without_signs = STATUSES.format(71.2).replace("%", "")
    assert blamed(audit_text(without_signs, "shares.csv", {1: "share"}))


def test_shares_that_are_only_guessed_to_be_of_one_total_get_a_hint_and_no_alarm():
    guessed = shares("71.2")
    assert not guessed.findings
    (hint,) = guessed.remarks
    assert "choose “share of a total” for that column, or add a row named Total" in hint
    assert not shares("65.7", rest="Total,100.0%\n").remarks


@pytest.mark.parametrize("chosen", [None, {3: "share"}])
def test_shares_that_each_row_computes_are_not_parts_of_one_total(chosen):
    audit = audit_text(RUN_SHARES, "runs.csv", chosen)
    assert not audit.findings
    assert not audit.remarks
