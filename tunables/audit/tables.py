"""Tables of a text: Markdown, HTML, CSV, TSV, reStructuredText, columns of fixed width, printouts.

Reading never fails on bad input: what cannot be read is left out, and a remark says so. Time and
memory grow with the text, of which at most LONGEST_TEXT characters and MOST_ROWS rows are read.
"""

from tunables.audit.html_tables import html_tables
from tunables.audit.printed import read_number
from tunables.audit.printouts import APART, read_printouts
from tunables.audit.table import LONGEST_CELL, MOST_COLUMNS, MOST_ROWS, ReadTable
from tunables.base.numbers_as_text import group_thousands, trim

LONGEST_TEXT = 8_000_000
_LONGEST_MARKED = 10 * LONGEST_CELL  # of a cell with its marks and links
_BLANK = " \t"


def _cut(cell):
    return cell if len(cell) <= LONGEST_CELL else cell[:LONGEST_CELL] + "…"


def _clean(cell):
    """Return a cell of Markdown without its marks for code, emphasis and links."""
    cell = (
        trim(cell)[:_LONGEST_MARKED].replace("\\|", "|").replace("&nbsp;", " ").replace("<br>", " ")
    )
    for mark in ("**", "__", "`"):
        cell = cell.replace(mark, "")
    while True:  # [words](address) shows only its words
        middle = cell.find("](")
        start = cell.rfind("[", 0, middle) if middle > 0 else -1
        end = cell.find(")", middle) if start >= 0 else -1
        if end < 0:
            return _cut(cell.replace("\\", ""))
        cell = cell[:start] + cell[start + 1 : middle] + cell[end + 1 :]


def _split_bar(line):
    """Return the cells of a row of a Markdown table: bars that are escaped do not end one."""
    line = trim(line)
    if line[:1] == "|":
        line = line[1:]
    cells, previous, code = [], "", False
    current: list = []
    for c in line:
        if c == "`":
            code = not code
        if c == "|" and previous != "\\" and not code:
            cells.append("".join(current))
            current = []
        else:
            current.append(c)
        previous = c
    rest = "".join(current)
    if trim(rest):
        cells.append(rest)
    return cells


def _is_rule(line):
    """Say whether a line is the rule under the heads of a Markdown table, or of a boxed one."""
    line = trim(line)
    marked = "|" in line or ":" in line or "+" in line
    return marked and ("-" in line or "=" in line) and all([c in "|-=:+ \t" for c in line])


# The lines of boxes as psql, mysql and other tools draw them, and what they are read as.
_BOX = (("│┃║", "|"), ("─━═", "-"), ("┼├┤┬┴┌┐└┘╋╬╠╣╦╩╔╗╚╝╞╡╪", "+"))


def _plain_box(line):
    """Return a line with the lines of a drawn box as ASCII."""
    if len(line.encode()) > len(line):
        for drawn, plain in _BOX:
            for c in drawn:
                line = line.replace(c, plain)
    return line


def _markdown(lines, first_line):
    """Return (tables, other lines as [(number, line)]): what is a Markdown table, and the rest."""
    tables, others = [], []
    title, place, count = "", 0, len(lines)
    fenced = False
    lines = [_plain_box(line) for line in lines]
    while place < count:
        line = lines[place]
        start = trim(line[:200])
        if start[:3] in ("```", "~~~"):
            fenced = not fenced
        is_head = not fenced and "|" in line and place + 1 < count and _is_rule(lines[place + 1])
        if not is_head or not ("|" in lines[place + 1] or "+" in lines[place + 1]):
            if start[:1] == "#" and not fenced:
                title = _clean(start.lstrip("#"))
            others.append((place + first_line, line))
            place += 1
            continue
        heads = [_clean(cell) for cell in _split_bar(line)]
        rows: list = []
        numbers, at = [], place + 2
        kind = "Markdown" if "|" in lines[place + 1] else "boxed"
        while at < count and ("|" in lines[at] or (kind == "boxed" and _is_rule(lines[at]))):
            if _is_rule(lines[at]):
                pass  # between rows, or the end of the box
            elif len(rows) < MOST_ROWS:
                rows.append([_clean(cell) for cell in _split_bar(lines[at])])
                numbers.append(at + first_line)
            at += 1
        table = ReadTable(title, heads, rows, numbers, place + first_line, kind)
        if at - place - 2 > MOST_ROWS:
            table.remarks.append(_too_long(at - place - 2))
        tables.append(table)
        others.append((place + first_line, ""))
        place = at
    return tables, others


