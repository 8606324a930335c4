"""The kernels of simulators that belong to no chapter, with calls that reach them."""

from kernels.entry import KernelEntry
from tunables.simulators.closed_system import simulate_closed_system


def _closed_system(rng, events):
    simulate_closed_system(
        customers=int(rng.integers(1, 30)),
        servers=int(rng.integers(1, 6)),
        think_time_s=rng.random(),
        service_time_s=0.01 + rng.random(),
        completions=max(events // 2, 1),
        seed=int(rng.integers(2**40)),
    )


ENTRIES = (KernelEntry("tunables.simulators.closed_system", "_closed_system", _closed_system),)
