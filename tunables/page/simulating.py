"""The page's side of a simulation: a worker or the kernel runs it; JSON in, JSON out.

A request asks for one replication, so that progress and the interval appear after each.
"""

import json

from tunables.page.answer import check_state
from tunables.page.asked import entries, replied
from tunables.page.explorer import finite, named
from tunables.page.formats import interval_text
from tunables.page.pairs import first_seeds, told
from tunables.plain.arguments import choice, number, whole
from tunables.plain.interval import interval

HIGHEST_SEED = 10**9 - 1  # that a reader types
MOST_RUNS = 1000


class Runs:
    """The runs of one setting: what was made for the settings last asked for is not made again."""

    def __init__(self, run):
        self.run = run
        self.settings: tuple = ()
        self.made: list = []

    def first(self, count, seed, arguments) -> list:
        """Return what so many runs say, from that run's seed on."""
        if (seed, arguments) != self.settings:
            self.settings, self.made = (seed, arguments), []
        while len(self.made) < count:
            self.made.append(self.run(seed + len(self.made), **arguments))
        return self.made[:count]


class Page:
    """One simulation in the page: its description; JSON in, JSON out.

    description: of an explorer or a map. Its "simulation" says which function of which module
    is the run, how many replications make an interval, and which function says how many some
    settings need, if there is one. predict, run, needed: in place of those that it names.
    """

    def __init__(self, description_json, predict=None, run=None, needed=None):
        self.description = json.loads(description_json)
        told = self.description["simulation"]
        self.predict = predict or named(self.description["predictor"], "predict")
        run = run or named(told["module"], told["run"])
        self.runs, self.others = Runs(run), Runs(run)
        self.needed = needed
        if told["needed"] and not needed:
            self.needed = named(told["module"], told["needed"])

    def reply(self, request_json) -> str:
        """Return the reply to {"simulate": {...}} as JSON: `replicate` of it, or a refusal."""

        def answer(request):
            return finite(self.replicate(entries("request", request, ["simulate"])["simulate"]))

        return replied(request_json, answer)

    def replicate(self, asked) -> dict:
        """Return the means so far, after the run `asked["replication"]`, counted from 0.

        asked: also "seed", "state" (the case's parameters), and "assumptions", arguments of the
        run that are none of them. "needed" is how many runs these settings take, "intervals"
        {output: [mean, half-width]}, "texts" the same as a reader sees it, "predicted" the
        closed form. With "against" ("state", "output", "common") other settings run as well, with
        the same random numbers or others, and "compared" is `tunables.page.pairs.told` of both.
        Raises ValueError for a state out of range, a seed or a replication that is not whole.
        """
        entries("simulate", asked, ["state", "seed", "replication", "assumptions"])
        state = check_state(self.description["parameters"], asked["state"])
        seed = whole("seed", asked["seed"], at_most=HIGHEST_SEED)
        replication = whole("replication", asked["replication"], at_most=MOST_RUNS - 1)
        arguments = dict(state)
        arguments.update(self._assumptions(asked["assumptions"]))
        replications = self.description["simulation"]["replications"]
        runs = self.runs.first(replication + 1, first_seeds(seed, replications)[0], arguments)
        intervals = {output: list(interval([run[output] for run in runs])) for output in runs[0]}
        reply = {
            "needed": self.needed(**arguments) if self.needed else replications,
            "intervals": intervals,
            "texts": self._texts(intervals),
            "predicted": self.predict(**state),
        }
        if "against" in asked:
            reply["compared"] = self._compared(runs, asked["against"], seed)
        return reply

    def _assumptions(self, given):
        """Return what the run takes besides the case's parameters: of a map's axes, numbers."""
        known = [self.description[side]["name"] for side in "xy" if side in self.description]
        for name in entries("assumptions", given):
            choice("assumption", name, known)
        return {name: number(name, given[name]) for name in given}

    def _compared(self, runs, against, seed):
        """Return what these runs and as many at other settings tell of one output."""
        entries("against", against, ["state", "output", "common"])
        state = check_state(self.description["parameters"], against["state"])
        output = choice("output", against["output"], list(runs[0]))
        replications = self.description["simulation"]["replications"]
        _, first = first_seeds(seed, replications, bool(against["common"]))
        others = self.others.first(len(runs), first, state)
        return told(*[[run[output] for run in each] for each in (runs, others)])

    def _texts(self, intervals):
        """Return the intervals in words; a simulation may leave out an output."""
        return {
            output["name"]: interval_text(intervals[output["name"]], output["digits"])
            for output in self.description["outputs"]
            if output["name"] in intervals
        }
