"""Names for the expressions in the text of chapter 6, its lab and its lesson."""

import re
from functools import cache
from itertools import pairwise

import numpy as np

from tests.chapters.notebooks import ROOT, solution
from tests.chapters.words import words
from tests.evidence.quagga_tables import thread_cpu, work_queues
from tunables.chapters.work_queues.calibration import (
    CONNECT_RETRY_S,
    IMPORT_PERIOD_S,
    clear_queue,
    item_bounds,
    read_clocks,
    split_bounds,
    steal,
)
from tunables.chapters.work_queues.case import case
from tunables.chapters.work_queues.predictor import BATCH, predict
from tunables.core.ledger import freedom
from tunables.core.registry import cards
from tunables.evidence.published import published
from tunables.page.formats import with_commas
from tunables.simulators.work_queue import drain_work_queue
from tunables.theory.slicing import (
    cycles_per_run,
    expected_unique_fraction,
    hold_timer_expiry_probability,
    unique_fraction_alone,
)

CHAPTER = ROOT / "chapters" / "06-work-queues.ipynb"
RULES = ("2005-05-06", "2005-05-23", "2010")

# What the post prints.
CLAIMS = {row_id: record.value for row_id, record in published("quagga-prose").items()}
CPU = [{row["thread"]: row for row in table} for table in thread_cpu()]
BEFORE, AFTER = (table["work_queue_run"] for table in CPU)
MAIN = [{row["name"]: row for row in table}["process_main_queue"] for table in work_queues()]
LARGER_FEED = max(
    published("quagga-bgp-summary")[f"summary-1-neighbour-{host}-prefixes"].value
    for host in (23, 18)
)
CLOCKS = read_clocks()
UP_AGAIN_S, OTHER_UP_AGAIN_S = (CLOCKS.up_again_s[host] for host in (23, 18))
HOLD_S = MAIN[0]["hold_ms"] / 1000  # of the main queue

# The clear queue, as printed and fitted.
QUEUE = clear_queue()
FIRST, SECOND, *_, LAST = QUEUE.snapshots
ITEMS = QUEUE.fit.items
LEAST_ITEMS, MOST_ITEMS = item_bounds(QUEUE.snapshots)
CLEARING_S = QUEUE.clearing_s
COST_US = [1e6 * cost_s for cost_s in QUEUE.fit.mean_costs_s]
CLOSED = predict(**case().settings())
CARD = cards()["work_queues"].model.predict(**cards()["work_queues"].model.settings())

# Both queues, between the two tables of CPU times.
RUNS = AFTER["invoked"] - BEFORE["invoked"]
WALL_S = (AFTER["wall_avg_us"] * AFTER["invoked"] - BEFORE["wall_avg_us"] * BEFORE["invoked"]) / 1e6
MAIN_RUNS, MAIN_S = RUNS - LAST.runs, WALL_S - CLEARING_S
MAIN_MOST_S = split_bounds(WALL_S, LAST.runs)[1][1]


def cpu_s(thread="work_queue_run"):
    """Return the CPU time of a thread between the two tables."""
    return (CPU[1][thread]["runtime_ms"] - CPU[0][thread]["runtime_ms"]) / 1000


SHARE = cpu_s() / WALL_S  # of the time of slices, on the CPU

# The ledger.
LEDGER = freedom(case())


def numbers_with(status):
    return sum(number.status == status for number in case().numbers)


def taken(snapshot):
    """Return the least and the most items that a print allows: the average is rounded down."""
    average = snapshot.cycles_per_run
    return snapshot.runs * average, snapshot.runs * (average + 1) - 1


def one_session_s():
    return predict(**case().settings(items=160_000))["blocked_s"]


def fixed_slice_ms(granularity):
    """Return the mean slice of the clear queue's items if the granularity stays as it is, in ms."""
    return 1e3 * predict(**case().settings(rule="fixed", granularity=granularity))["slice_s"]


def quantum_for_four_s():
    """Return the quantum with which timers are as late with four queues as with one at 10 ms."""

    def lateness_s(quantum_s):
        return predict(**case().settings(queues=4, quantum_s=quantum_s))["lateness_s"]

    steps = [n / 10_000 for n in range(10, 100)]  # tenths of a millisecond
    return min(steps, key=lambda each: abs(lateness_s(each) - CLOSED["lateness_s"]))


def bounded_slice_s(quantum_s, item_s=1e-3):
    """Return the longest that a slice lasts if the granularity stays within the card's bound."""
    return quantum_s + CARD["bound"] * item_s


def before_the_seam_us():
    """Return what an item costs before the seam, if behind it one costs as much as after print 2.

    The seam is in the middle of the queue, between prints 1 and 2.
    """
    first, second, seam = ITEMS - FIRST.items, ITEMS - SECOND.items, ITEMS / 2
    assert first < seam < second
    behind = (second - seam) / (second - first)
    return (COST_US[1] - behind * COST_US[2]) / (1 - behind)


ONE_COST_US = 178  # with which the last line of the clear queue is matched


@cache
def at_one_cost():
    """Return the drain of the clear queue if every item costs the same."""
    return drain_work_queue(np.full(ITEMS, 1e-6 * ONE_COST_US))


@cache
def theft(**values):
    """Return the fit of the rival, also at another cost of an item or length of a theft."""
    return steal(QUEUE.snapshots, ITEMS, **values)


def main_queue_percent(fit):
    """Return the share of the processor that the main queue would have needed beside that fit."""
    return 100 * (cpu_s() - fit.cpu_s) / (WALL_S - fit.wall_s)


def one_block_ms(granularity, longest):
    """Return the most that a block took, at one cost, in ms.

    A run of `longest` items, three blocks, had passed its second look within 10 ms.
    """
    return granularity * 10 / (longest * 2 / 3)


def jump():
    """Return the prints of the main queue between which its Best went up."""
    return next(pair for pair in pairwise(MAIN) if pair[1]["best"] > pair[0]["best"])


def jump_granularities():
    """Return the odd granularities in between at which a run can have been that Best."""
    low, high = (table["granularity"] for table in jump())
    return [g for g in range(low, high, 2) if jump()[1]["best"] % g == 0]


def earlier_block():
    """Return the largest granularity so far of which the main queue's first Best is a multiple."""
    first = MAIN[0]
    return max(g for g in range(1, first["granularity"], 2) if first["best"] % g == 0)


@cache
def of_217_us(rule):
    """Return the drain of the exercise with three rules."""
    return drain_work_queue(np.full(305_620, 217e-6), rule=rule)


# Cheap items, then dear ones.


def cheap_then_dear(rule="2005-05-06"):
    return drain_work_queue(np.repeat([5e-6, 1e-3], [200_000, 2_000]), rule=rule)


@cache
def longest_ms(rule):
    return 1000 * cheap_then_dear(rule).slice_s.max()


@cache
def tamed():
    """Return the drain by the rule that the solution gives."""
    [rule] = re.findall(r"rule=(lambda [^`]+)\)`", solution(CHAPTER, "quagga-ratchet"))
    return cheap_then_dear(eval(rule))


# The lesson.
EXIT_GRANULARITY = 9  # the exit question's own


def expiry_percent(neighbours):
    """Return how likely a block of 40 s drops a session, with timers of 15 and 45 s."""
    return 100 * hold_timer_expiry_probability(40, 15, 45, neighbours)
