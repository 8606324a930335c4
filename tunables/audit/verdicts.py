"""The verdict on each cell of a table, and the smallest set of cells that explains all.

Each law is checked on its own. A check that no values within the printed digits can keep is missed;
the cells of missed checks that share cells are judged together: the fewest of them are called
impossible whose change would keep every check. What is called impossible is so, if the assumptions
that the finding names are true; which of the cells is the wrong one is the likeliest choice.
"""

import math

from tunables.audit.cells import CellMap
from tunables.audit.intervals import ALL, contains, is_empty, meet
from tunables.audit.laws import all_relations, notes
from tunables.audit.sheet import AuditSheet
from tunables.audit.slips import slip
from tunables.audit.values import need_text

STATES = ("follows", "possible", "impossible", "unchecked")
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
_MOST_IN_GROUP = 400  # checks of one group that are searched for pairs
_MOST_PAIRS = 500
_MOST_SEARCHED = 300  # findings whose likeliest cell is searched with care
_NEAR = 30  # rows about a cell that show how its column runs


class Verdict:
    """What is known of one cell. state: one of STATES; sentence: why; laws: their names.

    interval: what the other cells leave it, in base units, or None; needed: that in words.
    """

    def __init__(self, state, sentence="", laws=(), interval=None, needed=""):
        self.state, self.sentence, self.laws = state, sentence, list(laws)
        self.interval, self.needed = interval, needed


class Finding:
    """One contradiction: the cells that are blamed, the sentence, and what it rests on.

    cells: those blamed, as (row, column) of the sheet; involved: all cells of its missed checks;
    sentence: what does not fit; needed: [(cell, words)] what each blamed cell has to be; assumes:
    what must be true of the columns; explanations: what else would explain it; laws: [AuditLaw];
    slips: slips of the pen that would make the needed numbers the printed ones, in words.
    """

    def __init__(self, cells, involved, sentence, needed, assumes, explanations, laws, slips=()):
        self.slips = slips
        self.cells, self.involved, self.sentence, self.needed = cells, involved, sentence, needed
        self.assumes, self.explanations, self.laws = assumes, explanations, laws


class Audit:
    """The result for one table: sheet, relations, findings, and a verdict for each numeric cell.

    verdicts: a CellMap from (row, column) of the sheet to the Verdict; remarks: sentences on the
    table as a whole.
    """

    def __init__(self, sheet, relations, findings, verdicts, remarks):
        self.sheet, self.relations, self.findings = sheet, relations, findings
        self.verdicts, self.remarks = verdicts, remarks

    def count(self, state) -> int:
        """Return how many cells have a state."""
        return len([1 for verdict in self.verdicts.values() if verdict.state == state])

    def at(self, row, column):
        """Return the Verdict of a cell of the table as printed, counted from 0, or None."""
        cell = (column - 1, row + 1) if self.sheet.turned else (row, column)
        return self.verdicts.get(cell)


class _Boxes:
    """The intervals of all cells: rounded or also cut off, with some cells set free."""

    def __init__(self, sheet, cut):
        self.sheet, self.cut, self.known = sheet, cut, CellMap()

    def __call__(self, cell):
        found = self.known.get(cell)
        if found is None:
            found = self.known[cell] = self.sheet.number(cell).interval(self.cut)
        return found


def audit(table, chosen=None, turned=None) -> Audit:
    """Return the Audit of a table.

    chosen: {column: meaning} as the reader corrects the guesses, columns counted from 0 and, of a
    table that is read turned, in the order of its rows; turned: whether it is, None to guess.
    Raises ValueError, a sentence, for a column or a meaning that does not exist.
    """
    sheet = AuditSheet(table, chosen, turned)
    wide, near = _Boxes(sheet, True), _Boxes(sheet, False)
    relations, remarks = _trusted(all_relations(sheet), wide)
    missed = [
        check for relation in relations for check in relation.checks if not check.is_kept(wide)
    ]
    excused, missed = _excused(missed, wide)
    by_cell = _by_cell(relations)
    findings = [
        _blame(sheet, group, by_cell, wide, near, index < _MOST_SEARCHED)
        for index, group in enumerate(_groups(missed))
    ]
    verdicts = _verdicts(sheet, by_cell, missed, wide, near)
    _tell(verdicts, findings, excused, sheet)
    for cell, sentence in notes(sheet):
        if cell in verdicts and verdicts[cell].state != "impossible":
            verdicts[cell].sentence = (verdicts[cell].sentence + " " + sentence).strip()
            remarks.append(sentence)
    return Audit(sheet, relations, findings, verdicts, sheet.table.remarks + remarks)


