"""Logs as tables: what they become, what is refused, and that the fits read them."""

from collections import Counter
from pathlib import Path

import pytest

from tunables.base.user_data.load_tools import table_of_runs
from tunables.core.logs import as_table
from tunables.core.registry import fit_source
from tunables.page.chapters import find_chapter
from tunables.page.labs.your_numbers import list_fits

LOGS = sorted((Path(__file__).parent / "logs").glob("*.log"))
PGBENCH, NGINX = (Path(__file__).parent / "logs" / f"{name}.log" for name in ("pgbench", "nginx"))
SAMPLES = Path(__file__).parents[1] / "audit" / "samples"


@pytest.mark.parametrize("path", LOGS, ids=lambda path: path.stem)
def test_a_log_becomes_the_table_that_the_page_makes_of_it(path):
    text = path.read_text()
    assert as_table(text) == path.with_suffix(".csv").read_text()
    assert as_table(text.replace("\n", "\r\n")) == path.with_suffix(".csv").read_text()


def test_each_run_of_pgbench_has_the_clients_that_it_was_started_with():
    rows = as_table(PGBENCH.read_text()).split()[1:]
    assert Counter(row.split(",")[2] for row in rows) == {"1": 20, "2": 40, "4": 80}


def test_transactions_that_failed_have_no_time():
    log = "0 1 failed 0 1700000000 5\n0 2 1500 0 1700000000 9\n"
    assert as_table(log).split() == ["time_s,response_s,clients", "1700000000.000009,0.001500,1"]


def test_a_log_whose_only_statement_begins_with_an_empty_line_is_known():
    log = "UTC [7] LOG:  statement: \n\tselect 1\n\n\tfrom a\nUTC [7] LOG:  done\n\tall of it\n"
    assert as_table(log) == 'key\n"select 1 from a"\n'


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("0 1 1800 0 1700000000 12\n0 2 slow 0 1700000000 13\n", "line 2.*pgbench -l"),
        (NGINX.read_text() + "oops\n", "line 6.*nginx"),
    ],
)
def test_a_line_of_another_form_is_refused(text, words):
    with pytest.raises(ValueError, match=words):
        as_table(text)


def test_a_table_and_a_trace_stay_as_they_are():
    for text in ("clients,response_s\n1,2\n", "GET /a\nGET /b\n", "1 2 3\n", ""):
        assert as_table(text) == text


def test_the_fits_read_logs():
    commits = fit_source(1, PGBENCH)
    assert {parameter.name for parameter in commits.parameters} >= {"k", "F", "Z"}
    with pytest.raises(ValueError, match="timeout_s"):
        fit_source(2, PGBENCH)


def test_runs_that_load_tools_print_are_the_rows_of_a_table():
    text = (SAMPLES / "redis-benchmark.txt").read_text() + (SAMPLES / "wrk.txt").read_text()
    rows = table_of_runs(text).split()
    assert rows[0] == "clients,response_s,throughput_per_s"
    assert [row.split(",")[0] for row in rows[1:]] == ["20", "20", "8"]
    assert rows[-1] == "8,0.04402,162.42"
    with pytest.raises(ValueError, match="runs: 1, but at least 3"):
        fit_source(1, (SAMPLES / "wrk.txt").read_text())


def test_a_run_without_its_clients_is_refused():
    with pytest.raises(ValueError, match="line 2: this run of hey doesn't print clients"):
        table_of_runs((SAMPLES / "hey.txt").read_text())


BANNER = """     execution: local
     scenarios: (100.00%) 1 scenario, {0} max VUs, 1m0s max duration (incl. graceful stop):
              * default: {0} looping VUs for 30s (gracefulStop: 30s)
"""
PROGRESS = "running (0m30.0s), 00/{0} VUs, 9 complete\ndefault ✓ [====] {0} VUs  30s\n"
MANY_SECONDS = "running (0m01.0s), 9/9 VUs, 3 complete\ndefault   [   3% ] 9 VUs  01.0s/30s\n" * 300
HTTP = [
    "     http_req_blocked...............: avg=12µs   min=1µs   med=4µs",
    "   ✓ http_req_duration..............: avg={1}ms min=2.1ms max=191.3ms p(95)=13.32ms",
    "       {{ expected_response:true }}...: avg=1ms  min=2.1ms max=191.3ms p(95)=13.32ms",
    "     http_reqs......................: 3994   {2}/s",
]
VUS = ["     vus............................: {0}   min={0} max={0}"]
FULL = [
    "  █ TOTAL RESULTS",
    "    HTTP",
    *HTTP,
    "    EXECUTION",
    *VUS,
    "  █ GROUP: login",
    "    HTTP",
    "    http_req_duration..............: avg=99ms min=2.1ms max=191.3ms p(95)=13.32ms",
    "    http_reqs......................: 3      99/s",
]
K6 = {
    "bare summaries": HTTP + VUS,
    "another order": VUS + HTTP[::-1],
    "with banner and progress": [BANNER, *HTTP, *VUS, PROGRESS],
    "progress before the summary": [BANNER, PROGRESS, *HTTP, *VUS],
    "progress of minutes": [BANNER, MANY_SECONDS, *HTTP, *VUS],
    "groups of version 1": FULL,
    "virtual users that end one by one": [
        BANNER,
        *HTTP,
        "     vus............................: 1   min=1 max={0}",
    ],
}
RUNS = [(1, "7.01", "133.1"), (5, "7.05", "662.2"), (10, "7.10", "1315.7"), (20, "7.20", "2597.4")]


@pytest.mark.parametrize("form", K6)
def test_each_printout_of_k6_is_a_row_with_its_own_numbers(form):
    text = "\n".join("\n".join(K6[form]).format(*run) for run in RUNS)
    wanted = [f"{users},{float(ms) / 1000:g},{rate}" for users, ms, rate in RUNS]
    assert table_of_runs(text).split()[1:] == wanted


def test_printouts_that_lack_something_are_named():
    """Also one that was cut after its banner, and one of wrk that reached no server."""
    good = [BANNER, *HTTP, *VUS]
    ramping = [BANNER.replace(": {0} looping", ": Up to {0} looping"), *HTTP]
    runs = [good, [BANNER], ramping, good]
    text = "\n".join("\n".join(lines).format(*RUNS[1]) for lines in runs)
    text += "\nRunning 30s test @ http://localhost/\nunable to connect"
    with pytest.raises(ValueError, match="doesn't print") as error:
        table_of_runs(text)
    assert str(error.value).startswith(
        "line 10: this run of k6 doesn't print clients, response_s, throughput_per_s; "
        "line 14: this run of k6 doesn't print clients; line 31: this run of wrk doesn't print"
    ), str(error.value)


def test_the_page_says_which_logs_a_fit_reads():
    reads = {offer["chapter"]: offer["reads"] for offer in list_fits()}
    first, third, fifth = (reads[find_chapter(number).slug] for number in (1, 3, 5))
    assert "pgbench -l" in first
    assert "nginx" in third
    assert fifth == ""