def _too_long(rows):
    return (
        f"The table has {group_thousands(str(rows))} rows; only the first "
        + f"{group_thousands(str(MOST_ROWS))} were read."
    )


def _split_delimited(line, delimiter):
    """Return the cells of a line of CSV; quotes may hold the delimiter."""
    if '"' not in line:
        return [_cut(trim(cell)) for cell in line.split(delimiter)]
    cells, current, quoted, place = [], [], False, 0
    while place < len(line):
        c = line[place]
        if quoted and c == '"' and line[place + 1 : place + 2] == '"':
            current.append('"')
            place += 1
        elif c == '"':
            quoted = not quoted
        elif c == delimiter and not quoted:
            cells.append("".join(current))
            current = []
        else:
            current.append(c)
        place += 1
    return [_cut(trim(cell)) for cell in cells + ["".join(current)]]


def _delimiter(lines):
    """Return the delimiter that most of the first lines have equally often, or ""."""
    best, score = "", 0
    for delimiter in ("\t", ";", ","):
        counts = [line.count(delimiter) for line in lines[:20] if trim(line)]
        if delimiter == "," and len(counts) > 1:
            counts = [len(_split_delimited(line, ",")) - 1 for line in lines[:20] if trim(line)]
        if len(counts) < 2 or not counts[0]:
            continue
        alike = [count for count in counts if count == counts[0]]
        if len(alike) * 4 >= len(counts) * 3 and len(alike) * counts[0] > score:
            best, score = delimiter, len(alike) * counts[0]
            if delimiter == "\t":
                break
    return best


def _delimited(lines, delimiter, first_line, kind):
    rows: list = []
    numbers, total = [], 0
    heads: list = []
    for place, line in enumerate(lines):
        if not trim(line) or line[:1] == "#":
            continue
        cells = _split_delimited(line, delimiter)
        if not heads:
            heads = cells
        elif len(rows) < MOST_ROWS:
            rows.append(cells)
            numbers.append(place + first_line)
        total += 1
    table = ReadTable("", heads, rows, numbers, first_line, kind)
    if total - 1 > MOST_ROWS:
        table.remarks.append(_too_long(total - 1))
    return table


def _gaps(line):
    """Return the words of a line that two or more blanks, or a tab, set apart: (start, word)."""
    found, start, place = [], -1, 0
    line = line.replace("\t", "    ")
    while place <= len(line):
        gap = (
            place == len(line)
            or line[place : place + 2] == "  "
            or (line[place] == " " and place + 1 == len(line))
        )
        if gap and start >= 0:
            found.append((start, line[start:place]))
            start = -1
        elif not gap and start < 0 and line[place] != " ":
            start = place
        place += 1
    return found


def _by_place(heads, cells):
    """Return cells of a line put under the heads that they are below, or None."""
    if len(cells) == len(heads):
        return [word for _, word in cells]
    if len(cells) > len(heads):
        return None
    out = [""] * len(heads)
    for start, word in cells:
        overlaps = [
            (min(start + len(word), left + len(head)) - max(start, left), -index)
            for index, (left, head) in enumerate(heads)
        ]
        overlap, index = max(overlaps)
        if overlap <= 0 or out[-index]:
            return None
        out[-index] = word
    return out


def _fixed_width(numbered):
    """Return the tables of a text whose columns are set apart by two or more blanks."""
    tables, place = [], 0
    while place < len(numbered):
        number, line = numbered[place]
        heads = _gaps(line) if len(line) < 2000 else []
        if not 2 <= len(heads) <= MOST_COLUMNS or read_number(heads[-1][1]):
            place += 1
            continue
        rows: list = []
        numbers, at = [], place + 1
        while at < len(numbered) and len(rows) < MOST_ROWS:
            below = numbered[at][1]
            if trim(below) and all([c in "-=+ " for c in trim(below[:2000])]):
                at += 1
                continue
            cells = _gaps(below) if len(below) < 2000 else []
            placed = _by_place(heads, cells) if len(cells) > 1 else None
            if placed is None:
                break
            rows.append([_cut(cell) for cell in placed])
            numbers.append(numbered[at][0])
            at += 1
        if rows and any([read_number(cell) for row in rows for cell in row]):
            names = [head for _, head in heads]
            tables.append(ReadTable("", names, rows, numbers, number, "fixed width"))
            place = at
        else:
            place += 1
    return tables


def _is_ruled(line):
    """Say whether a line rules the columns of a simple table of reStructuredText: "====  ===="."""
    line = trim(line[:2000])
    return "= " in line and all([c in "= " for c in line])


