"""The verdict on each cell of a table, and the smallest set of cells that explains all.

Each law is checked on its own. A check that no values within the printed digits can keep is missed;
the cells of missed checks that share cells are judged together: the fewest of them are called
impossible whose change would keep every check. What is called impossible is so, if the assumptions
that the finding names are true; which of the cells is the wrong one is the likeliest choice.
"""

from tunables.audit.blame import neighbours, score
from tunables.audit.cells import CellMap
from tunables.audit.intervals import ALL, contains, is_empty, meet
from tunables.audit.laws import all_relations, notes
from tunables.audit.parts import unchecked_sums
from tunables.audit.sheet import AuditSheet
from tunables.audit.slips import slip
from tunables.audit.values import need_text

STATES = ("follows", "possible", "impossible", "unchecked")
_MOST_IN_GROUP = 400  # checks of one group that are searched for pairs
_MOST_PAIRS = 500
_MOST_SEARCHED = 300  # findings whose likeliest cell is searched with care


class Verdict:
    """What is known of one cell. state: one of STATES; sentence: why; laws: their names.

    interval: what the other cells leave it, in base units, or None; needed: that in words, without
    the margin that measurements get; disputed: whether a finding blames another cell of its check.
    """

    def __init__(self, state, sentence="", laws=(), interval=None, needed=""):
        self.state, self.sentence, self.laws = state, sentence, list(laws)
        self.interval, self.needed = interval, needed
        self.disputed = False


class Finding:
    """One contradiction: the cells that are blamed, the sentence, and what it rests on.

    cells: those blamed, as (row, column) of the sheet; checks: the missed ones; involved: all their
    cells;
    sentence: what does not fit; needed: [(cell, words)] what each blamed cell has to be; assumes:
    what must be true of the columns; explanations: what else would explain it; laws: [AuditLaw];
    slips: slips of the pen that would make the needed numbers the printed ones, in words.
    """

    def __init__(self, cells, checks, sentence, needed, assumes, explanations, laws, slips=()):
        self.slips, self.checks, self.involved = slips, checks, _unique(checks)
        self.cells, self.sentence, self.needed = cells, sentence, needed
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
    """The intervals of all cells: rounded, or also cut off."""

    def __init__(self, sheet, cut):
        self.sheet, self.cut, self.known = sheet, cut, CellMap()

    def __call__(self, cell):
        found = self.known.get(cell)
        if found is None:
            found = self.known[cell] = self.sheet.number(cell).interval(self.cut)
        return found


