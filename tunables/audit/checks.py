"""A check: one law between a few cells of a table, and what it leaves each of them.

Each cell enters its check once, so what the others leave it is exact, and a check can be kept if
and only if that interval meets the cell's own.
"""

from tunables.audit.intervals import ALL, INFINITY, invert, is_empty, meet, multiply, scale


class AuditLaw:
    """A law: its name, its formula with every symbol said, and where it comes from.

    kept_if: the half of a sentence that states what it assumes of the columns, "" for arithmetic.
    """

    def __init__(self, name, formula, source, kept_if=""):
        self.name, self.formula, self.source, self.kept_if = name, formula, source, kept_if


class Check:
    """A law between cells: the product or the sum of their terms lies from low to high.

    cells: [(row, column)]; terms: for a product [(power 1 or -1, scale, offset)] so that the term
    of a cell x is (offset + scale x)^power, for a sum (linear=True) the factors of the cells.
    reason: function of a text-of-cell function that returns the sentence before the verdict;
    assume: function of the side ("low" or "high") that is missed, which returns the assumption;
    explain: function of that side, which returns what else would explain it, a list of words;
    others: [(factor, words)] that would explain a product that misses by this factor;
    primary: the place in cells of the one that follows from the others, if there is one;
    ideal: (low, high) without the slack that measurements get, for what a sentence says is needed;
    bound: the same for a cell that is not blamed, or for a product above what the law allows, where
    only one side of the law is certain.
    """

    def __init__(self, law, cells, terms, low, high, reason, linear=False):
        self.law, self.cells, self.terms = law, cells, terms
        self.low, self.high, self.linear, self.reason = low, high, linear, reason
        self.assume = None
        self.explain = None
        self.others: list = []
        self.primary = None
        self.ideal = self.bound = (low, high)
        self.derived = False

    def total(self, box) -> tuple:
        """Return the interval of the product or sum; box: function of a cell to its interval."""
        return self._rest(-1, box)

    def _rest(self, skip, box):
        """Return the product or sum of all terms but one; written out, since it runs most."""
        low = high = 0.0 if self.linear else 1.0
        for place, cell in enumerate(self.cells):
            if place == skip:
                continue
            first, last = box(cell)
            if self.linear:
                factor = self.terms[place]
                low += factor * (first if factor > 0 else last)
                high += factor * (last if factor > 0 else first)
                continue
            power, factor, offset = self.terms[place]
            if factor != 1 or offset:
                first, last = first * factor + offset, last * factor + offset
                if first > last:
                    first, last = last, first
            if first < 0:
                first = 0.0
            if power < 0:
                first, last = (
                    (1 / last if last > 0 else INFINITY),
                    (1 / first if first > 0 else INFINITY),
                )
            low = low * first if first and low else 0.0
            high = high * last if last > 0 and high else 0.0
        return low, high

    def implied(self, place, box, ends=None) -> tuple:
        """Return the interval that the other cells leave the one at a place, in base units.

        ends: (low, high) of the product or sum, None for those that the check allows.
        """
        rest = self._rest(place, box)
        low, high = ends or (self.low, self.high)
        if self.linear:
            factor = self.terms[place]
            ends = (low - rest[1]) / factor, (high - rest[0]) / factor
            return ends if factor > 0 else (ends[1], ends[0])
        power, factor, offset = self.terms[place]
        term = multiply((low, high), invert(rest))
        if power < 0:
            term = invert(term)
        if factor == 1 and not offset:
            return term
        if factor == 0 or term[0] == INFINITY:
            return ALL
        return scale((term[0] - offset, term[1] - offset), 1 / factor)

    def is_kept(self, box) -> bool:
        """Say whether some values of the cells' intervals satisfy the law."""
        return not is_empty(meet(self.implied(0, box), box(self.cells[0])))

    def missed_side(self, box) -> str:
        """Return "low" if the product or sum is below what the law allows, else "high"."""
        found = self.total(box)
        return "low" if found[1] < self.low else "high"

    def explained_by(self, box) -> str:
        """Return the words of a factor with which the law would be kept, "" if there is none."""
        low, high = self.low, self.high
        for factor, words in self.others:
            self.low, self.high = low * factor, high * factor
            kept = self.is_kept(box)
            self.low, self.high = low, high
            if kept:
                return words
        return ""


class Relation:
    """The checks of one law on one table, a row or so each, and how far it is trusted.

    trust: "certain" (true by definition), "assumed" (a guess at what columns mean: it is given up
    where fewer than half of its checks are kept), "found" (found in the numbers by `relations`: two
    thirds must be kept) or "only if kept" (all must be). words: what it was read as, in a sentence
    that the report shows; otherwise: the weaker Relation to use where it is given up, or None;
    weakened: the remark on the table then, unless the weaker one is missed in every row.
    """

    def __init__(self, law, checks, trust="certain", words=""):
        self.law, self.checks, self.trust, self.words = law, checks, trust, words
        self.otherwise, self.weakened = None, ""
