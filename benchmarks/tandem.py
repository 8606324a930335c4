import math
import time

import ciw
import numpy as np
import simpy

from tunables.simulators.tandem import simulate_tandem


def simpy_tandem(service_s, buffers):
    environment = simpy.Environment()
    customers, stages = service_s.shape
    places = [simpy.Resource(environment, customers)]
    places += [simpy.Resource(environment, buffer + 1) for buffer in buffers]
    servers = [simpy.Resource(environment, 1) for _ in range(stages)]
    departure_s = np.zeros(customers)

    def customer(n):
        place = places[0].request()
        yield place
        for j in range(stages):
            server = servers[j].request()
            yield server
            yield environment.timeout(service_s[n, j])
            leaving = place
            if j + 1 < stages:
                place = places[j + 1].request()
                yield place
            servers[j].release(server)
            places[j].release(leaving)
        departure_s[n] = environment.now

    for n in range(customers):
        environment.process(customer(n))
    environment.run()
    return departure_s


def ciw_tandem(service_s, buffers):
    customers, stages = service_s.shape
    network = ciw.create_network(
        arrival_distributions=[ciw.dists.Sequential([0.0, math.inf])] + [None] * (stages - 1),
        batching_distributions=[ciw.dists.Sequential([customers])]
        + [ciw.dists.Deterministic(1)] * (stages - 1),
        service_distributions=[ciw.dists.Sequential(list(service_s[:, j])) for j in range(stages)],
        routing=[[float(k == j + 1) for k in range(stages)] for j in range(stages)],
        number_of_servers=[1] * stages,
        queue_capacities=[math.inf, *buffers],
    )
    simulation = ciw.Simulation(network)
    simulation.simulate_until_max_customers(customers, method="Finish")
    records = simulation.get_all_records()
    return np.sort([r.exit_date for r in records if r.node == stages])


if __name__ == "__main__":
    for n in (500, 2000, 5000):
        s = np.random.default_rng(0).exponential(1, (n, 4))
        b = [3, 0, 2]
        t = time.perf_counter()
        a = simulate_tandem(s, b)
        ta = time.perf_counter() - t
        t = time.perf_counter()
        p = simpy_tandem(s, b)
        tp = time.perf_counter() - t
        t = time.perf_counter()
        c = ciw_tandem(s, b)
        tc = time.perf_counter() - t
        print(n, ta, tp, tc, (a == p).all(), (a == c).all(), np.abs(a - c).max())