def _trusted(relations, box):
    """Return the relations that their own table supports, and remarks on the others."""
    kept, remarks = [], []
    for relation in relations:
        checks = relation.checks
        if not checks:
            continue
        if relation.trust == "certain":
            kept.append(relation)
            continue
        good = len([check for check in checks if check.is_kept(box)])
        if _is_supported(relation.trust, good, len(checks)):
            kept.append(relation)
            continue
        if relation.otherwise:
            kept.append(relation.otherwise)
        if relation.trust != "found":
            name, count = relation.law.name, len(checks)
            missed = f"{count - good} of {count} rows miss" if count > 1 else "the row misses"
            remarks.append(
                f"{name[:1].upper() + name[1:]} is not used to judge this table: {missed} "
                + f"{relation.words}, and nothing else in the table shows that it should hold."
            )
    return kept, remarks


def _is_supported(trust, good, count):
    """Say whether enough checks of a relation are kept to believe it."""
    if trust == "only if kept":
        return good == count
    if trust == "found":
        return 3 * good >= 2 * count
    return 2 * good >= count or count == 1


def _excused(missed, box):
    """Return (CellMap of words, the others): checks that another reading of a unit would keep."""
    excused = CellMap()
    others = []
    for check in missed:
        words = check.explained_by(box) if check.others else ""
        if words:
            for cell in check.cells:
                excused.setdefault(cell, (check, words))
        else:
            others.append(check)
    return excused, others


def _by_cell(relations):
    found = CellMap()
    for relation in relations:
        for check in relation.checks:
            for place, cell in enumerate(check.cells):
                found.setdefault(cell, []).append((check, place))
    return found


def _groups(missed):
    """Return the missed checks in groups that share no cell, in the order of the table."""
    parent = list(range(len(missed)))

    def root(index):
        while parent[index] != index:
            parent[index] = parent[parent[index]]
            index = parent[index]
        return index

    owner = CellMap()
    for index, check in enumerate(missed):
        for cell in check.cells:
            if cell in owner:
                parent[root(index)] = root(owner[cell])
            else:
                owner[cell] = index
    groups: dict = {}
    for index, check in enumerate(missed):
        groups.setdefault(root(index), []).append(check)
    ordered = [groups[key] for key in groups]
    ordered.sort(key=lambda group: min([min(check.cells) for check in group]))
    return ordered


def _needed(cells, by_cell, box, ideal=False):
    """Return {cell: interval} that keeps every check if only these cells may change, or None.

    Checks with two of the cells are taken as kept: each of the two can give way. ideal: without
    the slack that measurements get.
    """
    found = {}
    for cell in cells:
        left = ALL
        for check, place in by_cell[cell]:
            if len([1 for other in check.cells if other in cells]) == 1:
                left = meet(left, check.implied(place, box, ideal))
                if is_empty(left):
                    return None
        found[cell] = left
    return found


def _unique(checks):
    cells: list = []
    seen = CellMap()
    for check in checks:
        for cell in check.cells:
            if cell not in seen:
                seen[cell] = True
                cells.append(cell)
    return cells


def _smallest_sets(group, by_cell, box):
    """Return [(cells, needed)]: the sets of one cell, else of two, else one larger set."""
    cells = _unique(group)
    everywhere = [cell for cell in cells if all([cell in check.cells for check in group])]
    found = []
    for cell in everywhere:
        needed = _needed([cell], by_cell, box)
        if needed is not None:
            found.append(([cell], needed))
    if found:
        return found
    if len(group) <= _MOST_IN_GROUP:
        tried = 0
        for index, first in enumerate(cells):
            rest = [check for check in group if first not in check.cells]
            for second in cells[index + 1 :] if rest else []:
                if not all([second in check.cells for check in rest]):
                    continue
                tried += 1
                if tried > _MOST_PAIRS:
                    break
                needed = _needed([first, second], by_cell, box)
                if needed is not None:
                    found.append(([first, second], needed))
    return found or [_greedy(group, by_cell, box)]


def _greedy(group, by_cell, box):
    """Return a set of cells that meets every missed check, the commonest cell first."""
    left, chosen = list(group), []
    while left:
        counts: dict = {}
        for check in left:
            for cell in check.cells:
                counts[cell] = counts.get(cell, 0) + 1
        best = max([(count, -cell[0], -cell[1]) for cell, count in counts.items()])
        cell = (-best[1], -best[2])
        chosen.append(cell)
        left = [check for check in left if cell not in check.cells]
    needed = _needed(chosen, by_cell, box) or {}
    return chosen, {cell: needed.get(cell, ALL) for cell in chosen}


def _score(sheet, cell, needed):
    """Return how readily a cell is blamed: by its meaning, its neighbours and likely slips."""
    number, column = sheet.number(cell), sheet.columns[cell[1]]
    score = _BLAME.get(column.meaning, _USUAL_BLAME)
    low, high = needed
    if not (low > 0 and high < 1e300 and number.value > 0) or score < _USUAL_BLAME:
        return score
    middle = math.sqrt(low * high)
    words = slip(number, (low, high), _neighbours(sheet, cell))
    score += {"": 0.0, "digit": 0.6}.get(words[0], 1.6)
    return score + _outlier(sheet, cell, middle)


def _neighbours(sheet, cell):
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


