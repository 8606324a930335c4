"""A BLOB in a file or in a row of SQLite: the pages it takes, and what reading it costs.

Payloads are in bytes. Costs are in the time that a file takes to deliver 1,000 bytes, written kB.
"""

import math

from tunables.base.arguments import integer, number

LARGEST_PAYLOAD = 2**31 - 1
LEAST_PAGE, LARGEST_PAGE = 512, 65_536
_POINTER = 4  # bytes at the head of an overflow page: the number of the next one
_PAGE_HEADER, _CELL_POINTER = 8, 2  # of a leaf of a table
_INTERIOR_HEADER = 12
_CELL = 4 + 3 + _CELL_POINTER  # of an interior page: a child, a key of three bytes, a pointer


def _page(page_bytes):
    return integer("page_bytes", page_bytes, LEAST_PAGE, LARGEST_PAGE)


def _payload(payload_bytes):
    return integer("payload_bytes", payload_bytes, 1, LARGEST_PAYLOAD)


def local_bytes(payload_bytes: int, page_bytes: int) -> int:
    """Return how many bytes of a row are in its leaf; the rest is in overflow pages.

    With U bytes per page, X = U - 35 and M = floor(32 (U - 12)/255) - 23, a row of P bytes has

    - all P in the leaf if P <= X
    - else K = M + (P - M) mod (U - 4) if K <= X, so that its overflow pages are full
    - else M

    Raises ValueError unless P is a whole number from 1 to 2^31 - 1 and U one from 512 to 65,536.
    SQLite itself takes only powers of two. No bytes are reserved at the end of a page.
    Source: SQLite's file format, section on payload overflow, for a leaf of a table.

    >>> local_bytes(10_000, 16_384), local_bytes(10_000, 1024)
    (10000, 820)
    """
    u, p = _page(page_bytes), _payload(payload_bytes)
    most = u - 35
    if p <= most:
        return p
    least = (u - 12) * 32 // 255 - 23
    fills = least + (p - least) % (u - _POINTER)
    return fills if fills <= most else least


def pages_of(payload_bytes: int, page_bytes: int) -> int:
    """Return how many pages a row is read from: its leaf, and ceil((P - local)/(U - 4)) more.

    Arguments and errors as for `local_bytes`.

    >>> [pages_of(10_005, page) for page in (1024, 4096, 16_384)]
    [10, 3, 1]
    """
    rest = _payload(payload_bytes) - local_bytes(payload_bytes, page_bytes)
    return 1 + -(-rest // (_page(page_bytes) - _POINTER))


def largest_payload(pages: int, page_bytes: int) -> int:
    """Return the bytes of the largest row that fits in n pages: U - 35 + (n - 1)(U - 4).

    Raises ValueError unless n is a whole number of at least 1, and as `local_bytes` does.

    >>> [pages_of(largest_payload(3, 4096) + more, 4096) for more in (0, 1)]
    [3, 4]
    """
    u = _page(page_bytes)
    return u - 35 + (integer("pages", pages, at_least=1) - 1) * (u - _POINTER)


def rows_per_leaf(payload_bytes: int, page_bytes: int) -> int:
    """Return how many equal rows, added in the order of their keys, share a leaf.

    A row takes its local bytes, 6 of header, 4 more if it overflows, and 2 for its pointer.
    Arguments and errors as for `local_bytes`.

    >>> rows_per_leaf(10_000, 65_536)
    6
    """
    local = local_bytes(payload_bytes, page_bytes)
    header = 6 + (_POINTER if local < _payload(payload_bytes) else 0)
    return max(1, (_page(page_bytes) - _PAGE_HEADER) // (local + header + _CELL_POINTER))


def interior_fanout(page_bytes: int) -> int:
    """Return how many children a full interior page of a table has: (U - 12)/9, and one more.

    Arguments and errors as for `local_bytes`.

    >>> interior_fanout(1024)
    113
    """
    return (_page(page_bytes) - _INTERIOR_HEADER) // _CELL + 1


def file_cost(blob_kb: float, open_kb: float) -> float:
    """Return what reading a BLOB from a file of its own costs: o + b.

    o: whatever comes before and after the bytes, such as finding the file's name, opening the file
    and closing it.

    Raises ValueError unless the size b is above 0 and the cost o of opening is not negative.

    >>> file_cost(10, 120)
    130.0
    """
    return number("open_kb", open_kb, at_least=0) + number("blob_kb", blob_kb, above=0)


def row_cost(
    pages: float, page_bytes: int, lookup_kb: float, page_kb: float, byte_ratio: float
) -> float:
    """Return what reading a BLOB from n pages of a database costs: f + n (q + s U/1000).

    f: finding the row; q: each page; s: a byte of a page, over a byte of a file.
    Raises ValueError for a number of pages or a cost that is negative, and for a page that
    `local_bytes` refuses.

    >>> row_cost(3, 4096, 35, 4, 1.25)
    62.36
    """
    n = number("pages", pages, at_least=0)
    q = number("page_kb", page_kb, at_least=0)
    s = number("byte_ratio", byte_ratio, at_least=0)
    return number("lookup_kb", lookup_kb, at_least=0) + n * (q + s * _page(page_bytes) / 1000)


def threshold_pages(
    page_bytes: int, open_kb: float, lookup_kb: float, page_kb: float, byte_ratio: float
) -> float:
    """Return the most pages with which a row is read at least as fast as a file; can be inf.

    A full row of n pages has the payload of `largest_payload`, so it costs no more than a file if

        n (q + s U/1000 - (U - 4)/1000) <= o - f + ((U - 35) - (U - 4))/1000

    Returns 0 if no full row does, and inf if each page costs less than the file's bytes in it:
    then all large rows are faster, although small ones may not be.
    Raises ValueError as `file_cost` and `row_cost` do.

    >>> threshold_pages(4096, 120, 35, 4, 1.25)
    16
    """
    u = _page(page_bytes)
    per_page = row_cost(1, u, 0, page_kb, byte_ratio) - (u - _POINTER) / 1000
    saved = number("open_kb", open_kb, at_least=0) - number("lookup_kb", lookup_kb, at_least=0)
    saved += (_POINTER - 35) / 1000
    if per_page < 0 or (per_page == 0 and saved >= 0):
        return math.inf
    if per_page == 0:
        return 0
    return max(0, math.floor(saved / per_page))


def best_page_bytes(blob_kb: float, page_kb: float, byte_ratio: float) -> float:
    """Return the approximate page size at which a row of several pages costs least: sqrt(2 q b/s).

    A BLOB of b kB takes b/u + 1/2 pages of u kB on average: half of one page is empty. So it
    costs (b/u + 1/2)(q + s u), least where the cost of the pages, q b/u, is that of the empty
    bytes, s u/2. It is the square root of the economic order quantity (Harris 1913).
    Raises ValueError unless all three are above 0.

    >>> round(best_page_bytes(100, 4, 1.25))
    25298
    """
    b, q = number("blob_kb", blob_kb, above=0), number("page_kb", page_kb, above=0)
    return 1000 * math.sqrt(2 * q * b / number("byte_ratio", byte_ratio, above=0))
