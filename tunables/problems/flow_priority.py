"""Problems of chapter 4: packets that go ahead, and users who share one port."""

import math

from tunables.predictors.dpp import FRAME_BYTES, HEADER_BYTES
from tunables.problems.sheet import milliseconds, sheet, show
from tunables.theory.queueing import asymptotic_bounds, mva
from tunables.theory.shared_port import calibrate_delay, fifo_response

MTU_BYTES = (1500, 9000)


def _packets_ahead(draw):
    given = {"mtu_bytes": draw.pick(MTU_BYTES), "max_packets": draw.between(5, 40)}
    payload = given["mtu_bytes"] - HEADER_BYTES
    packets = given["max_packets"] + draw.between(1, 4 * given["max_packets"])
    size = (packets * payload - draw.below(payload)) // 100 * 100
    packets = math.ceil(size / payload)
    given["size_bytes"] = size
    answer = 100 * given["max_packets"] / packets
    return sheet(
        f"A switch lets the first {given['max_packets']} packets of each transaction go ahead. The "
        f"MTU is {show(given['mtu_bytes'], 'B')}, of which {HEADER_BYTES} B are headers. "
        f"What share of the packets of a transaction of {show(size, 'B')} goes ahead?",
        given,
        "%",
        answer,
        [
            "packets = size / (MTU - headers), rounded up",
            f"packets = {show(size, 'B')} / {show(payload, 'B')}, rounded up = {packets}",
            f"{given['max_packets']} / {packets} = {show(answer, '%')}",
        ],
        remark="The last packet is left behind, and a transaction is done when its last packet is.",
    )


def _bound_users(draw):
    while True:
        given = {
            "mtu_bytes": draw.pick(MTU_BYTES),
            "link_gbps": draw.pick((1, 10, 25, 40)),
            "bytes_per_user": draw.between(5_000, 60_000, 5) * 1_000_000,
            "seconds": draw.between(200, 900),
        }
        wire = given["mtu_bytes"] + FRAME_BYTES
        payload_gbps = given["link_gbps"] * (given["mtu_bytes"] - HEADER_BYTES) / wire
        bound = payload_gbps * 1e9 * given["seconds"] / (8 * given["bytes_per_user"])
        if bound > 2 and 0.03 < bound - math.floor(bound) < 0.97:
            break  # no rounding on the way changes the whole number
    answer = math.floor(bound)
    return sheet(
        f"A run ends after {given['seconds']} s, in which each user moves "
        f"{show(given['bytes_per_user'] / 1e9, 'GB')} through one port of {given['link_gbps']} "
        f"Gb/s. The MTU is {show(given['mtu_bytes'], 'B')} with {HEADER_BYTES} B of headers, and a "
        f"frame adds {FRAME_BYTES} B on the wire. How many users can there be at most?",
        given,
        "users",
        answer,
        [
            "payload rate = link × (MTU - headers) / (MTU + frame); N = rate × time / (8 × bytes)",
            f"payload rate = {given['link_gbps']} × {given['mtu_bytes'] - HEADER_BYTES} / {wire}"
            + f" = {show(payload_gbps, 'Gb/s')}",
            f"N = {show(payload_gbps)} × {given['seconds']}"
            + f" / (8 × {show(given['bytes_per_user'] / 1e9)}) = {show(bound)}, so {answer}",
        ],
        tolerance=0,
    )


def _fifo_backlog(draw):
    given = {
        "backlog_s": draw.between(5, 60) / 1000,
        "work_s": draw.between(2, 50) / 1000,
        "think_s": draw.between(20, 120, 2) / 1000,
    }
    b, w, z = given["backlog_s"], given["work_s"], given["think_s"]
    seconds = fifo_response(b, w, z)
    answer = 1000 * seconds
    return sheet(
        "A few large connections always have packets waiting in a FIFO port: it needs "
        f"{milliseconds(b)} for them. Some users think for {milliseconds(z)} and then send a small "
        f"transaction; one of each together is {milliseconds(w)} of work for the port. "
        "How long is a small transaction in the port?",
        given,
        "ms",
        answer,
        [
            "D = B / (1 - w / (z + D)), by Little's law for the small ones' work in the queue;"
            + " D = (e + sqrt(e^2 + 4 B z)) / 2 with e = B + w - z",
            f"e = {milliseconds(b)} + {milliseconds(w)} - {milliseconds(z)} ="
            + f" {milliseconds(b + w - z)}",
            f"D = {show(answer, 'ms')}; back in: {milliseconds(b)} / (1 - {milliseconds(w)} / "
            + f"{milliseconds(z + seconds)}) = {milliseconds(b / (1 - w / (z + seconds)))}",
        ],
        remark=f"A transaction alone behind the backlog would take {milliseconds(b)}.",
    )