def _blame(sheet, group, by_cell, wide, near, search):
    """Return the Finding of a group of missed checks.

    search: whether to weigh slips and neighbours; without it only the columns' meanings count.
    """
    ranked = []
    for order, (cells, needed) in enumerate(_smallest_sets(group, by_cell, wide)):
        scores = [_score(sheet, cell, needed[cell] if search else ALL) for cell in cells]
        ranked.append((sum(scores) / len(scores), -order, cells, needed))
    ranked.sort(key=lambda each: (-each[0], -each[1]))
    cells, needed = ranked[0][2], ranked[0][3]
    check = _main_check(group, cells)
    side = check.missed_side(wide)
    sentence = check.reason(sheet.text)
    texts = [(cell, _need_words(sheet, cells, cell, needed, by_cell, near)) for cell in cells]
    explanations = []
    slips = [
        slip(sheet.number(cell), needed[cell], _neighbours(sheet, cell))[1]
        for cell in (cells if search else [])
    ]
    if check.think:
        explanations.append(check.think())
    for _, _, others, other_needed in ranked[1:4]:
        if len(others) == 1:
            words = _need_words(sheet, others, others[0], other_needed, by_cell, near)
            if words != "anything" and "infinite" not in words:
                explanations.append(
                    f"{sheet.columns[others[0][1]].name} of {words} in place of "
                    + sheet.text(others[0])
                )
    laws: list = []
    for each in group:
        if each.law not in laws:
            laws.append(each.law)
    assumes = check.assume(side) if check.assume else check.law.kept_if
    explanations = [words for words in explanations if words]
    slips = [words for words in slips if words]
    return Finding(cells, _unique(group), sentence, texts, assumes, explanations, laws, slips)


def _need_words(sheet, cells, cell, needed, by_cell, near):
    """Return what a cell has to be, in words, as exactly as the digits say it."""
    says = _needed(cells, by_cell, near, True) or _needed(cells, by_cell, near) or needed
    return need_text(says[cell], sheet.number(cell))


def _main_check(group, cells):
    """Return the check that the sentence is about: one whose result is blamed, if there is."""
    for check in group:
        if check.primary is not None and check.cells[check.primary] in cells:
            return check
    for check in group:
        if any([cell in check.cells for cell in cells]):
            return check
    return group[0]


def _verdicts(sheet, by_cell, missed, wide, near):
    """Return the Verdict of each numeric cell, without regard to the findings."""
    lost: dict = {}
    for check in missed:
        lost[id(check)] = True
    found = CellMap()
    for column in sheet.columns:
        for row in range(sheet.rows):
            if column.numbers[row] is None:
                continue
            cell = (row, column.index)
            found[cell] = _verdict(sheet, cell, by_cell.get(cell), lost, wide, near)
    return found


def _verdict(sheet, cell, checks, lost, wide, near):
    """Return the Verdict of one cell by those of its checks that are not missed."""
    if not checks:
        return Verdict("unchecked")
    left, laws, source = ALL, [], None
    own = wide(cell)
    for check, place in checks:
        if id(check) in lost:
            continue
        if check.law.name not in laws:
            laws.append(check.law.name)
        implied = check.implied(place, near)
        if source is None and len(check.cells) > 1 and contains(own, implied):
            source = check
        left = meet(left, implied)
    if not laws:
        return Verdict("possible")
    if source:
        words = f"It follows from {_names(sheet, source, cell)} by {source.law.name}."
        return Verdict("follows", words, laws, left)
    if is_empty(left) or is_empty(meet(left, near(cell))):
        words = "It fits only if digits were cut off rather than rounded."
        return Verdict("possible", words, laws, left)
    if left == ALL:
        return Verdict("possible", "", laws, None)
    words = need_text(left, sheet.number(cell))
    sentence = "" if words == "anything" else f"The other cells allow {words}."
    return Verdict("possible", sentence, laws, left, words)


def _names(sheet, check, cell):
    """Return the names of the other cells of a check, at most four of them."""
    names: list = []
    for row, column in check.cells:
        if (row, column) == cell:
            continue
        name = sheet.columns[column].name + (f" of row {row + 1}" if row != cell[0] else "")
        if name not in names:
            names.append(name)
    return ", ".join(names[:4]) + (" and others" if len(names) > 4 else "")


def _tell(verdicts, findings, excused, sheet):
    """Put the findings into the verdicts of their cells."""
    for cell in excused.cells():
        check, words = excused[cell]
        if verdicts[cell].state != "follows":
            verdicts[cell] = Verdict("possible", f"It fits if {words}.", [check.law.name])
    for finding in findings:
        named = [f"{sheet.columns[c[1]].name} of row {c[0] + 1}" for c in finding.cells]
        for cell in finding.involved:
            if cell in finding.cells or cell not in verdicts:
                continue
            verdict = verdicts[cell]
            if verdict.state in ("possible", "unchecked"):
                verdict.state = "possible"
                verdict.sentence = (
                    verdict.sentence + f" It contradicts {' and '.join(named[:3])}."
                ).strip()
        for cell, words in finding.needed:
            verdicts[cell] = Verdict(
                "impossible", finding.sentence, [law.name for law in finding.laws], None, words
            )
