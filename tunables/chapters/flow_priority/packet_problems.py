"""Problems of chapter 4: packets that go ahead, and those that wait."""

import math

from tunables.chapters.flow_priority.predictor import FRAME_BYTES, HEADER_BYTES
from tunables.page.sheet import apart, milliseconds, sheet, show
from tunables.theory.shared_port import fifo_response

MTU_BYTES = (1500, 9000)


def packets_ahead(draw):
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
        tolerance=0.001,  # so that who does not round up is not right
        remark="The last packet is left behind, and a transaction is done when its last packet is.",
    )


def bound_users(draw):
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
            break  # no rounding on the way changes the whole number, and the headers do
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
            f"payload rate = {given['link_gbps']} × {payload} / {wire}"
            + f" = {show(payload_gbps, 'Gb/s')}",
            f"N = {show(payload_gbps)} × {given['seconds']}"
            + f" / (8 × {show(given['bytes_per_user'] / 1e9)}) = {show(bound)}, so {answer}",
        ],
        tolerance=0,
    )


def fifo_backlog(draw):
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
        f"{milliseconds(b)} for them. Beside them each of a few users thinks for "
        f"{milliseconds(z)}, sends one small transaction, waits until it is through, and thinks "
        "again. One small transaction of every user, all of them together, keep the port busy for "
        f"{milliseconds(w)}. How long is a small transaction in the port?",
        given,
        "ms",
        answer,
        [
            "D = B + D w / (z + D): who comes finds the backlog B and, by Little's law, D w / (z"
            + " + D) of the users' own work, since w comes every z + D",
            "so D = B / (1 - w / (z + D)), and D = (e + sqrt(e^2 + 4 B z)) / 2 with e = B + w - z",
            f"e = {milliseconds(b)} + {milliseconds(w)} - {milliseconds(z)} ="
            + f" {milliseconds(b + w - z)}",
            f"D = {show(answer, 'ms')}; back in: {milliseconds(b)} / (1 - {milliseconds(w)} / "
            + f"{milliseconds(z + seconds)}) = {milliseconds(b / (1 - w / (z + seconds)))}",
        ],
        remark=f"A transaction alone behind the backlog would take {milliseconds(b)}.",
    )
