"""The closed system of `tunables.simulators.closed_system`, written for SimPy and for Ciw."""

import random

import ciw
import simpy

from tunables.theory.queueing import machine_repair

WARM_UP = 0.1  # as in ours: a tenth as many completions more, run first and not counted


def simpy_closed_system(customers, servers, think_time_s, service_time_s, completions, seed=0):
    """Return (throughput, mean response time) from a process for each customer."""
    environment = simpy.Environment()
    resource = simpy.Resource(environment, servers)
    draw = random.Random(seed).expovariate
    finished = environment.event()
    responses: list[float] = []
    ended: list[float] = []
    warm_up = int(WARM_UP * completions)

    def customer():
        while True:
            yield environment.timeout(think_time_s * draw(1.0))
            asked = environment.now
            with resource.request() as request:
                yield request
                yield environment.timeout(service_time_s * draw(1.0))
            responses.append(environment.now - asked)
            ended.append(environment.now)
            if len(ended) == warm_up + completions:
                finished.succeed()

    for _ in range(customers):
        environment.process(customer())
    environment.run(finished)
    return completions / (ended[-1] - ended[warm_up - 1]), sum(responses[warm_up:]) / completions


def ciw_closed_system(customers, servers, think_time_s, service_time_s, completions, seed=0):
    """Return (throughput, mean response time) from two nodes: thinking, and the servers.

    Ciw runs a closed network for a time, not for a number of completions: here for the time
    that they should take.
    """
    expected, _ = machine_repair(customers, servers, think_time_s, service_time_s)
    warm_up_s, counted_s = WARM_UP * completions / expected, completions / expected
    network = ciw.create_network(
        arrival_distributions=[ciw.dists.Sequential([0.0] * customers + [float("inf")]), None],
        service_distributions=[
            ciw.dists.Exponential(1 / think_time_s),
            ciw.dists.Exponential(1 / service_time_s),
        ],
        number_of_servers=[float("inf"), servers],
        routing=[[0.0, 1.0], [1.0, 0.0]],
    )
    ciw.seed(seed)
    simulation = ciw.Simulation(network)
    simulation.simulate_until_max_time(warm_up_s + counted_s)
    responses = [
        record.exit_date - record.arrival_date
        for record in simulation.get_all_records()
        if record.node == 2 and record.exit_date > warm_up_s
    ]
    return len(responses) / counted_s, sum(responses) / len(responses)