def _shared_port(draw):
    given = {
        "users": draw.between(2, 5),
        "think_s": draw.between(5, 200, 5) / 1000,
        "size_bytes": draw.between(200, 6000, 50) * 1000,
        "port_rate_gbps": draw.pick((0.5, 1.0, 2.0)),
    }
    n, z = given["users"], given["think_s"]
    demand = 8 * given["size_bytes"] / (given["port_rate_gbps"] * 1e9)
    answer = mva([demand], n, z)[0]
    steps = [
        "exact mean value analysis: R(n) = S (1 + Q(n-1)), X(n) = n / (Z + R(n)), Q(n) = X R",
        f"S = 8 × {show(given['size_bytes'], 'B')} / {show(given['port_rate_gbps'], 'Gb/s')}"
        + f" = {milliseconds(demand)}",
    ]
    for k in range(1, n + 1):
        rate, response_s, queues = mva([demand], k, z)
        line = f"n = {k}: R = {milliseconds(response_s)}, X = {show(rate, '/s')}, "
        steps.append(line + f"Q = {show(queues[0])}")
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
    )


def _port_bound(draw):
    given = {
        "users": draw.between(5, 60),
        "think_s": draw.between(5, 200, 5) / 1000,
        "size_bytes": draw.between(20, 4000, 10) * 1000,
        "port_rate_gbps": draw.pick((1.0, 2.5, 9.5)),
    }
    n, z = given["users"], given["think_s"]
    demand = 8 * given["size_bytes"] / (given["port_rate_gbps"] * 1e9)
    answer = asymptotic_bounds([demand], n, z)[0]
    return sheet(
        f"{n} users think for {milliseconds(z)} and then transfer "
        f"{show(given['size_bytes'] / 1000, 'kB')} through a port of "
        f"{show(given['port_rate_gbps'], 'Gb/s')}. How many transfers a second can they carry out "
        "together at most, however they take turns?",
        given,
        "1/s",
        answer,
        [
            "X is at most min(N / (Z + S), 1 / S)",
            f"S = {milliseconds(demand)}: N / (Z + S) = {show(n / (z + demand), '/s')},"
            + f" 1 / S = {show(1 / demand, '/s')}",
            f"X = {show(answer, '/s')}",
        ],
        remark=f"The two bounds cross at (Z + S) / S = {show((z + demand) / demand)} users.",
    )


def _delay_from_a_table(draw):
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
    answer = 1000 * delay
    return sheet(
        f"Alone on a port of {show(given['port_rate_gbps'], 'Gb/s')}, {n} users carry out "
        f"{show(count)} transactions of {show(given['size_bytes'] / 1000, 'kB')} each in {total_s} "
        "s. What is the mean delay between two transfers of a user, so that this comes out?",
        given,
        "ms",
        answer,
        [
            "Z + R(Z) = time / transactions, R(Z) by exact mean value analysis",
            f"{total_s} s / {show(count)} = {milliseconds(cycle_s)};"
            + f" S = {milliseconds(demand_s)} of the port",
            f"at Z = {show(answer, 'ms')}: R = {milliseconds(mva([demand_s], n, delay)[1])},"
            + f" and Z + R = {milliseconds(delay + mva([demand_s], n, delay)[1])}",
        ],
        remark="Without the queueing among the users Z would be "
        f"{milliseconds(cycle_s - demand_s)}.",
    )


KINDS = {
    "packets-ahead": ("Which packets go ahead?", _packets_ahead),
    "bound-users": ("Bound the users", _bound_users),
    "fifo-backlog": ("Behind a backlog", _fifo_backlog),
    "shared-port": ("A few users share a port", _shared_port),
    "port-bound": ("What the port allows", _port_bound),
    "delay-from-a-table": ("A delay that nobody measured", _delay_from_a_table),
}
