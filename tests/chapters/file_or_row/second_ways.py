"""Second ways to the answers of chapter 7: counting, fractions, searching, SQLite's own rule."""

from fractions import Fraction

import numpy as np
from scipy.optimize import minimize_scalar

from tunables.theory.blob_storage import local_bytes


def pages(given):
    """Fill the leaf by SQLite's rule, then page after page."""
    u, payload = given["page_bytes"], given["blob_bytes"] + 5
    left, count = payload - local_bytes(payload, u), 1
    while left > 0:
        left -= u - 4
        count += 1
    return count


def _exact(given, *names):
    return [Fraction(str(given[name])) for name in names]


def _row(given, n):
    u, f, q, s = _exact(given, "page_bytes", "lookup_kb", "page_kb", "byte_ratio")
    return f + n * (q + s * u / 1000)


def ratio(given):
    o, b = _exact(given, "open_kb", "blob_kb")
    return float((o + b) / _row(given, given["pages"]))


def threshold(given):
    """Try one page after the other until a full row is slower than its file."""
    u, o, n = given["page_bytes"], Fraction(str(given["open_kb"])), 1

    def size(pages):
        return Fraction(u - 35 + (pages - 1) * (u - 4), 1000)

    while o + size(n + 1) >= _row(given, n + 1):
        n += 1
    return float(size(n))


def best_page(given):
    q, rate = given["page_us"] * 1e-6, 1e3 * given["mb_per_s"]  # s and kB/s
    found = minimize_scalar(
        lambda u: (given["blob_kb"] / u + 0.5) * (q + u / rate),
        bounds=(0.1, 5000),
        method="bounded",
    )
    return found.x


def cost_of_opening(given):
    """Draw the line through both times; it is 0 at minus the answer."""
    sizes = [given["small_kb"], given["large_kb"]]
    slope, start = np.polyfit(sizes, [given["small_us"], given["large_us"]], 1)
    return start / slope


PATHS = {
    "pages": pages,
    "ratio": ratio,
    "threshold": threshold,
    "best-page": best_page,
    "cost-of-opening": cost_of_opening,
}
