"""Runs of a simulation in the page, and their comparison at two settings; JSON in, JSON out.

A request asks for one replication, so that progress and the interval appear after each. Two
settings are compared with common random numbers, or each with its own.
"""

import json
import math

from tunables.base.arguments import choice, integer, number
from tunables.base.statistics import confidence_interval, interval
from tunables.page.explorer import check_state, finite, load_function
from tunables.page.formats import (
    in_every_run,
    interval_text,
    rounded,
    shortest,
    with_commas,
)
from tunables.page.requests import entries, in_words, reply_to

SERIES = ("A", "1/√runs, starting at A's first value", "B − A")  # names in the chart of half-widths
APART = 1000  # seeds between two settings with independent random numbers


def first_seeds(seed, replications, common=True) -> list:
    """Return the seeds of the first run at both settings; the runs after it take the next ones.

    A seed s stands for the runs from n s on, n = replications, as in `Simulation`. Independent
    numbers for the second setting come from a seed far away: up to 1000 n runs share none.

    >>> first_seeds(1, 20, True), first_seeds(1, 20, False)
    ([20, 20], [20, 20020])
    """
    return [replications * seed, replications * (seed if common else seed + APART)]


def compare_runs(first, second) -> list:
    """Return mean and half-width of the runs at both settings, and of their differences.

    first, second: m >= 2 results each, in the order of the runs. The difference second - first
    is taken run by run, so its interval holds with common random numbers as without.

    >>> compare_runs([1.0, 2.0, 3.0], [2.0, 3.0, 4.0])[2]
    (1.0, 0.0)
    """
    differences = [b - a for a, b in zip(first, second)]
    return [confidence_interval(samples) for samples in (first, second, differences)]


def verdict(difference) -> str:
    """Say what a difference, given as mean and half-width, shows.

    >>> [verdict(each) for each in ((3.0, 1.0), (-3.0, 1.0), (1.0, 3.0))]
    ['B is above A', 'B is below A', 'no clear difference yet']
    """
    mean, half_width = difference
    if abs(mean) <= half_width and half_width > 0:
        return "no clear difference yet"
    return "B is above A" if mean > 0 else "B is below A" if mean < 0 else "A and B are equal"


def two_digits(value) -> str:
    """Return a positive number with two significant digits, and 0 as 0.

    >>> two_digits(0.0000354), two_digits(0.005), two_digits(123.4)
    ('0.000035', '0.0050', '123')
    """
    return with_commas(value, max(0, 1 - math.floor(math.log10(value)))) if value else "0"


def interval_words(interval) -> str:
    """Return mean and half-width, to two digits of the half-width.

    >>> interval_words((6.15423, 0.00110)), interval_words((4.0, 0.0))
    ('6.1542 ± 0.0011', '4 in every run')
    """
    mean, half_width = interval
    if half_width == 0:
        return in_every_run(shortest(mean))
    text = two_digits(half_width)
    return f"{with_commas(mean, len(text.partition('.')[2]))} ± {text}"


def steps(runs) -> list:
    """Return the numbers of runs at which a half-width is shown: 5, 10, 20, ..., and the last.

    >>> steps(13), steps(20)
    ([5, 10, 13], [5, 10, 20])
    """
    shown, step = [], 5
    while step < runs:
        shown.append(step)
        step *= 2
    return shown + [runs]


def summarize_comparison(first, second) -> dict:
    """Return what a reader sees of the runs at A and B so far, at least one each.

    "texts" are the intervals of A, B and the difference; "widths" the half-widths of A and of
    the difference after ever more runs, as text, and that of A times the root of the runs;
    "points" the half-widths for a chart, and where A's would be if it fell with that root.
    """
    if len(first) == 1:
        texts = [shortest(samples[0]) for samples in (first, second)] + ["–"]
        return {"texts": texts, "verdict": "one run gives no error bar", "widths": [], "points": []}
    widths, points, law = [], [], None
    for runs in steps(len(first)):
        intervals = compare_runs(first[:runs], second[:runs])
        half, _, gap = [half_width for _, half_width in intervals]
        scaled = half * math.sqrt(runs)
        law = law or scaled
        widths.append([str(runs)] + [two_digits(x) for x in (half, scaled, gap)])
        for name, y in zip(SERIES, (half, law / math.sqrt(runs), gap)):
            if y > 0:  # 0 has no logarithm
                points.append({"x": runs, "y": y, "of": name})
    return {
        "texts": [interval_words(interval) for interval in intervals],
        "verdict": verdict(intervals[2]),
        "widths": widths,
        "points": points,
    }


HIGHEST_SEED = 10**9 - 1  # highest seed that a user may type
MOST_RUNS = 1000


