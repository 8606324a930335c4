"""Names for the expressions in the text of chapter 4, its lab and its lesson.

A tuple of times or the like has its classes as fields. Times are in seconds, and with or without
stands for with or without DPP, as in the report.
"""

import json
import re
from functools import cache
from itertools import product
from math import ceil, floor, sqrt
from typing import NamedTuple

import numpy as np

from tests.chapters.notebooks import ROOT, cells
from tests.chapters.signs import minus, signed
from tests.chapters.words import words
from tunables.chapters.flow_priority.calibration import (
    calibrate,
    constant_ratio,
    data,
    fitted_settings,
    goodput_bps,
    least_squares_fit,
    left_by_price,
    line_that_drops,
    published_times,
    savings_s,
    users_bound,
    wait_and_price,
)
from tunables.chapters.flow_priority.case import (
    AS_REPORTED,
    BUFFERS_MB,
    OUTLASTING,
    TIMEOUTS_MS,
    case,
    percents_left,
    savings_ms,
    stored_runs,
)
from tunables.chapters.flow_priority.predictor import (
    ALONE_S,
    CLASSES,
    HEADER_BYTES,
    SIZE_BYTES,
    TRANSACTIONS,
    latencies,
    predict,
)
from tunables.chapters.flow_priority.simulation import delays_of, play
from tunables.core.ledger import freedom
from tunables.core.registry import find_animation
from tunables.page.formats import with_commas
from tunables.simulators.flows import simulate_flows
from tunables.theory.shared_port import completion_times, fifo_response
from tunables.views.animation import stills_path

CHAPTER = ROOT / "chapters" / "04-flow-priority.ipynb"
EVIDENCE = ROOT / "book" / "evidence" / "04-flow-priority.ipynb"


class Classes(NamedTuple):
    """A number for each class, in the order of `CLASSES`."""

    extra_small: float
    small: float
    medium: float
    large_1: float
    large_2: float


class Small(NamedTuple):
    """A number for each small class."""

    extra_small: float
    small: float
    medium: float


# What the report prints.
WITHOUT, WITH = Classes(*published_times("without")), Classes(*published_times("with"))
SIZE, COUNT = Classes(*SIZE_BYTES), Classes(*TRANSACTIONS)
SLOWDOWN = Classes(*(w / a for w, a in zip(WITHOUT, ALONE_S, strict=True)))
SAVED_MS = Small(*(1e3 * saved_s for saved_s in savings_s()))
USER_GB = sum(size * n for size, n in zip(SIZE_BYTES, TRANSACTIONS, strict=True)) / 1e9
CYCLE_MS = 300e3 / COUNT.extra_small  # of a user of extra small
SLOPE_NS = 1e6 * (SAVED_MS.medium - SAVED_MS.extra_small) / (SIZE.medium - SIZE.extra_small)
INTERCEPT_MS = SAVED_MS.extra_small - 1e-6 * SLOPE_NS * SIZE.extra_small


def column(settings, which, **changes):
    answered = predict(**(settings | changes))
    return Classes(*(answered[f"{name}_{which}_s"] for name in CLASSES))


# What the four structures say.
S0, S1, M4, M5 = (fitted_settings()[structure] for structure in ("S0", "S1", "M4", "M5"))
SHARING, SHARING_WITH = column(S0, "without"), column(S0, "with")
ONE_WAIT, ONE_WAIT_WITH = column(S1, "without"), column(S1, "with")
MODEL, MODEL_WITH = column(M4, "without"), column(M4, "with")
ONE_RESIDUAL, ONE_RESIDUAL_WITH = column(M5, "without"), column(M5, "with")
AT_MTU_1500 = column(M4, "with", mtu_bytes=1500)
TEN_USERS = S0 | {"users": 10}
RATE_GBPS = M4["port_rate_gbps"]
RATE_BPS = 1e9 * RATE_GBPS
ONE_WAIT_MS, WAIT_MS = (1e3 * settings["queueing_delay_s"] for settings in (S1, M4))
RESIDUAL_MS = Small(*(1e3 * M4[f"{name}_residual_s"] for name in CLASSES[:3]))
THINK_MS = Small(*(1e3 * delay_s for delay_s in delays_of(20, RATE_GBPS)[:3]))
LOST = Classes(*(a - b for a, b in zip(MODEL_WITH, MODEL, strict=True)))  # through DPP
RATIO = Small(*constant_ratio())
DROPPING = Small(*line_that_drops())
DROPPING_WAIT_MS, DROPPING_PRICE_MS = (1e3 * each for each in wait_and_price())
LEDGER = freedom(case())
CALIBRATED = sum(number.status == "calibrated" for number in case().numbers)
IN_TABLE_2 = [label for label in LEDGER.fitted if not label.startswith("delay of")]


