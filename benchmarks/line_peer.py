"""LINE's exact solution of the closed system M/M/c//N, in a process of its own.

It needs `pip install line-solver`.
"""

from line_solver import (
    ClosedClass,
    Delay,
    Exp,
    GlobalConstants,
    Network,
    Queue,
    SchedStrategy,
    SolverCTMC,
    VerboseLevel,
)

from benchmarks.elsewhere import answer_all


def solve(customers, servers, think_time_s, service_time_s):
    """Return throughput and mean response time, from the chain of all states."""
    model = Network("repair")
    think = Delay(model, "thinking")
    queue = Queue(model, "servers", SchedStrategy.FCFS)
    queue.setNumberOfServers(servers)
    clients = ClosedClass(model, "clients", customers, think, 0)
    think.setService(clients, Exp(1 / think_time_s))
    queue.setService(clients, Exp(1 / service_time_s))
    model.link(Network.serialRouting(think, queue))
    table = SolverCTMC(model).getAvgTable()
    rows = table[table["Station"] == "servers"]
    return float(rows["Tput"].iloc[0]), float(rows["RespT"].iloc[0])


def _prepare():
    GlobalConstants.setVerbose(VerboseLevel.SILENT)
    return solve


if __name__ == "__main__":
    answer_all(_prepare)
