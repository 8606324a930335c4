"""Problems of chapter 4: packets that go ahead, and users who share one port."""

import math

from tunables.chapters.flow_priority.predictor import FRAME_BYTES, HEADER_BYTES
from tunables.page.worksheet import EXPLAINED, apart, milliseconds, recursion_steps, sheet, show
from tunables.theory.queueing import asymptotic_bounds, mva
from tunables.theory.shared_port import calibrate_delay, fifo_response

MTU_BYTES = (1500, 9000)
RECURSION = (
    "mean value analysis, from Q(0) = 0: R(n) = D (1 + Q(n-1)), X(n) = n / (Z + R(n)),"
    " Q(n) = X(n) R(n)"
)


def _packets_ahead(draw):
    while True:
        given = {"mtu_bytes": draw.pick(MTU_BYTES), "max_packets": draw.between(5, 40)}
        payload = given["mtu_bytes"] - HEADER_BYTES
        packets = given["max_packets"] + draw.between(1, 4 * given["max_packets"])
        size = (packets * payload - draw.below(payload)) // 100 * 100
        packets = math.ceil(size / payload)
        given["size_bytes"] = size
        headers_count = math.ceil(size / given["mtu_bytes"]) < packets
        if headers_count and apart(packets, [size / payload], margin=0.002):
            break  # and so does rounding up
    answer = 100 * given["max_packets"] / packets
    return sheet(
        f"A switch lets the first {given['max_packets']} packets of each transaction go ahead. The "
        f"MTU is {show(given['mtu_bytes'], 'B')}, of which {HEADER_BYTES} B are headers. A "
        f"transaction sends {show(size, 'B')}. What share of its packets goes ahead?",
        given,
        "%",
        answer,
        [
            "packets = size / (MTU - headers), rounded up",
            f"packets = {show(size, 'B')} / {show(payload, 'B')}, rounded up = {packets}",
            f"{given['max_packets']} / {packets} = {show(answer, '%')}",
        ],
        tolerance=0.001,  # so that an answer without rounding up is wrong
        remark="The last packet is left behind, and a transaction is not done until its last "
        "packet is.",
    )


def _bound_users(draw):
    while True:
        given = {
            "mtu_bytes": draw.pick(MTU_BYTES),
            "link_gbps": draw.pick((1, 10, 25, 40)),
            "bytes_per_user": draw.between(5_000, 60_000, 5) * 1_000_000,
            "seconds": draw.between(200, 900),
        }
        wire, payload = given["mtu_bytes"] + FRAME_BYTES, given["mtu_bytes"] - HEADER_BYTES
        payload_gbps = given["link_gbps"] * payload / wire
        bound = payload_gbps * 1e9 * given["seconds"] / (8 * given["bytes_per_user"])
        clear_of_rounding = 0.03 < bound - math.floor(bound) < 0.97
        if bound > 2 and clear_of_rounding and math.floor(bound * wire / payload) > bound:
            break  # rounding on the way does not change the integer, but the headers do
    answer = math.floor(bound)
    return sheet(
        f"A run lasts {given['seconds']} s. In that time, each user moves "
        f"{show(given['bytes_per_user'] / 1e9, 'GB')} through one port of {given['link_gbps']} "
        f"Gb/s. The MTU is {show(given['mtu_bytes'], 'B')}, of which {HEADER_BYTES} B are headers; "
        f"a frame adds {FRAME_BYTES} B on the wire. What is the largest possible number of "
        "users?",
        given,
        "users",
        answer,
        [
            "payload rate = link × (MTU - headers) / (MTU + frame); N = rate × time / (8 × bytes)",
            f"payload rate = {given['link_gbps']} × {payload} / {wire}"
            + f" = {show(payload_gbps, 'Gb/s')}",
            f"N = {show(payload_gbps)} × {given['seconds']}"
            + f" / (8 × {show(given['bytes_per_user'] / 1e9)}) = {show(bound)}, so {answer}",
        ],
        tolerance=0,
    )


def _responses(backlog_s, own_s, think_s, users):
    """Return the response times with 1, 2, ... users, by the recursion, in seconds."""
    return [fifo_response(backlog_s, n * own_s, think_s, n) for n in range(1, users + 1)]


