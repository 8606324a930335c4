"""Arithmetic that the numbers show: which column is a ratio, change, sum or share of which others.

Heads seldom say what a "Speedup" is relative to. So all candidates near a column are tried, and
the one that most rows satisfy is taken, if that is no chance: each row that satisfies it counts by
how unlikely it was to (`_EVIDENCE`), and most rows must. The rows that do not are then judged.
"""

import math

from tunables.audit.checks import AuditLaw, Check, Relation
from tunables.audit.meanings import words_of
from tunables.audit.values import plain, value_text

RATIO = AuditLaw("a ratio", "q = a / b", "arithmetic", "the ratio is computed as in most rows")
CHANGE = AuditLaw(
    "a change in percent",
    "p = b / a - 1, or 1 - b / a for a reduction",
    "arithmetic",
    "the change is computed as in most rows",
)
DIFFERENCE = AuditLaw(
    "a difference", "d = a - b", "arithmetic", "the difference is computed as in most rows"
)
TOTAL = AuditLaw(
    "a sum", "t = a + b + ...", "arithmetic", "these cells are all the parts of the sum"
)
PORTION = AuditLaw(
    "a share of a total",
    "p = a / (a + b + ...)",
    "arithmetic",
    "these rows make up the total",
)

MEAN_OF = AuditLaw("a mean", "m = s / n", "arithmetic", "the mean is computed as in most rows")

_EVIDENCE = {True: 3.0, False: 6.0}  # powers of ten; by whether head or unit hint at it
_DOUBT_OF_BASE = 4.0  # how much more must speak for a base that is itself wrong
_MOST_ROWS_TRIED = 40
_MOST_OPERANDS = 8
LARGEST_SUM = 200
_TOTALS = ("total", "sum", "totals", "overall", "all", "gesamt", "combined")
_HINTED = ("ratio", "change", "share", "difference", "total")
_MEAN_WORDS = ("mean", "avg", "average", "per")
_NEVER = ("label", "clients", "servers", "size", "cache", "duration", "percentile")


class _Way:
    """One way in which a column may follow from others.

    form: "quotient", "up", "down", "difference" or "sum"; operands: for each row the cells, the
    result's apart, or None; law, words: as in a Relation; base: whether all rows are compared with
    one; scales: factors of two operands, where only one of their heads names the unit.
    """

    def __init__(self, law, form, operands, words, base=False, scales=None):
        self.law, self.form, self.operands, self.words, self.base = law, form, operands, words, base
        self.scales, self.wrong_base = scales, False

    def values(self, numbers):
        """Return the values of the operands."""
        values = [number.value for number in numbers]
        if self.scales:
            values = [value * factor for value, factor in zip(values, self.scales)]
        return values


def _result(form, values):
    """Return what the operands make, or None: a/b, a/b - 1, 1 - a/b, a - b or a + b + ..."""
    if form == "sum":
        total = 0.0
        for value in values:
            total += value
        return total
    a, b = values
    if form == "difference":
        return a - b
    if b == 0 or a <= 0 or b < 0:
        return None
    return a / b if form == "quotient" else a / b - 1 if form == "up" else 1 - a / b


def _tolerance(form, numbers, values, result):
    """Return how far the operands' digits let the result stray, roughly."""
    if form in ("sum", "difference"):
        total = 0.0
        for number in numbers:
            total += number.step * number.factor
        return total
    relative = 0.0
    for number, value in zip(numbers, values):
        relative += number.step / abs(number.last) if number.last and value else 1.0
    size = result if form == "quotient" else 1 + result if form == "up" else 1 - result
    return abs(size) * relative


class _Fit:
    """How well a way fits a column: rows that do, rows that do not, and the evidence."""

    def __init__(self, way, kept, missed, evidence):
        self.way, self.kept, self.missed, self.evidence = way, kept, missed, evidence

    def is_better_than(self, other):
        if other is None:
            return True
        return self.evidence - self.missed > other.evidence - other.missed


def _try(sheet, column, way, spread):
    """Return the _Fit of a way on the first rows, or None where it can't be judged."""
    kept = missed = 0
    evidence = 0.0
    seen: dict = {}
    base_value = _common_base(sheet, column, way) if way.base else None
    way.wrong_base = base_value is not None
    if way.wrong_base:
        evidence -= _DOUBT_OF_BASE
    for row in range(_tried(sheet)):
        target = column.numbers[row]
        cells = way.operands(row)
        if target is None or cells is None or row in sheet.short:
            continue
        numbers = [sheet.number(cell) for cell in cells]
        if None in numbers:
            continue
        values = way.values(numbers)
        if base_value is not None:
            values = [base_value if cell[0] != row else value for cell, value in zip(cells, values)]
        result = _result(way.form, values)
        if result is None:
            continue
        allowed = target.step * target.factor + _tolerance(way.form, numbers, values, result)
        if abs(result - target.value) <= allowed * (1 + 1e-9):
            kept += 1
            if target.text in seen or not target.value:
                continue  # the same number again, or 0, says little
            seen[target.text] = True
            evidence += max(0.0, -math.log10(max(min(2 * allowed / spread, 1.0), 1e-6)))
        else:
            missed += 1
            if missed > 4 and missed > kept:
                return None
    return _Fit(way, kept, missed, evidence) if kept else None