def _ruled(numbered):
    """Return the simple tables of reStructuredText: three rules, and heads after the first."""
    rules = [place for place, (_, line) in enumerate(numbered) if _is_ruled(line)]
    tables, at = [], 0
    while at + 2 < len(rules):
        first, second, third = rules[at : at + 3]
        at += 1
        if second == first + 1:
            continue
        at += 2
        number, rule = numbered[first]
        starts = [i for i, c in enumerate(rule) if c == "=" and (" " + rule)[i] == " "]
        spans = list(zip(starts, starts[1:] + [_LONGEST_MARKED * MOST_COLUMNS]))
        heads = ["" for _ in spans]
        for _, line in numbered[first + 1 : second]:  # heads may take several lines
            heads = [trim(head + " " + _clean(line[a:b])) for head, (a, b) in zip(heads, spans)]
        below = [(place, line) for place, line in numbered[second + 1 : third] if trim(line)]
        rows = [[_clean(line[a:b]) for a, b in spans] for _, line in below[:MOST_ROWS]]
        lines = [place for place, _ in below[:MOST_ROWS]]
        tables.append(ReadTable("", heads, rows, lines, number, "reStructuredText"))
        if len(below) > MOST_ROWS:
            tables[-1].remarks.append(_too_long(len(below)))
    return tables


def _fenced(others):
    """Return the blocks of text between fences, or all of it where there are none."""
    blocks, inside, any_fence = [], False, False
    block: list = []
    for number, line in others:
        if trim(line[:200])[:3] in ("```", "~~~"):
            any_fence = True
            if inside:
                blocks.append(block)
            inside, block = not inside, []
        elif inside:
            block.append((number, line))
    if inside:
        blocks.append(block)
    return blocks if any_fence else [others]


def read_tables(text, name="") -> list:
    """Return the tables of a text in their order; name: of its file, whose ending decides first.

    Raises ValueError, a sentence, for a text without any table.

    >>> (table,) = read_tables("| clients | tps |\\n|--|--|\\n| 1 | 583 |")
    >>> table.heads, table.rows
    (['clients', 'tps'], [['1', '583']])
    """
    remark = ""
    if len(text) > LONGEST_TEXT:
        remark = (
            f"The text has {group_thousands(str(len(text)))} characters; only the first "
            + f"{group_thousands(str(LONGEST_TEXT))} were read."
        )
        text = text[:LONGEST_TEXT]
    text = text.replace("\r\n", "\n").replace("\r", "\n").replace("\ufeff", "").replace("\0", "")
    ending = name.lower().rpartition(".")[2]
    tables = _read(text, ending)
    tables.sort(key=lambda table: table.line)
    if not tables:
        raise ValueError(
            "No table was found: paste one in Markdown, HTML, CSV, TSV, reStructuredText or "
            + "aligned columns, or the output of pgbench, wrk, k6, fio, redis-benchmark, hey or ab."
        )
    if _mentions_wrk(text):
        for table in tables:
            table.apart = table.apart or "The text mentions wrk: " + APART["wrk"]
    if remark:
        tables[0].remarks.append(remark)
    return tables


def _mentions_wrk(text):
    """Say whether wrk or wrk2 is one of the words of a text."""
    place = text.find("wrk")
    while place >= 0:
        end = place + 4 if text[place + 3 : place + 4] == "2" else place + 3
        around = text[max(place - 1, 0) : place] + text[end : end + 1]
        if not any([c.isalpha() or c in "_0123456789" for c in around]):
            return True
        place = text.find("wrk", end)
    return False


def _read(text, ending):
    lines = text.split("\n")
    if ending in ("csv", "tsv", "tab"):
        filled = [line for line in lines if trim(line)]
        delimiter = _delimiter(filled) if ending == "csv" else "\t"
        return [_delimited(lines, delimiter or ",", 1, ending.upper())] if len(filled) > 1 else []
    printouts = read_printouts(lines)
    if printouts:
        return printouts
    tables, others = _markdown(lines, 1)
    if "<t" in text or "<T" in text:
        tables += html_tables("\n".join([line for _, line in others]))
        if tables:
            return tables
    tables += _ruled(others)
    if tables:
        return tables
    for block in _fenced(others):
        tables += _plain_block(block)
    return tables


def _plain_block(block):
    """Return the tables of lines that are neither Markdown nor HTML."""
    filled = [(number, line) for number, line in block if trim(line)]
    if len(filled) < 2:
        return []
    delimiter = _delimiter([line for _, line in filled])
    if delimiter:
        kind = "TSV" if delimiter == "\t" else "CSV"
        return [_delimited([line for _, line in block], delimiter, block[0][0], kind)]
    return _fixed_width(block)