def percent(modelled, measured):
    """Return by how many % the first is above the second."""
    return 100 * (modelled / measured - 1)


def rms(errors):
    return sqrt(sum(error**2 for error in errors) / len(errors))


def rms_percent(times):
    """Return the root mean square error of small and medium without DPP, in %."""
    return rms([percent(t, w) for t, w in zip(times[1:3], WITHOUT[1:3], strict=True)])


@cache
def least_squares_errors():
    best = least_squares_fit(WITHOUT, WITH, M5)
    modelled = column(best, "without") + column(best, "with")
    return [percent(m, p) for m, p in zip(modelled, WITHOUT + WITH, strict=True)]


@cache
def twelve_users():
    """Return the model's settings, fitted with 12 users a database."""
    return calibrate(WITHOUT, WITH, users=12)["M4"]


def moved_by_twelve_users():
    """Return the most seconds by which a time changes if the model is fitted with 12 users."""
    pairs = zip(column(twelve_users(), "without"), MODEL, strict=True)
    return max(abs(twelve - twenty) for twelve, twenty in pairs)


def users_at_most(mtu_bytes):
    return users_bound(goodput_bps(10e9, mtu_bytes), WITH.large_2)


def payload_gbps(mtu_bytes):
    return goodput_bps(10e9, mtu_bytes) / 1e9


