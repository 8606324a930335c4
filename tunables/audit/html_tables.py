"""Tables of a page in HTML. Nothing in it runs: only tags, text and a few entities are read."""

from tunables.audit.table import LONGEST_CELL, MOST_COLUMNS, MOST_ROWS, ReadTable

_ENTITIES = {
    "amp": "&",
    "lt": "<",
    "gt": ">",
    "quot": '"',
    "nbsp": " ",
    "thinsp": " ",
    "ndash": "–",
    "mdash": "—",
    "minus": "−",
    "plusmn": "±",
    "times": "×",
    "micro": "µ",
    "mu": "µ",
    "ge": "≥",
    "le": "≤",
    "hellip": "…",
}
_SKIPPED = ("script", "style", "template", "head", "noscript", "svg")
_TITLES = ("h1", "h2", "h3", "h4", "h5", "h6", "caption")
_LONGEST_TAG = 2000
_MOST_SPAN = 1000
_DEEPEST = 20


def _entity(name):
    """Return the text of an entity, or the entity itself if it is unknown."""
    if name[:1] == "#":
        digits = name[1:]
        try:
            code = int(digits[1:], 16) if digits[:1] in ("x", "X") else int(digits)
        except ValueError:
            return "&" + name + ";"
        return chr(code) if 31 < code < 0x110000 and not 0xD800 <= code < 0xE000 else " "
    return _ENTITIES.get(name, "&" + name + ";")


def _decode(text):
    """Return a text with its entities replaced, and each run of white space as one blank."""
    if "&" in text:
        parts = text.split("&")
        text = parts[0]
        for part in parts[1:]:
            name, semicolon, rest = part[:12].partition(";")
            text += _entity(name) + rest + part[12:] if semicolon else "&" + part
    return " ".join(text.split())


def _pieces(text):
    """Yield ("text", text, place) and ("tag", its inside, place), without comments.

    The text is split, not searched from place to place: MicroPython counts the characters before
    a place each time.
    """
    parts = text.split("<")
    if parts[0]:
        yield "text", parts[0], 0
    place, index = len(parts[0]), 1  # of the < before the part
    while index < len(parts):
        part, start = parts[index], place
        index += 1
        if part[:3] == "!--":
            inside = part[3:]
            place += 4
            while "-->" not in inside and index < len(parts):
                place += len(inside) + 1
                inside = parts[index]
                index += 1
            place += len(inside)
            after = inside.partition("-->")[2]
            if after:
                yield "text", after, place - len(after)
            continue
        is_tag = part[:1].isalpha() or part[:1] in ("/", "!", "?")
        closing = _tag_end(part) if is_tag else -1
        while closing == _IN_QUOTES and index < len(parts) and len(part) < _LONGEST_TAG:
            part += "<" + parts[index]
            index += 1
            closing = _tag_end(part)
        place += 1 + len(part)
        if closing < 0:
            yield "text", "<" + part, start
            continue
        yield "tag", part[:closing], start
        if part[closing + 1 :]:
            yield "text", part[closing + 1 :], start + closing + 2


_IN_QUOTES = -2


def _tag_end(part):
    """Return where the > of a tag is that begins a text; without one -1, or _IN_QUOTES."""
    quote = ""
    for place, c in enumerate(part[:_LONGEST_TAG]):
        if quote:
            quote = "" if c == quote else quote
        elif c in "\"'" and part[place - 1] == "=":
            quote = c
        elif c == ">":
            return place
    return _IN_QUOTES if quote else -1


def _name(tag):
    """Return a tag's name in lower case, with / in front if it closes."""
    end = 1
    while end < len(tag) and tag[end] not in " \t\n/>":
        end += 1
    return tag[:end].lower()


def _span(tag, attribute):
    """Return the number of columns or rows that a cell covers."""
    place = tag.lower().find(attribute + "=")
    if place < 0:
        return 1
    digits = ""
    for c in tag[place + len(attribute) + 1 :].lstrip("\"' "):
        if not "0" <= c <= "9":
            break
        digits += c
    return min(max(int(digits[:6] or 1), 1), _MOST_SPAN)


class _Open:
    """A table that is being read."""

    def __init__(self, title, place):
        self.title, self.place = title, place
        self.rows: list = []
        self.heading: list = []  # whether each row has only th cells
        self.places: list = []
        self.pending: dict = {}  # column -> (rows left, text) of a cell that covers more rows
        self.row: list | None = None
        self.cell: list | None = None
        self.spans = (1, 1)
        self.merged = self.nested = False
        self.lost = 0

    def end_cell(self):
        if self.cell is None or self.row is None:
            return
        text = _decode("".join(self.cell))[:LONGEST_CELL]
        wide, high = self.spans
        self.merged = self.merged or wide > 1 or high > 1
        row = self.row
        for _ in range(wide):
            self.fill(row)
            if len(row) < MOST_COLUMNS:
                if high > 1:
                    self.pending[len(row)] = (high - 1, text)
                row.append(text)
        self.cell = None

    def fill(self, row):
        """Put in the cells that rows above reach down with."""
        while len(row) in self.pending:
            left, text = self.pending.pop(len(row))
            if left > 1:
                self.next_pending[len(row)] = (left - 1, text)
            row.append(text)

    def end_row(self):
        self.end_cell()
        if self.row is not None and self.row:
            self.fill(self.row)
            if len(self.rows) < MOST_ROWS:
                self.rows.append(self.row)
                self.heading.append(self.all_heads)
                self.places.append(self.row_place)
            else:
                self.lost += 1
        if self.row is not None:
            for column, value in self.next_pending.items():
                self.pending[column] = value
        self.row = None

    def begin_row(self, place):
        self.end_row()
        self.row, self.row_place, self.all_heads = [], place, True
        self.next_pending: dict = {}

    def begin_cell(self, tag, is_head, place):
        if self.row is None:
            self.begin_row(place)
        self.end_cell()
        self.all_heads = self.all_heads and is_head
        self.cell, self.spans = [], (_span(tag, "colspan"), _span(tag, "rowspan"))