def _neutral(way_form, number):
    """Say whether a base row's own cell is blank, or 1 (or 100%) for a ratio, or 0 for a change."""
    if number is None:
        return True
    return (
        abs(number.value - (1.0 if way_form == "quotient" else 0.0)) <= number.step * number.factor
    )


def _common_base(sheet, column, way):
    """Return the base value that the rows themselves imply, their median, or None.

    So a wrong base is found where all other rows agree on another one. It counts only if the base
    row says itself that it is the base.
    """
    found = [_implied_base(sheet, column, way, row) for row in range(_tried(sheet))]
    found = [each for each in found if each]
    if len(found) < 3:
        return None
    base_cell = found[0][0]
    if any([cell != base_cell for cell, _ in found]):
        return None
    if not _neutral(way.form, column.numbers[base_cell[0]]):
        return None
    implied = sorted([value for _, value in found])
    middle = implied[len(implied) // 2]
    printed = sheet.number(base_cell)
    if printed is not None and abs(middle - printed.value) <= 0.02 * abs(printed.value):
        return None  # the printed base does as well, and more exactly
    return middle


def _tried(sheet):
    return min(sheet.rows, _MOST_ROWS_TRIED)


def _implied_base(sheet, column, way, row):
    """Return (base cell, value) that a row's own numbers ask of the base, or None."""
    cells, target = way.operands(row), column.numbers[row]
    if cells is None or target is None:
        return None
    bases = [cell for cell in cells if cell[0] != row]
    own = [sheet.number(cell) for cell in cells if cell[0] == row]
    if len(bases) != 1 or own[0] is None or own[0].value <= 0:
        return None
    q = {"quotient": target.value, "up": 1 + target.value, "down": 1 - target.value}[way.form]
    if q <= 0:
        return None
    return bases[0], own[0].value / q if cells[1] == bases[0] else own[0].value * q


def _pairs(column, operands):
    """Yield the ways in which a column follows from two others in the same row."""
    for a in operands:
        for b in operands:
            if a is b or (a.kind != b.kind and a.kind and b.kind):
                continue

            def cells(row, a=a, b=b):
                return [(row, a.index), (row, b.index)]

            scales = None if a.kind == b.kind else (b.factor, 1) if b.kind else (1, a.factor)
            words = f"{a.name} / {b.name}"
            if column.kind in ("share", "times") or column.meaning in _HINTED:
                yield _Way(RATIO, "quotient", cells, words, False, scales)
                if column.kind == "share" or column.meaning == "change":
                    yield _Way(CHANGE, "up", cells, words + " - 1", False, scales)
                    yield _Way(CHANGE, "down", cells, "1 - " + words, False, scales)
            if column.kind == a.kind:
                yield _Way(DIFFERENCE, "difference", cells, f"{a.name} - {b.name}")


def _says_mean(column):
    """Say whether a column may be a sum over a count, by its head."""
    return column.meaning == "measured" and any([w in _MEAN_WORDS for w in words_of(column.head)])


def _means(sheet, column, operands):
    """Yield the ways in which a column is the mean of a sum over a count."""
    for a in operands:
        for b in operands:
            if a is b or a.kind != column.kind or b.kind:
                continue

            def cells(row, a=a, b=b):
                return [(row, a.index), (row, b.index)]

            yield _Way(MEAN_OF, "quotient", cells, f"{a.name} / {b.name}")


def _is_base(column, row):
    number = column.numbers[row]
    return number is None or number.value in (0.0, 1.0)


def _against_a_row(sheet, column, operands):
    """Yield the ways in which a column compares each row with a base row."""
    if column.kind not in ("share", "times", "") or sheet.rows < 3:
        return
    rows = [row for row in range(_tried(sheet)) if _is_base(column, row)][:2]
    rows += [row for row in (0, sheet.rows - 1) if row not in rows]
    for a in operands:
        for base in rows:
            if a.numbers[base] is not None and base not in sheet.short:
                yield from _with_base(sheet, column, a, base)

        def before(row, a=a):
            return [(row, a.index), (row - 1, a.index)] if row else None

        yield _Way(RATIO, "quotient", before, f"{a.name} / {a.name} in the row above")
        if column.kind == "share":
            yield _Way(CHANGE, "up", before, f"{a.name} / {a.name} in the row above - 1")


def _with_base(sheet, column, a, base):
    """Yield the ways in which a column compares a's numbers with that of one row."""

    def over(row):
        return [(row, a.index), (base, a.index)] if row != base else None

    def under(row):
        return [(base, a.index), (row, a.index)] if row != base else None

    name = sheet.labels[base] or f"row {base + 1}"
    words = f"{a.name} / {a.name} of {name}", f"{a.name} of {name} / {a.name} here"
    for cells, said in ((over, words[0]), (under, words[1])):
        yield _Way(RATIO, "quotient", cells, said, base=True)
        if column.kind == "share" or column.meaning == "change":
            yield _Way(CHANGE, "up", cells, said + " - 1", base=True)
            yield _Way(CHANGE, "down", cells, "1 - " + said, base=True)


def _sums(sheet, column):
    """Yield the ways in which a column is the sum of its neighbours."""
    same = [
        c
        for c in sheet.columns
        if c is not column
        and c.read()
        and c.kind == column.kind
        and c.meaning not in ("ratio", "change", "share", "clients", "label")
    ]
    left = [c for c in same if c.index < column.index]
    right = [c for c in same if c.index > column.index]
    for parts in (left, right, left + right):
        if 2 <= len(parts) <= 20:

            def cells(row, parts=parts):
                return [(row, c.index) for c in parts]

            yield _Way(TOTAL, "sum", cells, " + ".join([c.name for c in parts]))
            if len(parts) > 2:
                near = parts[-2:] if parts is left else parts[:2]

                def two(row, near=near):
                    return [(row, c.index) for c in near]

                yield _Way(TOTAL, "sum", two, " + ".join([c.name for c in near]))


def _terms(way):
    """Return the terms and the target of a check: the result comes first."""
    a, b = way.scales or (1, 1)
    if way.form == "quotient":
        return [(1, 1, 0), (-1, a, 0), (1, b, 0)], 1.0
    if way.form == "up":
        return [(1, 1, 1), (-1, a, 0), (1, b, 0)], 1.0
    if way.form == "down":
        return [(1, -1, 1), (-1, a, 0), (1, b, 0)], 1.0
    if way.form == "difference":
        return [1.0, -1.0, 1.0], 0.0
    return [1.0] + [-1.0] * 20, 0.0


def _reason(sheet, way, column, cells):
    def reason(text):
        result = _result(way.form, way.values([sheet.number(cell) for cell in cells[1:]]))
        parts = [text(cell) for cell in cells[1:]]
        if way.form == "sum":
            return f"{' + '.join(parts)} does not add up to {text(cells[0])}."
        if result is None:
            return f"{parts[0]} and {parts[1]} do not give {text(cells[0])}."
        if way.form == "difference":
            return f"{parts[0]} - {parts[1]} is not {text(cells[0])}."
        shown = sheet.number(cells[0])
        share = shown.kind == "share"
        exact = plain(100 * result if share else result, max(_digits(shown) + 1, 3))
        exact += "%" if share else "x" if shown.kind == "times" else ""
        if way.law is MEAN_OF:
            exact = value_text(result, shown, 4)
        a, b, printed = parts[0], parts[1], text(cells[0])
        if way.form == "down":
            return f"Going from {b} to {a} is a reduction of {exact}, not {printed}."
        if way.form == "up":
            return f"Going from {b} to {a} is a change of {exact}, not {printed}."
        return f"{a} / {b} is {exact}, not {printed}."

    return reason


def _digits(number):
    """Return how many significant digits a number is printed with."""
    size = abs(number.last)
    return max(math.floor(math.log10(size)) - number.power + 1, 1) if size else 1


def _checks(sheet, column, way):
    terms, target = _terms(way)
    checks = []
    for row in range(sheet.rows):
        operands = way.operands(row)
        if operands is None or column.numbers[row] is None or row in sheet.short:
            continue
        if any([sheet.number(c) is None or c[0] in sheet.short for c in operands]):
            continue
        cells = [(row, column.index)] + operands
        linear = way.form in ("difference", "sum")
        values = [sheet.number(c).value for c in operands]
        if not linear and min(values) <= 0:
            continue
        check = Check(
            way.law,
            cells,
            terms[: len(cells)],
            target,
            target,
            _reason(sheet, way, column, cells),
            linear,
        )
        check.assume = lambda side: f"{column.name} is {way.words}, as in most rows"
        check.primary, check.derived = 0, True
        checks.append(check)
    return checks


def column_relations(sheet) -> list:
    """Return the relations that the numbers of the table's own columns show."""
    found = []
    taken: dict = {}
    for column in sheet.columns:
        values = [number.value for number in column.read()]
        hinted = column.meaning in _HINTED or _says_mean(column)
        if (
            len(values) < 2
            or column.meaning in _NEVER
            or not (hinted or column.meaning == "measured")
        ):
            continue
        spread = max(values) - min(values)
        if spread <= 0:
            continue
        fit = best_fit(sheet, column, spread, hinted)
        if fit is None:
            continue
        enough = fit.kept >= (2 if hinted else 4) and fit.kept * 5 >= 3 * (fit.kept + fit.missed)
        if not hinted:
            enough = enough and fit.kept * 5 >= 4 * (fit.kept + fit.missed)
        if not enough or fit.evidence < _EVIDENCE[hinted]:
            continue
        if fit.way.form in ("sum", "difference"):
            # t = a + b is also a = t - b: one of the two is enough
            key = "+".join(
                sorted([str(c[1]) for c in fit.way.operands(1) or []] + [str(column.index)])
            )
            if key in taken:
                continue
            taken[key] = True
        words = f"{column.name} = {fit.way.words}"
        trust = "certain" if fit.way.wrong_base else "found"
        found.append(Relation(fit.way.law, _checks(sheet, column, fit.way), trust, words))
    return found


def best_fit(sheet, column, spread, hinted):
    """Return the way that fits a column best, or None."""
    operands = [
        c
        for c in sheet.columns
        if c is not column
        and c.read()
        and c.meaning not in ("label", "change", "share")
        and not (c.meaning == "ratio" and c.kind)
    ]
    operands.sort(key=lambda c: abs(c.index - column.index))
    operands = operands[: _MOST_OPERANDS if hinted else 4]
    ways = [] if column.meaning == "total" else list(_pairs(column, operands))
    if _says_mean(column):
        return _fittest(sheet, column, _means(sheet, column, operands), spread)
    if hinted and column.meaning not in ("total", "difference"):
        ways += list(_against_a_row(sheet, column, operands))
        ways += list(_portions(sheet, column, operands))
    if column.meaning == "total" or not hinted:
        ways += list(_sums(sheet, column))
    return _fittest(sheet, column, ways, spread)


def _fittest(sheet, column, ways, spread):
    best = None
    for way in ways:
        fit = _try(sheet, column, way, spread)
        if fit is not None and fit.is_better_than(best):
            best = fit
    return best


def total_row(sheet):
    """Return the last row if its label says that it is the sum of the others, or None."""
    if sheet.rows < 3 or sheet.rows > LARGEST_SUM:
        return None
    words = sheet.labels[-1].lower().strip(" :*").split()
    return sheet.rows - 1 if words and words[0] in _TOTALS and len(words) < 3 else None


def _portions(sheet, column, operands):
    """Yield the ways in which a column is a column's share of its total row."""
    last = total_row(sheet)
    if last is None or column.kind != "share":
        return
    for a in operands:
        if a.numbers[last] is not None:

            def cells(row, a=a):
                return [(row, a.index), (last, a.index)] if row != last else None

            yield _Way(PORTION, "quotient", cells, f"{a.name} / its total")


def total_rows(sheet) -> list:
    """Return the relations of a last row that is the sum of the rows above it."""
    last = total_row(sheet)
    if last is None:
        return []
    found = []
    for column in sheet.of("measured", "count", "bytes", "share", "total", "difference"):
        cells = [
            (row, column.index) for row in range(sheet.rows) if column.numbers[row] is not None
        ]
        if column.numbers[last] is None or len(cells) < 3 or column.kind in ("rate", "times"):
            continue
        if any([row in sheet.short for row, _ in cells]):
            continue
        cells = [cells[-1]] + cells[:-1]

        def reason(text, cells=cells, column=column):
            total = 0.0
            for cell in cells[1:]:
                total += sheet.number(cell).value / sheet.number(cells[0]).factor
            exact = plain(total, _digits(sheet.number(cells[0])) + 1)
            exact += "%" if column.kind == "share" else ""
            return f"The {len(cells) - 1} rows above add up to {exact}, not {text(cells[0])}."

        terms = [1.0] + [-1.0] * (len(cells) - 1)
        check = Check(TOTAL, cells, terms, 0.0, 0.0, reason, linear=True)
        check.assume = lambda side: TOTAL.kept_if
        check.primary, check.derived = 0, True
        found.append(check)
    words = "the last row is the sum of the rows above"
    return [Relation(TOTAL, found, "assumed", words)] if found else []
