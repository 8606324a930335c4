"""The parsers on the published tables, printed again from data/, and on current FRRouting."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.evidence.quagga_tables import (
    CPU_HEADING,
    QUEUE_HEADING,
    print_session,
    print_thread_cpu,
    print_work_queues,
    thread_cpu,
    work_queues,
)
from tunables.evidence.quagga import parse_thread_cpu, parse_work_queues

CPU_ROW = "      3.999         1     3999      3999     4379      4379 R      vty_accept\n"
QUEUE_ROW = "   20146      0   100      7018       81     29     42 clear_route_node\n"

FRR_CPU = """
bgpd# show event cpu

Showing statistics for pthread main
-----------------------------------
                               CPU (user+system): Real (wall-clock):
Active   Runtime(ms)   Invoked Avg uSec Max uSecs Avg uSec Max uSecs  CPU_Warn Wall_Warn Starv_Warn   Type  Event
    0          0.181         3       60        92       61        92         0         0          0    T    bgp_routeadv_timer
    1       1519.222       132    11509     14401    11622     15033         2         3          4     E   work_queue_run

Showing statistics for pthread bgpd I/O
---------------------------------------
                               CPU (user+system): Real (wall-clock):
Active   Runtime(ms)   Invoked Avg uSec Max uSecs Avg uSec Max uSecs  CPU_Warn Wall_Warn Starv_Warn   Type  Event
No data to display yet.


Total Event statistics
-------------------------
                               CPU (user+system): Real (wall-clock):
Active   Runtime(ms)   Invoked Avg uSec Max uSecs Avg uSec Max uSecs  CPU_Warn Wall_Warn Starv_Warn   Type  Event
    1       1519.403       135    11254     14401    11365     15033         2         3          4  RWTEX  TOTAL
"""  # noqa: E501

FRR_QUEUES = """
frr# show work-queues
Work queue statistics for zebra:
           List  (ms)   Q. Runs   Yields      Cycle Counts   \x20
P    Items  Hold    Total    Total    Best   Gran.    Total   Avg. Name
         0    10      120        0       7      1      455      3 route_node processing
Work queue statistics for bgpd:
           List  (ms)   Q. Runs   Yields      Cycle Counts   \x20
P    Items  Hold    Total    Total    Best   Gran.    Total   Avg. Name
P   159880    50      132      131    9216   1024   160000   1212 process_queue (null)
         2  1000        5        1     512    256      700    140 clear_route_node
"""


def test_the_published_session_gives_exactly_the_numbers_of_data():
    assert parse_thread_cpu(print_session()) == thread_cpu()
    assert parse_work_queues(print_session()) == work_queues()


def test_the_published_tables_have_their_rows():
    assert [len(table) for table in parse_thread_cpu(print_session())] == [18, 19]
    assert [len(table) for table in parse_work_queues(print_session())] == [3] * 9


@pytest.mark.parametrize("end", ["\r\n", "\r", " \n", "\n\n"])
def test_line_ends_and_blank_lines_change_nothing(end):
    text = print_session().replace("\n", end)
    assert parse_thread_cpu(text) == thread_cpu()
    assert parse_work_queues(text) == work_queues()


def test_prompts_around_a_table_are_no_part_of_it():
    text = f"bgpd# show work-queues\n{QUEUE_HEADING}{QUEUE_ROW}bgpd# show ip bgp\n42 routes\n"
    assert parse_work_queues(text) == [
        [
            {
                "items": 20146,
                "delay_ms": 0,
                "hold_ms": 100,
                "runs": 7018,
                "best": 81,
                "granularity": 29,
                "cycles_per_run": 42,
                "plugged": False,
                "name": "clear_route_node",
            }
        ]
    ]


def test_current_frr_prints_a_table_for_each_posix_thread_and_one_for_the_total():
    main, total = parse_thread_cpu(FRR_CPU)
    assert [row["thread"] for row in main] == ["bgp_routeadv_timer", "work_queue_run"]
    assert main[1] == {
        "active": 1,
        "runtime_ms": 1519.222,
        "invoked": 132,
        "cpu_avg_us": 11509,
        "cpu_max_us": 14401,
        "wall_avg_us": 11622,
        "wall_max_us": 15033,
        "cpu_warnings": 2,
        "wall_warnings": 3,
        "starvation_warnings": 4,
        "types": "E",
        "thread": "work_queue_run",
    }
    assert [(row["thread"], row["types"]) for row in total] == [("TOTAL", "RWTEX")]


def test_frr_before_8_1_has_no_warnings():
    text = """
      CPU (user+system): Real (wall-clock):
Active   Runtime(ms)   Invoked Avg uSec Max uSecs Avg uSec Max uSecs  Type  Thread
    2     549346.000   2997298      183      7000      153     20242 R W    bgp_process_reads
"""
    row = parse_thread_cpu(text)[0][0]
    assert (row["active"], row["types"], "cpu_warnings" in row) == (2, "RW", False)


def test_frr_8_4_forgets_a_word_of_the_total_and_puts_names_in_brackets():
    text = """
Active   Runtime(ms)   Invoked Avg uSec Max uSecs Avg uSec Max uSecs  CPU_Warn Wall_Warn Starv_Warn Type   Thread
    0        152.789        84     1818      6379     2198     14204         1         2          3    T    (bgp_generate_updgrp_packets)

