"""A map from cells to what is known of them, quick in the page too.

MicroPython's hash of a tuple is a sum over its items, so thousands of cells (row, column) share a
few hundred hashes, and a dict of them is searched from end to end. Whole numbers do not collide.
"""


class CellMap:
    """What is known of cells (row, column): used like a dict, kept column by column.

    >>> found = CellMap()
    >>> found[2, 0] = "a"
    >>> found.setdefault((2, 1), []).append("b")
    >>> found[2, 0], found.get((3, 0)), (2, 1) in found, len(found), found.cells()
    ('a', None, True, 2, [(2, 0), (2, 1)])
    """

    def __init__(self):
        self._columns: dict = {}

    def get(self, cell, otherwise=None):
        """Return what is known of a cell."""
        column = self._columns.get(cell[1])
        return otherwise if column is None else column.get(cell[0], otherwise)

    def __getitem__(self, cell):
        return self._columns[cell[1]][cell[0]]

    def __setitem__(self, cell, value):
        column = self._columns.get(cell[1])
        if column is None:
            column = self._columns[cell[1]] = {}
        column[cell[0]] = value

    def __contains__(self, cell):
        column = self._columns.get(cell[1])
        return column is not None and cell[0] in column

    def __len__(self):
        return sum([len(column) for column in self._columns.values()])

    def setdefault(self, cell, value):
        """Return what is known of a cell, which is value if nothing was."""
        if cell not in self:
            self[cell] = value
        return self[cell]

    def cells(self) -> list:
        """Return the cells, row by row."""
        return sorted([(row, index) for index, column in self._columns.items() for row in column])

    def values(self) -> list:
        """Return what is known, in no order."""
        return [value for column in self._columns.values() for value in column.values()]
