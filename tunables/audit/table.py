"""A table as it was read: heads and cells as text, and where they are in the file."""

MOST_ROWS = 100_000
MOST_COLUMNS = 100
LONGEST_CELL = 400


class ReadTable:
    """One table. rows: lists of texts, all as long as heads; a cell that is missing is "".

    title: the heading above it; lines: the line of each row in the text; line: that of its heads;
    kind: what it was read as; short: rows (by index) that had fewer cells than there are heads;
    remarks: sentences on what was odd about it; hints: {column: meaning} that a printout gives;
    apart: why Little's law does not connect its clients and its latencies, "" if it does.
    """

    def __init__(self, title, heads, rows, lines, line, kind, hints=None):
        self.title, self.kind, self.line, self.lines = title, kind, line, lines
        self.remarks: list = []
        self.hints = hints or {}
        self.apart = ""
        self.by_tool = False  # a tool printed it, which rounds nothing to zeros
        wide = max([len(heads)] + [len(row) for row in rows])
        if wide > MOST_COLUMNS:
            self.remarks.append(
                f"The table has {wide} columns; only the first {MOST_COLUMNS} were read."
            )
        wide = min(wide, MOST_COLUMNS)
        self.heads = (heads + [""] * (wide - len(heads)))[:wide]
        full = max([len(row) for row in rows]) if rows else 0
        self.short = {index for index, row in enumerate(rows) if len(row) < min(full, wide)}
        self.rows = [(row + [""] * (wide - len(row)))[:wide] for row in rows]
        if self.short and len(self.short) < len(rows):
            count = len(self.short)
            which = "One row has" if count == 1 else f"{count} rows have"
            self.remarks.append(
                f"{which} fewer cells than the others and {'is' if count == 1 else 'are'} not "
                + "judged, because we can't know which cells are missing."
            )

    def column(self, index) -> list:
        """Return the texts of a column."""
        return [row[index] for row in self.rows]