def packets(size_bytes, mtu_bytes):
    return -(-int(size_bytes) // (mtu_bytes - HEADER_BYTES))


def share_ahead(size_bytes):
    """Return the % of a transaction's packets that go ahead with an MTU of 1500."""
    return 100 * min(1, 20 / packets(size_bytes, 1500))


def priority_load():
    """Return the % of the port that priority traffic takes with DPP."""
    sent = zip(SIZE_BYTES[:3], TRANSACTIONS, WITH, strict=False)
    return 100 * sum(160 * size * n / time for size, n, time in sent) / RATE_BPS


def byte_ns(smaller, larger):
    """Return what a byte costs in the model without DPP, in ns, between two classes."""
    saved = [
        (getattr(MODEL, name) - getattr(MODEL_WITH, name)) / getattr(COUNT, name)
        for name in (smaller, larger)
    ]
    return 1e9 * (saved[1] - saved[0]) / (getattr(SIZE, larger) - getattr(SIZE, smaller))


def rounding_ms():
    """Return the blur of each saving: each of the two times is within half a second."""
    return [1e3 * (0.5 + 0.5) / count for count in COUNT[:3]]


def open_s():
    """Return the seconds that sharing leaves open of each small class, without DPP."""
    return [w - s for w, s in zip(WITHOUT[:3], SHARING, strict=False)]


@cache
def srpt():
    rate_gbps = S0["port_rate_gbps"]
    work = ([20] * 5, SIZE_BYTES, TRANSACTIONS, delays_of(20, rate_gbps), 1e9 * rate_gbps)
    return Classes(*simulate_flows(*work, "srpt", seed=1))


# What fourteen packets of fifteen leave of medium's gain.


@cache
def left_by_equal_shares():
    """Return the % that is left if the slow queue shares the port."""
    ahead, residuals = 14 * 8948, [M4[f"{name}_residual_s"] for name in CLASSES[:3]]
    extra = latencies("M4", SIZE_BYTES, ahead, M4["queueing_delay_s"], residuals, 0)
    work = ([20] * 5, SIZE_BYTES, TRANSACTIONS, delays_of(20, RATE_GBPS), RATE_BPS)
    fourteen = completion_times(*work, extra, ahead)[2]
    return 100 * (MODEL.medium - fourteen) / (MODEL.medium - MODEL_WITH.medium)


def left(buffer_mb, timeout_ms, large_times=OUTLASTING):
    """Return the % that is left in the packet simulation, the mean of its seeds, rounded."""
    percents = percents_left(large_times, buffer_mb, timeout_ms)
    return round(sum(percents) / len(percents))


def every_left():
    return [left(*each) for each in product(BUFFERS_MB, TIMEOUTS_MS)]


def most_left_in_the_first_edition():
    """Return the most that is left in any run of the three cells that it knew."""
    return max(percent for b in (1, 5, 20) for percent in percents_left(AS_REPORTED, b, 200))


def all_ahead():
    """Return medium's seconds in every run with all of its packets ahead."""
    return [
        r.medium_s
        for r in stored_runs().values()
        if r[:1] == (OUTLASTING,) and r.packets_ahead == 20
    ]


def simulations():
    return list(product((AS_REPORTED, OUTLASTING), BUFFERS_MB, TIMEOUTS_MS))


def off_all_savings(setting):
    """Return by how much the savings of a setting miss the published ones, in %, at most."""
    pairs = zip(savings_ms(*setting), SAVED_MS, strict=True)
    return max(abs(percent(simulated, published)) for simulated, published in pairs)


def nearest_savings():
    return min(map(off_all_savings, simulations()))


def like_the_report():
    """Return the savings of a setting, whose ratios are like the report's."""
    return Small(*savings_ms(OUTLASTING, 12.0, 100))


# What the chapter's outputs and animation show.


@cache
def packet_rows():
    """Return the printed rows of the packet simulation: a pair without, with DPP for each class."""
    [cell] = [cell for cell in cells(EVIDENCE, "code") if "swing = tuple" in cell["source"]]
    text = "".join(cell["outputs"][0]["data"]["text/plain"])
    rows = [re.findall(r"(\d+) / (\d+)", line) for line in text.splitlines() if "MTU" in line]
    return [[(int(none), int(with_dpp)) for none, with_dpp in row] for row in rows if row]


def swing(which):
    """Return the times of extra small in the packet simulation, without (0) or with DPP (1)."""
    return [extra_small[which] for extra_small, *_ in packet_rows()]


def settings_where_large_gain():
    """No order of sending makes large flows gain, but fewer losses do."""
    return [row for row in packet_rows() if any(with_dpp < none for none, with_dpp in row[3:])]


def moments_us(replay):
    came = np.cumsum(replay["offered"])
    on_wire = came + replay["waits"]
    return came, on_wire, on_wire + replay["takes"]


def durations_ms(replay):
    """Return how long each of the watched user's completed transactions took."""
    came, _, left = moments_us(replay)
    mine = np.flatnonzero(np.array(replay["user"]) == replay["watched"])
    last = mine[np.array(replay["number"])[mine] == replay["packets"] - 1]
    first = mine[np.array(replay["number"])[mine] == 0][: len(last)]
    ended = left[last] < replay["end"]
    return (left[last] - came[first])[ended] / 1e3


def find_bookmark(name):
    return next(each for each in find_animation("dpp").bookmarks if each.name == name)


@cache
def took_ms(bookmark):
    """Return how long the second transaction takes at a bookmark of the animation."""
    return durations_ms(play(**find_bookmark(bookmark).settings))[1]


def packets_before_the_fifteenth():
    """Return how many packets the first still has in the ordinary queue before number 15."""
    [still, *_] = json.loads(stills_path("dpp").read_text(encoding="utf-8"))["dpp"]
    [found] = re.findall(
        r"packet 15 is behind (\d+) others in the ordinary queue", still["sentence"]
    )
    return found


# The backlog of the lab.
BACKLOG_S, OWN_S, PAUSE_S = 4 * 16 * 9000 * 8 / 200e6, 2 * 8 * 210e3 / 200e6 / 6, 0.04


def response_ms(users, backlog_s=BACKLOG_S):
    """Return the theory's response behind the backlog, in ms."""
    return 1e3 * fifo_response(backlog_s, users * OWN_S, PAUSE_S, users)
