"""Problems of chapter 7: pages of a row, what reading it costs, and when a file is faster."""

from tunables.chapters.file_or_row.predictor import RECORD_BYTES
from tunables.page.worksheet import apart, microseconds, sheet, show
from tunables.theory.blob_storage import (
    best_page_bytes,
    file_cost,
    largest_payload,
    pages_of,
    row_cost,
    threshold_pages,
)

PAGES = (1024, 2048, 4096, 8192, 16384, 32768)


def _costs(draw):
    """Draw costs in kB of a file's reading: the opening, the look-up, a page, and a byte."""
    return {
        "open_kb": draw.between(60, 250, 5),
        "lookup_kb": draw.between(10, 50),
        "page_kb": draw.between(20, 80) / 10,
        "byte_ratio": draw.between(105, 180, 5) / 100,
    }


def _cost_words(given):
    return (
        f"Finding, opening and closing a file costs as much as reading {given['open_kb']} kB of "
        f"it. Looking up a row costs as much as reading {given['lookup_kb']} kB, and each page of "
        f"the row as much as reading {given['page_kb']:g} kB. On top of that, each byte of a page "
        f"costs {given['byte_ratio']:g} times as much as a byte of a file. "
    )


def _pages(draw):
    while True:
        given = {"page_bytes": draw.pick(PAGES), "blob_bytes": draw.between(3000, 400_000, 100)}
        u, payload = given["page_bytes"], given["blob_bytes"] + RECORD_BYTES
        answer = pages_of(payload, u)
        if answer > 1 and apart(answer, [2 + payload // u, payload // u], 0.001):
            break
    first = u - 35
    return sheet(
        f"A row holds a BLOB of {show(given['blob_bytes'], 'B')} and {RECORD_BYTES} bytes more. "
        f"The page size is {show(u, 'B')}. A leaf has room for {show(first, 'B')} of a row, and "
        f"each further page for {show(u - 4, 'B')}. SQLite fills them so that n pages hold up to "
        f"{show(first, 'B')} + (n - 1) × {show(u - 4, 'B')}. From how many pages is the row read?",
        given,
        "pages",
        answer,
        [
            "n: the least whole number with U - 35 + (n - 1)(U - 4) >= P, the row's size in bytes",
            f"(P - {show(first)}) / {show(u - 4)} = {show((payload - first) / (u - 4))}, rounded "
            "up, plus one",
            f"n = {show(answer)}",
        ],
        tolerance=0.0005,
    )


def _ratio(draw):
    while True:
        given = _costs(draw)
        given["blob_kb"] = b = draw.between(10, 900, 10)
        given["page_bytes"] = u = draw.pick(PAGES)
        given["pages"] = n = pages_of(1000 * b + RECORD_BYTES, u)
        q, s = given["page_kb"], given["byte_ratio"]
        row = row_cost(n, u, given["lookup_kb"], q, s)
        answer = file_cost(b, given["open_kb"]) / row
        if apart(row, [row - given["lookup_kb"]]) and apart(answer, [1 / answer]):
            break
    return sheet(
        _cost_words(given) + f"A BLOB of {b} kB can be in a file, or in a row of {n} pages of "
        f"{show(u, 'B')}. What is the time to read the file, divided by the time to read the row?",
        given,
        "",
        answer,
        [
            "R = (o + b) / (f + n (q + s U/1000))",
            f"file: {given['open_kb']} + {b} = {show(given['open_kb'] + b, 'kB')}",
            f"row: {given['lookup_kb']} + {n} × ({q:g} + {s:g} × {u / 1000:g}) = {show(row, 'kB')}",
            f"R = {show(given['open_kb'] + b)} / {show(row)} = {show(answer)}",
        ],
        remark="The ratio is above 1, so the row is faster."
        if answer > 1
        else "The ratio is below 1, so the file is faster.",
    )


def _threshold(draw):
    while True:
        given = _costs(draw)
        given["page_bytes"] = u = draw.pick(PAGES)
        costs = [given[name] for name in ("open_kb", "lookup_kb", "page_kb", "byte_ratio")]
        pages = threshold_pages(u, *costs)
        saved, q, s = costs[0] - costs[1], costs[2], costs[3]
        per_page = q + s * u / 1000 - (u - 4) / 1000
        if 3 <= pages < 1000:
            answer = largest_payload(int(pages), u) / 1000
            if apart(
                answer, [saved / (q + s * u / 1000) * u / 1000, costs[0] / per_page * u / 1000]
            ):
                break
    return sheet(
        _cost_words(given) + f"The page size is {show(u, 'B')}, and a row of n pages holds up to "
        f"{show(u - 35, 'B')} + (n - 1) × {show(u - 4, 'B')}. What is the largest row that is "
        "read at least as fast as a file of the same size?",
        given,
        "kB",
        answer,
        [
            "o + b = f + n (q + s U/1000) with b = (U - 35 + (n - 1)(U - 4))/1000",
            f"n (q + s U/1000 - (U - 4)/1000) <= o - f - 0.031: n <= {show(saved - 0.031)} / "
            f"{show(per_page)} = {show((saved - 0.031) / per_page)}",
            f"n = {show(pages)}, b = {show(answer, 'kB')}",
        ],
        tolerance=0.005,
    )


def _best_page(draw):
    while True:
        given = {
            "blob_kb": draw.between(40, 900, 10),
            "page_us": draw.between(20, 200) / 10,
            "mb_per_s": draw.between(200, 2000, 50),
        }
        b, q_s, rate = given["blob_kb"], given["page_us"] * 1e-6, 1e6 * given["mb_per_s"]
        answer = best_page_bytes(b, q_s * rate / 1000, 1.0) / 1000
        if apart(answer, [answer * 2**0.5 / 2, q_s * rate / 1000]):
            break
    return sheet(
        f"Each page that a row is read from takes {microseconds(q_s)} plus the time for its bytes, "
        f"which are read at {show(given['mb_per_s'], 'MB/s')}. A BLOB is {b} kB, and on average "
        "half of one page is empty. Which page size is best for reading the BLOB?",
        given,
        "kB",
        answer,
        [
            "(b/U + 1/2)(q + U/v) is least where q b/U = U/(2 v): U = sqrt(2 q v b)",
            f"q v = {microseconds(q_s)} × {show(given['mb_per_s'], 'MB/s')} = "
            f"{show(q_s * rate / 1000, 'kB')}",
            f"U = sqrt(2 × {show(q_s * rate / 1000)} × {b}) = {show(answer, 'kB')}",
        ],
        remark="SQLite allows powers of two up to 65,536 bytes, so choose the nearest one.",
    )


def _opening(draw):
    """Two measurements, of a small and a large BLOB, give the cost of opening."""
    while True:
        given = {
            "open_us": draw.between(10, 90),
            "mb_per_s": draw.between(300, 3000, 50),
            "small_kb": draw.between(4, 40, 2),
            "large_kb": draw.between(300, 1000, 50),
        }
        rate = given["mb_per_s"] / 1000  # kB per µs
        small, large = (
            round(given["open_us"] + given[f"{size}_kb"] / rate, 1) for size in ("small", "large")
        )
        per_kb = (large - small) / (given["large_kb"] - given["small_kb"])
        answer = small / per_kb - given["small_kb"]
        if apart(answer, [small / per_kb, given["open_us"], given["small_kb"] * large / small]):
            break
    given["small_us"], given["large_us"] = small, large
    return sheet(
        f"Reading a file of {given['small_kb']} kB takes {small:g} µs, and reading one of "
        f"{given['large_kb']} kB takes {large:g} µs. Both are in the operating system's cache. How "
        "many kB could be read in the time it takes to open a file?",
        given,
        "kB",
        answer,
        [
            "time = c (o + b), so c is the slope between the two points, and o = time / c - b",
            f"c = ({large:g} - {small:g}) / ({given['large_kb']} - {given['small_kb']}) = "
            f"{show(per_kb, 'µs/kB')}",
            f"o = {small:g} / {show(per_kb)} - {given['small_kb']} = {show(answer, 'kB')}",
        ],
    )


KINDS = {
    "pages": ("How many pages does a row take?", _pages, 1),
    "ratio": ("File time divided by row time", _ratio, 2),
    "threshold": ("Above which size is a file faster?", _threshold, 3),
    "best-page": ("The best page size", _best_page, 2),
    "cost-of-opening": ("What does opening a file cost?", _opening, 2),
}