class Runs:
    """The runs of one setting: results for the settings last asked for are kept."""

    def __init__(self, run):
        self.run = run
        self.settings: tuple = ()
        self.made: list = []

    def first(self, count, seed, arguments) -> list:
        """Return the results of `count` runs, from a seed on."""
        if (seed, arguments) != self.settings:
            self.settings, self.made = (seed, arguments), []
        while len(self.made) < count:
            self.made.append(self.run(seed + len(self.made), **arguments))
        return self.made[:count]


class SimulationSession:
    """One simulation in the page: its description; JSON in, JSON out.

    description: of an explorer or a map. Its "simulation" says which function of which module
    is the run, how many replications make an interval, and which function says how many some
    settings need, if there is one. predict, run, needed: replace those that it names.
    """

    def __init__(self, description_json, predict=None, run=None, needed=None):
        self.description = json.loads(description_json)
        simulation = self.description["simulation"]
        self.predict = predict or load_function(self.description["predictor"])
        run = run or load_function(f"{simulation['module']}:{simulation['run']}")
        self.runs, self.others = Runs(run), Runs(run)
        self.needed = needed
        if simulation["needed"] and not needed:
            self.needed = load_function(f"{simulation['module']}:{simulation['needed']}")

    def reply(self, request_json) -> str:
        """Return the reply to {"simulate": {...}} as JSON: `replicate` of it, or a refusal."""

        def answer(request):
            run = entries("request", request, ["simulate"])["simulate"]
            state = run.get("state") if isinstance(run, dict) else None
            reply = in_words(self.description["parameters"], state, lambda: self.replicate(run))
            return finite(reply)

        return reply_to(request_json, answer)

    def replicate(self, request) -> dict:
        """Return the means so far, after the run `request["replication"]`, counted from 0.

        request: also "seed", "state" (the case's parameters), and "assumptions", the other
        arguments of the run. "needed" is how many runs these settings take, "intervals"
        {output: [mean, half-width]}, "texts" the same as a reader sees it, "spoken" with units,
        "predicted" the closed form. With "against" ("state", "output", "common") other settings
        run as well, with the same random numbers or others, and "compared" is
        `summarize_comparison` of both.
        Raises ValueError for a state out of range, a seed or a replication that is not whole.
        """
        entries("simulate", request, ["state", "seed", "replication", "assumptions"])
        state = check_state(self.description["parameters"], request["state"])
        seed = integer("seed", request["seed"], at_most=HIGHEST_SEED)
        replication = integer("replication", request["replication"], at_most=MOST_RUNS - 1)
        arguments = dict(state)
        arguments.update(self._assumptions(request["assumptions"]))
        replications = self.description["simulation"]["replications"]
        runs = self.runs.first(replication + 1, first_seeds(seed, replications)[0], arguments)
        intervals = {output: list(interval([run[output] for run in runs])) for output in runs[0]}
        needed = self.needed(**arguments) if self.needed else replications
        reply = {
            "needed": needed,
            "intervals": intervals,
            "texts": self._texts(intervals, known=len(runs) > 1),
            "spoken": self._texts(intervals, known=len(runs) > 1, units=True),
            "predicted": self.predict(**state),
        }
        if "against" in request:
            reply["compared"] = self._compare(runs, request["against"], seed)
        return reply

    def _assumptions(self, given):
        """Return what the run takes besides the case's parameters: of a map's axes, numbers."""
        known = [self.description[side]["name"] for side in "xy" if side in self.description]
        for name in entries("assumptions", given):
            choice("assumption", name, known)
        return {name: number(name, given[name]) for name in given}

    def _compare(self, runs, against, seed):
        """Return the comparison of these runs with as many at other settings, for one output."""
        entries("against", against, ["state", "output", "common"])
        state = check_state(self.description["parameters"], against["state"])
        output = choice("output", against["output"], list(runs[0]))
        replications = self.description["simulation"]["replications"]
        _, first = first_seeds(seed, replications, bool(against["common"]))
        others = self.others.first(len(runs), first, state)
        return summarize_comparison(*[[run[output] for run in each] for each in (runs, others)])

    def _texts(self, intervals, known, units=False):
        """Return the intervals in words, or the means alone while the intervals aren't known.

        A simulation may leave out an output. units: whether to name them, where the description
        has them: beside an output there is no room for its unit once more.
        """
        texts = {}
        for output in self.description["outputs"]:
            if output["name"] in intervals:
                found, digits = intervals[output["name"]], output["digits"]
                unit = output.get("unit_text", "") if units else ""
                texts[output["name"]] = (
                    interval_text(found, digits, unit)
                    if known
                    else rounded(found[0], digits) + unit
                )
        return texts
