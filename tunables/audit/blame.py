"""How readily a cell is blamed for a check that it misses together with others."""

import math

from tunables.audit.slips import slip

# How readily a cell is blamed. What was computed from other cells is wrong more often than what
# was measured, and what was chosen for the run is hardly ever wrong.
_BLAME = {
    "ratio": 3.0,
    "change": 3.0,
    "share": 3.0,
    "difference": 3.0,
    "total": 3.0,
    "burst_time": 2.5,
    "latency": 2.2,
    "clients": 0.5,
    "servers": 0.5,
    "size": 0.5,
    "cache": 0.5,
    "duration": 1.0,
    "base_rate": 0.5,
    "think": 1.0,
}
_USUAL_BLAME = 2.0
_NEAR = 30  # rows about a cell that show how its column runs


def score(sheet, cell, needed) -> float:
    """Return how readily a cell is blamed: by its meaning, its neighbours and likely slips."""
    number, column = sheet.number(cell), sheet.columns[cell[1]]
    found = _BLAME.get(column.meaning, _USUAL_BLAME)
    low, high = needed
    if not (low > 0 and high < 1e300 and number.value > 0) or found < _USUAL_BLAME:
        return found
    middle = math.sqrt(low * high)
    words = slip(number, (low, high), neighbours(sheet, cell))
    found += {"": 0.0, "digit": 0.6}.get(words[0], 1.6)
    return found + _outlier(sheet, cell, middle)


def neighbours(sheet, cell) -> list:
    """Return the numbers above and below a cell."""
    column = sheet.columns[cell[1]].numbers
    near = [column[r] for r in (cell[0] - 1, cell[0] + 1) if 0 <= r < sheet.rows]
    return [number for number in near if number is not None]


def _expected(sheet, cell):
    """Return the logarithm of what a cell's neighbours lead to, or None where they lead nowhere.

    Between two of them it is their middle, at an end of the column the next step of the line
    through the nearest two. Only a column that rises or falls throughout, but for the cell, leads.
    """
    column = sheet.columns[cell[1]].numbers
    first, last = max(cell[0] - _NEAR, 0), cell[0] + _NEAR
    others = [
        (row, column[row].value)
        for row in range(first, min(last, sheet.rows))
        if column[row] is not None and row != cell[0]
    ]
    values = [value for _, value in others]
    rising = [a <= b for a, b in zip(values, values[1:])]
    if len(values) < 2 or min(values) <= 0 or (any(rising) and not all(rising)):
        return None
    logs = {row: math.log(value) for row, value in others}
    above, below = logs.get(cell[0] - 1), logs.get(cell[0] + 1)
    if above is not None and below is not None:
        return (above + below) / 2
    if above is None and below is None:
        return None
    step = 1 if above is None else -1
    near, far = logs[cell[0] + step], logs.get(cell[0] + 2 * step)
    return near if far is None else 2 * near - far


def _outlier(sheet, cell, needed):
    """Return from -1 to 1: how much better the needed value fits its neighbours.

    A change that is small beside the distance from what they lead to says little.
    """
    middle = _expected(sheet, cell)
    if middle is None:
        return 0.0
    value = sheet.number(cell).value
    own, other = abs(math.log(value) - middle), abs(math.log(needed) - middle)
    size = abs(math.log(needed / value)) + 2 * min(own, other)
    return (own - other) / size if size > 1e-9 else 0.0
