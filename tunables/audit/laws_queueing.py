"""Little's law and its consequences for clients, throughput, latency and utilisation."""

from tunables.audit.checks import AuditLaw, Check, Relation
from tunables.audit.intervals import INFINITY
from tunables.audit.values import plain, value_text

# A closed-loop client also needs time between an answer and its next request. So much of the
# latency counts as none, or half as much again as the middle row of the table needs. In the
# samples pgbench, hey and ab left next to nothing, but redis-benchmark, whose clients share one
# thread, 46%.
CLIENT_TIME = 0.2
_FEWEST_ROWS = 3  # with fewer rows, only more requests in flight than clients are impossible
# Latencies and throughput are not measured over exactly the same time.
EDGES = 0.01

LITTLE = AuditLaw(
    "Little's law",
    "N = X (R + Z): requests in flight = throughput × (latency + think time)",
    "Little (1961), Operations Research 9, 383-387; Denning & Buzen (1978), ACM Computing Surveys "
    "10, 225-261, interactive response time law",
    "each client sends its next request as soon as the last one is answered",
)
LITTLE_TAIL = AuditLaw(
    "Little's law with Markov's inequality",
    "(1 - p) X P(p) ≤ N: throughput × share above a percentile × the percentile ≤ clients",
    "Markov's inequality: for a share 1 - p of the requests, the latency is P(p) or more, so the "
    "mean latency is at least (1 - p) P(p); combined with Little (1961)",
    "each client has at most one request in flight",
)
UTILISATION = AuditLaw(
    "the utilisation law",
    "U = X D / m: utilisation = throughput × service time / servers",
    "Denning & Buzen (1978), ACM Computing Surveys 10, 225-261",
    "the utilisation refers to these operations and these servers",
)
CAPACITY = AuditLaw(
    "the bottleneck bound",
    "X ≤ m / D: throughput ≤ servers / service time",
    "Denning & Buzen (1978), ACM Computing Surveys 10, 225-261, asymptotic bounds",
    "each operation keeps one server busy for the service time",
)
_ONLY_A_BOUND = (
    "Little's law is used here only as an upper bound, because we don't assume that every client "
    "is always busy."
)
# What else than a wrong number puts more requests in flight than there are clients.
_MORE_IN_FLIGHT = [
    "a tool that corrects its latencies (such as wrk, wrk2 or HdrHistogram)",
    "pipelining",
    "latencies that include timeouts",
]
RESPONSE = AuditLaw(
    "the asymptotic bound on the latency",
    "R ≥ N D / m - Z: latency ≥ clients × service time / servers - think time",
    "Denning & Buzen (1978); Lazowska et al., Quantitative System Performance (1984), chapter 5",
    "closed-loop clients share these servers",
)


def _number(sheet, cell):
    return sheet.number(cell).value


def _count_of(text):
    return "1 client" if text == "1" else text + " clients"


def _flight(sheet, cells):
    """Return a reason in words: how many requests the printed numbers put in flight.

    cells: of clients, throughput, latency and, where it is printed, the think time.
    """
    clients, rate, latency = cells[:3]
    think = cells[3] if len(cells) > 3 else None

    def reason(text):
        per = _number(sheet, latency) + (_number(sheet, think) if think else 0)
        flight = _number(sheet, rate) * per
        waits = f" and a think time of {text(think)}" if think else ""
        many = "only " if flight < _number(sheet, clients) else ""
        return (
            f"{text(rate)} at {text(latency)}{waits} keeps {many}{plain(flight)} requests in "
            + f"flight, but the row has {_count_of(text(clients))}."
        )

    return reason


def _clients(sheet):
    """Return (column of clients, whether it is one of threads that are taken for clients)."""
    found = sheet.of("clients")
    words = ("client", "concurren", "virtual user", "user", "vu")
    named = [c for c in found if any([word in c.head.lower() for word in words])]
    if named or found:
        return (named or found)[0], False
    threads = [c for c in sheet.of("servers") if "thread" in c.head.lower()]
    return (threads[0], True) if len(threads) == 1 else (None, False)