Total thread statistics
Active   Runtime(ms)   Invoked Avg uSec Max uSecs Avg uSec Max uSecs  CPU_Warn Wall_Warn  Type  Thread
    5       7794.059       902     8640    102837    12253    149834         1         2          3  RWTEX  TOTAL
"""  # noqa: E501
    (row,), (total,) = parse_thread_cpu(text)
    assert row["thread"] == "(bgp_generate_updgrp_packets)"
    assert row.keys() == total.keys()
    assert (total["wall_warnings"], total["starvation_warnings"]) == (2, 3)


def test_current_frr_queues_have_yields_cycles_a_flag_and_names_of_two_words():
    zebra, bgpd = parse_work_queues(FRR_QUEUES)
    assert [row["name"] for row in zebra] == ["route_node processing"]
    assert bgpd[0] == {
        "items": 159880,
        "hold_ms": 50,
        "runs": 132,
        "yields": 131,
        "best": 9216,
        "granularity": 1024,
        "cycles": 160000,
        "cycles_per_run": 1212,
        "plugged": True,
        "name": "process_queue (null)",
    }
    assert not bgpd[1]["plugged"]


def test_later_quagga_has_no_delay():
    text = (
        "      List (ms)  Q. Runs       Cycle Counts   \n"
        "P    Items  Hold    Total    Best  Gran.   Avg. Name\n"
        "         5    50       12      90      9      8 process_main_queue\n"
    )
    assert "delay_ms" not in parse_work_queues(text)[0][0]


@pytest.mark.parametrize("cut", range(1, 8))
def test_a_truncated_row_is_refused_with_its_line(cut):
    cpu_row = " ".join(CPU_ROW.split()[:cut])
    with pytest.raises(ValueError, match=r"text, line 4: .*whole row of 'show thread cpu'"):
        parse_thread_cpu(CPU_HEADING + CPU_ROW + cpu_row)
    queue_row = " ".join(QUEUE_ROW.split()[:cut])
    with pytest.raises(ValueError, match=r"text, line 4: .*whole row of 'show work-queues'"):
        parse_work_queues(QUEUE_HEADING + QUEUE_ROW + queue_row)


@pytest.mark.parametrize(
    ("parse", "text", "message"),
    [
        (parse_thread_cpu, "", "text, lines 1 to 0: must hold a table of 'show thread cpu'"),
        (parse_thread_cpu, QUEUE_HEADING + QUEUE_ROW, "lines 1 to 3: must hold a table"),
        (parse_work_queues, CPU_HEADING + CPU_ROW, "lines 1 to 3: must hold a table"),
        (parse_thread_cpu, CPU_HEADING, "text, lines 1 to 2: must hold a table"),
        (parse_thread_cpu, CPU_ROW, "text, line 1: .* must come under a heading"),
        (parse_work_queues, "\n" + QUEUE_ROW, "text, line 2: .* must come under a heading"),
        (
            parse_thread_cpu,
            CPU_HEADING + CPU_ROW + "more\n" + CPU_ROW,
            "text, line 5: .* must come under a heading",
        ),
        (parse_thread_cpu, CPU_HEADING + CPU_ROW.replace("4379", "4e3", 1), "text, line 3: "),
        (parse_thread_cpu, CPU_HEADING + CPU_ROW.replace(" R ", " Q "), "text, line 3: "),
        (parse_work_queues, QUEUE_HEADING + QUEUE_ROW.replace(" 81", " -1"), "text, line 3: "),
        (parse_work_queues, QUEUE_HEADING + "1 " + QUEUE_ROW, "text, line 3: .* 7 numbers"),
        (
            parse_work_queues,
            QUEUE_HEADING.replace("Best", "Worst") + QUEUE_ROW,
            "text, line 2: .*unknown heading: 'Worst'",
        ),
        (parse_work_queues, None, "text = None: must be a string"),
        (parse_thread_cpu, b"Runtime(ms)", "text = b'Runtime.*: must be a string"),
    ],
)
def test_refuses(parse, text, message):
    with pytest.raises(ValueError, match=message):
        parse(text)


names = st.from_regex(r"[a-z_]{1,12}", fullmatch=True)
counts = st.integers(0, 10**9)


@settings(deadline=None, derandomize=True, max_examples=100)
@given(st.lists(st.tuples(counts, counts, counts, names), min_size=1, max_size=8))
def test_what_is_printed_is_read_again(rows):
    table = [
        {
            "runtime_ms": runtime / 1000,
            "invoked": invoked,
            "cpu_avg_us": other,
            "cpu_max_us": other,
            "wall_avg_us": other,
            "wall_max_us": other,
            "types": "WT",
            "thread": name,
        }
        for runtime, invoked, other, name in rows
    ]
    assert parse_thread_cpu(print_thread_cpu(table)) == [table]


@settings(deadline=None, derandomize=True, max_examples=100)
@given(st.text(max_size=300), st.integers(0, 400))
def test_any_damage_gives_a_table_or_a_value_error(noise, place):
    table = work_queues()[0]
    text = print_work_queues(table)
    damaged = text[:place] + noise + text[place:]
    try:
        tables = parse_work_queues(damaged)
    except ValueError as error:
        tables, message = [], str(error)
    assert all(tables) if tables else message.startswith("text, line")