class _AsPrinted:
    """The numbers themselves as intervals; only ranges and bounds are wider than one value."""

    def __init__(self, sheet):
        self.sheet = sheet

    def __call__(self, cell):
        number = self.sheet.number(cell)
        if number.relation in ("=", "about"):
            return number.value, number.value
        return number.interval()


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
    for check in missed:
        if check.missed_side(wide) == "high":
            check.ideal = check.bound
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
    remarks += unchecked_sums(sheet)
    return Audit(
        sheet, relations, findings, verdicts, sheet.table.remarks + sheet.remarks + remarks
    )


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
            if any([check.is_kept(box) for check in relation.otherwise.checks]):
                remarks.append(relation.weakened)
        elif relation.trust != "found":
            name, count = relation.law.name, len(checks)
            missed = "the row contradicts"
            if count > 1:
                missed = f"{count - good} of {count} rows contradict"
            remarks.append(
                f"{name[:1].upper() + name[1:]} is not used to judge this table, because {missed} "
                + f'"{relation.words}", and nothing else in the table shows that it should hold.'
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
                left = meet(left, check.implied(place, box, check.ideal if ideal else None))
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


def _blame(sheet, group, by_cell, wide, near, search):
    """Return the Finding of a group of missed checks.

    search: whether to weigh slips and neighbours; without it only the columns' meanings count.
    """
    ranked = []
    for order, (cells, needed) in enumerate(_smallest_sets(group, by_cell, wide)):
        scores = [score(sheet, cell, needed[cell] if search else ALL) for cell in cells]
        ranked.append((sum(scores) / len(scores), -order, cells, needed))
    ranked.sort(key=lambda each: (-each[0], -each[1]))
    cells, needed = ranked[0][2], ranked[0][3]
    check = _main_check(group, cells)
    side = check.missed_side(wide)
    sentence = check.reason(sheet.text)
    texts = [(cell, _need_words(sheet, cells, cell, needed, by_cell, near)) for cell in cells]
    explanations = []
    slips = [
        slip(sheet.number(cell), needed[cell], neighbours(sheet, cell))[1]
        for cell in (cells if search else [])
    ]
    for _, _, others, other_needed in ranked[1:4]:
        if len(others) == 1:
            words = _need_words(sheet, others, others[0], other_needed, by_cell, near)
            if words != "anything" and "infinite" not in words:
                explanations.append(
                    f"{sheet.columns[others[0][1]].name} of {words} in place of "
                    + sheet.text(others[0])
                )
    if check.explain:
        explanations += check.explain(side)
    laws: list = []
    for each in group:
        if each.law not in laws:
            laws.append(each.law)
    assumes = check.assume(side) if check.assume else check.law.kept_if
    slips = [words for words in slips if words]
    return Finding(cells, group, sentence, texts, assumes, explanations, laws, slips)


def _need_words(sheet, cells, cell, needed, by_cell, near):
    """Return what a cell has to be, in words, as exactly as the digits say it."""
    says = _needed(cells, by_cell, near, True) or _needed(cells, by_cell, near) or needed
    printed = _needed(cells, by_cell, _AsPrinted(sheet), True) or {}
    return need_text(says[cell], sheet.number(cell), printed.get(cell))


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
    ideal, rounded, exact = ALL, ALL, _AsPrinted(sheet)
    own = wide(cell)
    for check, place in checks:
        if id(check) in lost:
            continue
        if check.law.name not in laws:
            laws.append(check.law.name)
        implied = check.implied(place, near)
        if source is None and len(check.cells) > 1 and contains(own, implied):
            source = check
        ends = min(check.low, check.bound[0]), max(check.high, check.bound[1])
        left = meet(left, check.implied(place, near, ends))
        ideal = meet(ideal, check.implied(place, exact, check.bound))
        rounded = meet(rounded, check.implied(place, near, check.bound))
    if not laws:
        return Verdict("possible")
    if source:
        words = f"It follows from {_names(sheet, source, cell)} ({source.law.name})."
        return Verdict("follows", words, laws, left)
    if is_empty(left) or is_empty(meet(left, near(cell))):
        words = "It fits only if digits were cut off rather than rounded."
        return Verdict("possible", words, laws, left)
    if left == ALL:
        return Verdict("possible", "", laws, None)
    return _allowed(sheet.number(cell), laws, left, ideal, rounded)


def _allowed(number, laws, left, ideal, rounded):
    """Return the Verdict of a possible cell; ideal: what is left without any margin.

    rounded: the same, but with the margin that rounding leaves.
    """
    words = need_text(left, number, ideal)
    sentence = "" if words == "anything" else f"The other cells allow {words}."
    if sentence and is_empty(meet(rounded, number.interval())):
        sentence += " The printed number is off, but by no more than measurement error can explain."
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
        for cell in finding.involved:
            if cell in finding.cells or cell not in verdicts:
                continue
            verdict = verdicts[cell]
            if verdict.state in ("possible", "unchecked"):
                verdict.state, verdict.disputed = "possible", True
                verdict.sentence = _dispute(sheet, finding, cell)
        for cell, words in finding.needed:
            verdicts[cell] = Verdict(
                "impossible", finding.sentence, [law.name for law in finding.laws], None, words
            )


def _dispute(sheet, finding, cell):
    """Return the sentence on a cell that is not blamed for the check that it misses."""
    (check, *_) = [each for each in finding.checks if cell in each.cells]
    blamed = [other for other in check.cells if other in finding.cells][:1]
    rest = [other for other in check.cells if other != cell and other not in blamed]

    def is_clients(other):
        return sheet.columns[other[1]].meaning == "clients"

    texts = [
        sheet.text(other) + (" clients" if is_clients(other) else "") for other in [cell] + blamed
    ]
    where = [
        f" for {sheet.text(other)} clients"
        if is_clients(other)
        else f" with {sheet.columns[other[1]].name} = {sheet.text(other)}"
        for other in rest[:3]
    ]
    names = " and ".join([sheet.columns[other[1]].name for other in blamed])
    return (
        f"{' and '.join(texts)} can't both be true{' and'.join(where)}. "
        + f"The audit marks {names} as the likelier error."
    )
