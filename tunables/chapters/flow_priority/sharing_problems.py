"""Problems of chapter 4: users who share one port."""

from tunables.page.recursion import EXPLAINED, recursion_steps
from tunables.page.sheet import apart, milliseconds, sheet, show
from tunables.theory.queueing import asymptotic_bounds, mva
from tunables.theory.shared_port import calibrate_delay

RECURSION = (
    "mean value analysis, from Q(0) = 0: R(n) = D (1 + Q(n-1)), X(n) = n / (Z + R(n)),"
    " Q(n) = X(n) R(n)"
)


def shared_port(draw):
    while True:
        given = {
            "users": draw.between(2, 5),
            "think_s": draw.between(5, 200, 5) / 1000,
            "size_bytes": draw.between(200, 6000, 50) * 1000,
            "port_rate_gbps": draw.pick((0.5, 1.0, 2.0)),
        }
        n, z = given["users"], given["think_s"]
        demand = 8 * given["size_bytes"] / (given["port_rate_gbps"] * 1e9)
        answer = mva([demand], n, z)[0]
        if apart(answer, asymptotic_bounds([demand], n, z)[:1], margin=0.02):
            break  # far enough below the bounds that the queue counts
    steps = [
        RECURSION,
        f"D = 8 × {show(given['size_bytes'], 'B')} / {show(given['port_rate_gbps'], 'Gb/s')}"
        + f" = {milliseconds(demand)}",
    ] + recursion_steps([demand], n, z, milliseconds)
    return sheet(
        f"{n} users think for {milliseconds(z)} on average and then transfer "
        f"{show(given['size_bytes'] / 1000, 'kB')} through a port of "
        f"{show(given['port_rate_gbps'], 'Gb/s')} that they share evenly. How many transfers a "
        "second do they carry out together?",
        given,
        "1/s",
        answer,
        steps,
        tolerance=0.005,
        remark=EXPLAINED,
    )


def port_bound(draw):
    port_limits = draw.pick((False, True))
    while True:
        given = {
            "users": draw.between(5, 60),
            "think_s": draw.between(5, 200, 5) / 1000,
            "size_bytes": draw.between(20, 4000, 10) * 1000,
            "port_rate_gbps": draw.pick((1.0, 2.5, 9.5)),
        }
        n, z = given["users"], given["think_s"]
        demand = 8 * given["size_bytes"] / (given["port_rate_gbps"] * 1e9)
        answer = asymptotic_bounds([demand], n, z)[0]
        if (n * demand > z + demand) != port_limits:
            continue
        if apart(answer, [n / z, n / (z + n * demand), n / (z + demand / 8)]):
            break  # neither thinking nor the port is all there is
    return sheet(
        f"{n} users think for {milliseconds(z)} and then transfer "
        f"{show(given['size_bytes'] / 1000, 'kB')} through a port of "
        f"{show(given['port_rate_gbps'], 'Gb/s')}. How many transfers a second can they carry out "
        "together at most, however they take turns?",
        given,
        "1/s",
        answer,
        [
            "X is at most min(N / (Z + D), 1 / D)",
            f"D = {milliseconds(demand)}: N / (Z + D) = {show(n / (z + demand), '/s')},"
            + f" 1 / D = {show(1 / demand, '/s')}",
            f"X = {show(answer, '/s')}",
        ],
        remark=f"The two bounds cross at (Z + D) / D = {show((z + demand) / demand)} users.",
    )


def delay_from_a_table(draw):
    while True:
        given = {
            "users": draw.between(2, 6),
            "transactions": draw.between(2_000, 30_000, 5),
            "alone_s": draw.between(200, 600, 50),
            "port_rate_gbps": draw.pick((1.0, 9.5)),
        }
        n, count, total_s = given["users"], given["transactions"], given["alone_s"]
        capacity = given["port_rate_gbps"] * 1e9
        cycle_s = total_s / count
        demand_s = cycle_s / n * draw.between(5, 70) / 100
        given["size_bytes"] = max(round(demand_s * capacity / 8 / 1000), 1) * 1000
        demand_s = 8 * given["size_bytes"] / capacity
        delay = calibrate_delay([n], [given["size_bytes"]], [count], [total_s], capacity)[0]
        if apart(delay, [cycle_s - demand_s]):
            break  # the users' queueing counts
    answer = 1000 * delay
    return sheet(
        f"Alone on a port of {show(given['port_rate_gbps'], 'Gb/s')}, which they share evenly, "
        f"each of {n} users carries out {show(count)} transactions of "
        f"{show(given['size_bytes'] / 1000, 'kB')} in {total_s} s. "
        "How long is the mean delay between two transfers of a user, so that this comes out?",
        given,
        "ms",
        answer,
        [
            f"a user's cycle: Z + R = {total_s} s / {show(count)} = {milliseconds(cycle_s)}",
            f"D = {milliseconds(demand_s)} of the port; R by " + RECURSION,
            f"begin with R = D, so Z = {milliseconds(cycle_s - demand_s)}; compute R at this Z, "
            + f"put Z = {milliseconds(cycle_s)} - R, and so on until Z stays",
        ]
        + recursion_steps([demand_s], n, delay, milliseconds)
        + [f"at Z = {show(answer, 'ms')} the last R makes Z + R = {milliseconds(cycle_s)}"],
        remark="Without the queueing among the users Z would be "
        f"{milliseconds(cycle_s - demand_s)}. {EXPLAINED}",
    )