def littles_law(sheet) -> list:
    """Return the relations of Little's law: N = X (R + Z), for each throughput and its latency.

    Where a think time is printed the law is exact; else it allows CLIENT_TIME of the latency
    between requests, if the table has rows enough to show that its clients don't think. More
    requests in flight than clients are impossible in any case.
    """
    clients, guessed = _clients(sheet)
    rates, latencies = sheet.of("throughput"), sheet.of("latency")
    if clients is None:
        return []
    found = []
    for rate in rates:
        latency = sheet.partner(rate, latencies)
        if latency is None or sheet.partner(latency, rates) is not rate:
            continue
        think = sheet.one("think")
        if think is not None:
            found.append(_with_think_time(sheet, clients, rate, latency, think))
            continue
        rows = list(sheet.complete([clients, rate, latency]))
        words = f"{clients.name} = {rate.name} × {latency.name}"
        low = _least_in_flight(sheet, rows, clients, rate, latency)
        checks = [_no_think_time(sheet, row, clients, rate, latency, low) for row in rows]
        relation = Relation(LITTLE, checks, "found" if guessed else "assumed", words)
        if not guessed:
            bounds = [_no_think_time(sheet, row, clients, rate, latency, 0.0) for row in rows]
            upper = Relation(LITTLE_TAIL, bounds, "certain", f"{rate.name} × {latency.name} ≤ N")
            relation.otherwise, relation.weakened = upper, _ONLY_A_BOUND
            if len(rows) < _FEWEST_ROWS:
                relation.trust = "only if kept"
        found.append(relation)
    return found