def _fifo_backlog(draw):
    while True:
        given = {
            "users": draw.between(2, 6),
            "backlog_s": draw.between(10, 60) / 1000,
            "think_s": draw.between(20, 120, 2) / 1000,
        }
        b, z, n = given["backlog_s"], given["think_s"], given["users"]
        # With the own work below a third of the backlog the recursion is within 3%.
        s = given["own_s"] = draw.between(1, int(1000 * b / 3)) / 1000
        responses = _responses(b, s, z, n)
        wrong = [b, b + s, b + n * s, fifo_response(b, n * s, z)]
        if apart(responses[-1], wrong, margin=0.07):
            break  # omitting the others or oneself, or counting all, gives a wrong answer
    answer = 1000 * responses[-1]
    before = responses[-2]
    found = (n - 1) * s * before / (z + before)
    return sheet(
        "A few large connections always have packets waiting in a FIFO port, which needs "
        f"{milliseconds(b)} to send them. Through the same port, {n} users send small "
        f"transactions. Each user thinks for {milliseconds(z)} on average, sends one small "
        "transaction, waits until it is through, and thinks again. By itself, a small transaction "
        f"keeps the port busy for {milliseconds(s)}. How long does a small transaction spend at "
        "the port on average, including the time to send it?",
        given,
        "ms",
        answer,
        [
            "mean value analysis: an arriving transaction finds the backlog B and the work"
            + " that the others would have there with one user fewer. Each of these n - 1 users"
            + " is at the port for the share D(n-1) / (z + D(n-1)) of the time, so"
            + " D(n) = B + s + (n - 1) s D(n-1) / (z + D(n-1)), from D(1) = B + s",
            "D(1), D(2) and so on: " + ", ".join([milliseconds(each) for each in responses]),
            f"the last step: {milliseconds(b)} + {milliseconds(s)} + {milliseconds(found)}"
            + f" = {show(answer, 'ms')}",
        ],
        tolerance=0.03,
        remark="A single transaction queued behind the backlog would take B + s = "
        f"{milliseconds(b + s)}. The recursion is an approximation: in simulations it is off by "
        "up to 3%.",
    )


def _shared_port(draw):
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
        f"{show(given['port_rate_gbps'], 'Gb/s')} that they share evenly. How many transfers per "
        "second do they make together?",
        given,
        "1/s",
        answer,
        steps,
        tolerance=0.005,
        remark=EXPLAINED,
    )


def _port_bound(draw):
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
            break  # neither thinking nor the port alone gives the answer
    return sheet(
        f"{n} users think for {milliseconds(z)} and then transfer "
        f"{show(given['size_bytes'] / 1000, 'kB')} through a port of "
        f"{show(given['port_rate_gbps'], 'Gb/s')}. Whatever their order, what is the largest "
        "number of transfers per second that they can make together?",
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


def _delay_from_a_table(draw):
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
        f"A port of {show(given['port_rate_gbps'], 'Gb/s')} carries nothing but the transfers of "
        f"{n} users, who share it evenly. Each user makes {show(count)} transfers of "
        f"{show(given['size_bytes'] / 1000, 'kB')} in {total_s} s. What is the mean pause between "
        "a user's transfers?",
        given,
        "ms",
        answer,
        [
            f"a user's cycle: Z + R = {total_s} s / {show(count)} = {milliseconds(cycle_s)}",
            f"a transfer takes D = {milliseconds(demand_s)} of the port's time; find R "
            "by " + RECURSION,
            f"begin with R = D, so Z = {milliseconds(cycle_s - demand_s)}; compute R at this Z, "
            + f"set Z = {milliseconds(cycle_s)} - R, and so on until Z no longer changes",
        ]
        + recursion_steps([demand_s], n, delay, milliseconds)
        + [f"at Z = {show(answer, 'ms')}, the last R gives Z + R = {milliseconds(cycle_s)}"],
        remark="If the users did not queue behind each other, Z would be "
        f"{milliseconds(cycle_s - demand_s)}. {EXPLAINED}",
    )


KINDS = {
    "packets-ahead": ("What share of the packets goes ahead?", _packets_ahead, 1),
    "bound-users": ("How many users at most?", _bound_users, 2),
    "fifo-backlog": ("Behind a backlog", _fifo_backlog, 3),
    "shared-port": ("A few users share a port", _shared_port, 3),
    "port-bound": ("What the port allows", _port_bound, 1),
    "delay-from-a-table": ("A delay that nobody measured", _delay_from_a_table, 3),
}
