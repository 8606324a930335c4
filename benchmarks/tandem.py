"""A tandem of four stages with small buffers against SimPy and Ciw: same times, to the bit."""

import math
from functools import partial

import ciw
import numpy as np
import simpy

from benchmarks.side_by_side import race, show
from tunables.simulators.tandem import simulate_tandem


def tunables_tandem(interarrival_s, service_s, buffers):
    """The tandem by the max-plus recursion: a first stage serves the times between arrivals."""
    return simulate_tandem(np.column_stack([interarrival_s, service_s]), [math.inf, *buffers])


def simpy_tandem(interarrival_s, service_s, buffers):
    """The tandem in SimPy: a place of a stage is its server or one of its buffer."""
    environment = simpy.Environment()
    customers, stages = service_s.shape
    capacities = [customers] + [int(min(customers, buffer + 1)) for buffer in buffers]
    places = [simpy.Resource(environment, capacity) for capacity in capacities]
    servers = [simpy.Resource(environment, 1) for _ in range(stages)]
    departure_s = np.zeros(customers)

    def source():
        for n in range(customers):
            yield environment.timeout(interarrival_s[n])
            environment.process(customer(n))

    def customer(n):
        place = places[0].request()
        yield place
        for j in range(stages):
            server = servers[j].request()
            yield server
            yield environment.timeout(service_s[n, j])
            left = place
            if j + 1 < stages:
                place = places[j + 1].request()
                yield place  # blocked after service, while it keeps server and place
            servers[j].release(server)
            places[j].release(left)
        departure_s[n] = environment.now

    environment.process(source())
    environment.run()
    return departure_s


def ciw_tandem(interarrival_s, service_s, buffers):
    """The tandem in Ciw, which takes the given times in turn."""
    customers, stages = service_s.shape
    network = ciw.create_network(
        arrival_distributions=[
            ciw.dists.Sequential([*interarrival_s.tolist(), math.inf]),
            *[None] * (stages - 1),
        ],
        service_distributions=[ciw.dists.Sequential(times) for times in service_s.T.tolist()],
        routing=np.eye(stages, k=1).tolist(),
        number_of_servers=[1] * stages,
        queue_capacities=[math.inf, *buffers],
    )
    simulation = ciw.Simulation(network)
    simulation.simulate_until_max_customers(customers, method="Finish")
    records = simulation.get_all_records()
    return np.sort([record.exit_date for record in records if record.node == stages])


BEYOND = {
    "Ciw": "networks with any routing, classes, priorities, schedules, reneging and batches, and "
    "a record of each visit of each customer",
}


def races():
    """Yield one tandem: 20,000 customers through four stages."""
    customers, buffers = 20_000, [3, 0, 5]
    draw = np.random.default_rng(0)
    interarrival_s = draw.exponential(2.0, customers)
    service_s = draw.exponential([1, 0.8, 1.1, 0.9], (customers, 4))
    simulators = {"tunables": tunables_tandem, "SimPy": simpy_tandem, "Ciw": ciw_tandem}

    def answer(simulate):
        return simulate(interarrival_s, service_s, buffers).tobytes()

    contenders = {name: partial(answer, simulate) for name, simulate in simulators.items()}
    about = f"{customers:,} customers, places between the stages {buffers}"
    yield race("Tandem of four stages", "service", service_s.size, contenders, about=about)


if __name__ == "__main__":
    show(races())