def _least_in_flight(sheet, rows, clients, rate, latency):
    """Return the least share of the clients that must have a request in flight."""
    waits = []
    for row in rows:
        flight = rate.numbers[row].value * latency.numbers[row].value
        waits.append(clients.numbers[row].value / flight - 1 if flight > 0 else 0.0)
    waits.sort()
    usual = waits[(len(waits) - 1) // 2] if len(waits) >= _FEWEST_ROWS else 0.0
    return 1 / (1 + max(CLIENT_TIME, 1.5 * usual))


def _no_think_time(sheet, row, clients, rate, latency, low):
    """Return the check that the requests in flight are from a share low of the clients to all."""
    cells = [(row, c.index) for c in (clients, rate, latency)]
    terms = [(-1, 1, 0), (1, 1, 0), (1, 1, 0)]
    check = Check(LITTLE, cells, terms, low, 1 + EDGES, _flight(sheet, cells))
    check.assume, check.bound = _assumption, (0.0, 1.0)
    check.ideal = (1.0, 1.0) if low else check.bound
    check.explain = _explanations(sheet, cells)
    return check


def _assumption(side):
    return LITTLE.kept_if if side == "low" else LITTLE_TAIL.kept_if


def _explanations(sheet, cells):
    """Return a function of the missed side that gives what else would explain a row."""

    def explain(side):
        if side == "high":
            return _MORE_IN_FLIGHT
        clients, rate, latency = [_number(sheet, cell) for cell in cells]
        left = clients / rate - latency if rate else 0
        if left <= 0:
            return []
        return [f"a think time of {value_text(left, sheet.number(cells[2]))} between requests"]

    return explain


def _with_think_time(sheet, clients, rate, latency, think):
    """Return Little's law where the think time is printed, as a sum: R + Z - N/X = 0.

    It is linear in R, Z and the time N/X, which is one cell if either N or X is exact.
    """
    checks = []
    for row in sheet.complete([clients, rate, latency, think]):
        cells = [(row, c.index) for c in (clients, rate, latency, think)]
        zero = sheet.number(cells[3]).value == 0
        terms = [(-1, 1, 0), (1, 1, 0), (1, 1, _number(sheet, cells[3]))]
        low, high = (1 / (1 + CLIENT_TIME), 1 + EDGES) if zero else (1 - EDGES, 1 + EDGES)
        spread = sheet.number(cells[3]).interval(True)
        wide = (spread[1] - spread[0]) / max(
            _number(sheet, cells[2]) + _number(sheet, cells[3]), 1e-300
        )
        reason = _flight(sheet, cells)
        check = Check(LITTLE, cells[:3], terms, low - wide, high + wide, reason)
        check.ideal = (1.0, 1.0)
        checks.append(check)
    return Relation(LITTLE, checks, "assumed", f"{clients.name} = {rate.name} × (R + Z)")


def percentiles_in_flight(sheet) -> list:
    """Return the relations (1 - p) X P(p) ≤ N, which need no mean and no think time."""
    clients, guessed = _clients(sheet)
    if clients is None or guessed:
        return []
    found = []
    rates = sheet.of("throughput")
    for percentile in sheet.of("percentile"):
        rate = sheet.partner(percentile, rates)
        if rate is None or not percentile.p or percentile.p >= 1:
            continue
        above = 1 - percentile.p
        checks = []
        for row in sheet.complete([clients, rate, percentile]):
            cells = [(row, c.index) for c in (clients, rate, percentile)]
            terms = [(-1, 1, 0), (1, 1, 0), (1, above, 0)]
            reason = _tail_reason(sheet, cells, percentile)
            check = Check(LITTLE_TAIL, cells, terms, 0.0, 1 + EDGES, reason)
            check.assume, check.ideal = _assume(LITTLE_TAIL), (0.0, 1.0)
            check.bound, check.explain = check.ideal, lambda side: _MORE_IN_FLIGHT
            checks.append(check)
        words = f"{plain(100 * above)}% of {rate.name} × {percentile.name} ≤ {clients.name}"
        found.append(Relation(LITTLE_TAIL, checks, "certain", words))
    return found


def _tail_reason(sheet, cells, percentile):
    def reason(text):
        slow = (1 - percentile.p) * _number(sheet, cells[1]) * _number(sheet, cells[2])
        return (
            f"At {text(cells[1])}, {plain(100 * (1 - percentile.p))}% of the requests take "
            + f"{text(cells[2])} or more, so they alone keep {plain(slow)} requests in flight, "
            + f"but the row has {_count_of(text(cells[0]))}."
        )

    return reason


def _assume(law):
    return lambda side: law.kept_if


def utilisation_law(sheet) -> list:
    """Return the relations U = X D / m, where utilisation and service time are printed."""
    busy, rate, service = sheet.one("utilisation"), sheet.one("throughput"), sheet.one("service")
    servers = sheet.one("servers")
    if busy is None or rate is None or service is None:
        return []
    columns = [busy, rate, service] + ([servers] if servers else [])
    checks = []
    for row in sheet.complete(columns):
        cells = [(row, c.index) for c in columns]
        terms = [(-1, 1, 0), (1, 1, 0), (1, 1, 0)] + ([(-1, 1, 0)] if servers else [])

        def reason(text, cells=cells):
            share = _number(sheet, cells[1]) * _number(sheet, cells[2])
            share /= _number(sheet, cells[3]) if servers else 1
            who = f"{text(cells[3])} servers" if servers else "one server"
            return (
                f"{text(cells[1])} at a service time of {text(cells[2])} keeps {who} "
                + f"{plain(100 * share)}% busy, but the row says {text(cells[0])}."
            )

        check = Check(UTILISATION, cells, terms, 1.0, 1.0, reason)
        check.assume, check.primary = _assume(UTILISATION), 0
        checks.append(check)
    words = f"{busy.name} = {rate.name} × {service.name}" + (
        f" / {servers.name}" if servers else ""
    )
    return [Relation(UTILISATION, checks, "assumed", words)]


def capacity_bound(sheet) -> list:
    """Return the relations X ≤ m / D: no more throughput than the servers can give."""
    rate, service, servers = sheet.one("throughput"), sheet.one("service"), sheet.one("servers")
    if rate is None or service is None:
        return []
    columns = [rate, service] + ([servers] if servers else [])
    checks = []
    for row in sheet.complete(columns):
        cells = [(row, c.index) for c in columns]
        terms = [(1, 1, 0), (1, 1, 0)] + ([(-1, 1, 0)] if servers else [])

        def reason(text, cells=cells):
            who = f"{text(cells[2])} servers" if servers else "one server"
            return f"At {text(cells[1])} per operation, {who} can't complete {text(cells[0])}."

        check = Check(CAPACITY, cells, terms, 0.0, 1.0, reason)
        check.assume = _assume(CAPACITY)
        checks.append(check)
    return [Relation(CAPACITY, checks, "certain" if servers else "assumed", "X ≤ m / D")]


def response_bound(sheet) -> list:
    """Return the relations R ≥ N D / m, of tables without think time."""
    clients, guessed = _clients(sheet)
    latency, service, servers = sheet.one("latency"), sheet.one("service"), sheet.one("servers")
    if clients is None or guessed or latency is None or service is None or sheet.of("think"):
        return []
    columns = [latency, clients, service] + ([servers] if servers else [])
    checks = []
    for row in sheet.complete(columns):
        cells = [(row, c.index) for c in columns]
        terms = [(1, 1, 0), (-1, 1, 0), (-1, 1, 0)] + ([(1, 1, 0)] if servers else [])

        def reason(text, cells=cells):
            return (
                f"{text(cells[1])} clients that need {text(cells[2])} of service each can't all "
                + f"be answered within {text(cells[0])}."
            )

        check = Check(RESPONSE, cells, terms, 1 / (1 + CLIENT_TIME), INFINITY, reason)
        check.assume, check.ideal = _assume(RESPONSE), (1.0, INFINITY)
        check.bound = check.ideal
        checks.append(check)
    return [Relation(RESPONSE, checks, "assumed", "R ≥ N D / m")]