def _has_digit(text):
    return any(["0" <= c <= "9" for c in text])


def _heads_of(opened):
    """Return how many of the first rows are heads: th cells, or words above numbers."""
    count = 0
    while count < len(opened.rows) and opened.heading[count]:
        count += 1
    if count:
        return count
    # cells of numbers are most of what begins with a digit
    while count < min(3, len(opened.rows) - 1):
        row = [cell for cell in opened.rows[count] if cell]
        numbers = [cell for cell in row if cell[0] in "0123456789.<>~-+("]
        if numbers and (len(numbers) * 2 >= len(row) - 1 or len(row) == 1):
            break
        if not count or not any([_has_digit(cell[:1]) for cell in row]):
            count += 1
        else:
            break
    return count


def _join(rows):
    """Return one head per column from one or several rows of them."""
    wide = max([len(row) for row in rows]) if rows else 0
    heads = []
    for index in range(wide):
        words: list = []
        for row in rows:
            if index < len(row) and row[index] and row[index] not in words:
                words.append(row[index])
        heads.append(", ".join(words))
    return heads


def _finish(opened, line_of):
    """Return the Table of one that has ended, or None if it has no rows."""
    opened.end_row()
    if not opened.rows:
        return None
    count = _heads_of(opened)
    heads, rows = _join(opened.rows[:count]), opened.rows[count:]
    if not rows:
        return None
    lines = [line_of(place) for place in opened.places[count:]]
    table = ReadTable(opened.title, heads, rows, lines, line_of(opened.place), "HTML")
    if opened.merged:
        table.remarks.append("Merged cells were read as separate cells with the same text.")
    if opened.nested:
        table.remarks.append("A table inside this table was read as a separate table.")
    if opened.lost:
        table.remarks.append(
            f"Only the first {MOST_ROWS} rows were read; {opened.lost} more follow."
        )
    return table


class _LineStarts:
    """The line of a place in a text; places are asked for in nearly rising order."""

    def __init__(self, text):
        self.starts = [0]
        for line in text.split("\n"):
            self.starts.append(self.starts[-1] + len(line) + 1)

    def __call__(self, place):
        low, high = 0, len(self.starts)
        while high - low > 1:
            middle = (low + high) // 2
            if self.starts[middle] <= place:
                low = middle
            else:
                high = middle
        return low + 1


class _PageReader:
    """Reads a page piece by piece: found: the tables, in the order of their ends."""

    def __init__(self, text):
        self.found: list = []
        self.stack: list = []  # tables that are open, the innermost last
        self.skipped, self.title = "", ""
        self.words = None  # of a title that is being read
        self.line_of = _LineStarts(text)

    def text(self, piece):
        """Take a text into the title and the cell that are open."""
        if self.skipped:
            return
        if self.words is not None:
            self.words.append(piece)
        if self.stack and self.stack[-1].cell is not None:
            self.stack[-1].cell.append(piece)

    def tag(self, tag, place):
        """Take a tag."""
        name = _name(tag)
        if self.skipped:
            self.skipped = "" if name == "/" + self.skipped else self.skipped
        elif name in _SKIPPED and tag[-1:] != "/":
            self.skipped = name
        elif name in _TITLES:
            self.words = []
        elif name[1:] in _TITLES:
            self.end_title(name)
        elif name == "table":
            self.begin_table(place)
        elif self.stack:
            self.tag_inside(name, tag, place)

    def end_title(self, name):
        if self.words is None:
            return
        self.title = _decode("".join(self.words))[:LONGEST_CELL]
        if name == "/caption" and self.stack:
            self.stack[-1].title = self.title
        self.words = None

    def begin_table(self, place):
        if self.stack:
            self.stack[-1].nested = True
        if len(self.stack) < _DEEPEST:
            self.stack.append(_Open(self.title, place))

    def tag_inside(self, name, tag, place):
        """Take a tag inside a table."""
        opened = self.stack[-1]
        if name == "/table":
            self.found.append(_finish(self.stack.pop(), self.line_of))
        elif name == "tr":
            opened.begin_row(place)
        elif name == "/tr":
            opened.end_row()
        elif name in ("td", "th"):
            opened.begin_cell(tag, name == "th", place)
        elif name in ("/td", "/th"):
            opened.end_cell()
        elif name in ("br", "p", "div", "li") and opened.cell is not None:
            opened.cell.append(" ")


def html_tables(text) -> list:
    """Return the tables of a text in HTML, those inside other tables too.

    >>> page = "<h2>Reads</h2><table><tr><th>clients<th>QPS<tr><td>1<td>1,353</table>"
    >>> [(table.title, table.heads, table.rows) for table in html_tables(page)]
    [('Reads', ['clients', 'QPS'], [['1', '1,353']])]
    """
    reader = _PageReader(text)
    for kind, piece, place in _pieces(text):
        if kind == "text":
            reader.text(piece)
        else:
            reader.tag(piece, place)
    while reader.stack:
        reader.found.append(_finish(reader.stack.pop(), reader.line_of))
    return [table for table in reader.found if table is not None]
