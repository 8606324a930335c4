"""What a user may write. Type checkers know each value: `make lint` and `test_library.py` check."""

from typing import assert_type

import numpy as np
from numpy.typing import NDArray

import tunables

waiting = tunables.erlang_c(servers=4, offered_load=3.2)
throughput, response_s, queues = tunables.mva([0.005, 0.02], customers=10, think_time_s=1.0)
curve = tunables.miss_ratio_curve([1, 2, 3, 1, 2, 3])
attempts, answered = tunables.simulate_retry_storm(30, 100, timeout_s=0.5, retries=3, seed=1)
requests = tunables.simulate_hedged_requests(10, 50.0, 0.1, delay_s=0.3, requests=100, seed=1)
fit = tunables.fit_path(1, "labs/samples/own/1-fits.csv")
case = tunables.find_case("rrd")
slowdown = tunables.published("rrd-system-cache")["slowdown-after-overflow"].value

# None of these is Any
assert_type(waiting, float)
assert_type(queues, list[float])
assert_type(curve, NDArray[np.float64])
assert_type(attempts, NDArray[np.int64])
assert_type(requests.answered_s, NDArray[np.float64])
assert_type(fit, tunables.Fit)
assert_type(fit.parameters[0].value, float)
assert_type(fit.sensitivity, tuple[tuple[str, float], ...])
assert_type(case, tunables.Case)
assert_type(slowdown, float)
