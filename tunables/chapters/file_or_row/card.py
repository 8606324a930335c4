"""The card of chapter 7: where BLOBs are read faster, and which page size is best for them."""

from functools import cache

from tunables.chapters.file_or_row.case import case
from tunables.chapters.file_or_row.predictor import predict_headroom
from tunables.core.card import Card, Watch, When, borrow_parameter, card_model
from tunables.core.model import Output, Parameter

IN_ROWS = ("keep-rows", "close-rows")  # the BLOBs stay there
IN_FILES = ("keep-files", "close-files")
PAGE = ("page", "page-first")
MOVES = ("to-files", "to-rows")
STATES = (*IN_ROWS, *IN_FILES, *PAGE, *MOVES)


def _parameters() -> tuple[Parameter, ...]:
    of = case()
    return (
        borrow_parameter(of, "blob_kb", label="Size of a typical BLOB", low=0.1, high=100_000),
        borrow_parameter(of, "page_bytes"),
        Parameter(
            "stored",
            "Where the BLOBs are now",
            "",
            "rows",
            "assumed",
            "the report doesn't describe a production system",
            choices=("rows", "files"),
        ),
        borrow_parameter(of, "open_kb", low=0, high=100_000),
        borrow_parameter(of, "lookup_kb", low=0.1, high=100_000),
        borrow_parameter(of, "page_kb", low=0, high=10_000),
        borrow_parameter(of, "byte_ratio", low=0.01, high=100),
    )


def _watches() -> tuple[Watch, ...]:
    return (
        Watch(
            "Size of the BLOBs in rows (daily median)",
            "kB",
            "above",
            "alarm_kb",
            "for a week: consult this card again",
            (*IN_ROWS, *PAGE, "to-rows"),
        ),
        Watch(
            "Size of the BLOBs in files (daily median)",
            "kB",
            "below",
            "alarm_kb",
            "for a week: consult this card again",
            (*IN_FILES, "to-files"),
        ),
        Watch(
            "Time to read 1,000 BLOBs from files divided by time to read them from rows (test "
            "monthly, once you have followed the advice)",
            "1",
            "below",
            "low_ratio",
            "in two consecutive tests",
        ),
        Watch(
            "Time to read 1,000 BLOBs from files divided by time to read them from rows (same "
            "monthly test)",
            "1",
            "above",
            "high_ratio",
            "in two consecutive tests",
        ),
        Watch(
            "Free pages after the move (PRAGMA freelist_count as a share of PRAGMA page_count)",
            "%",
            "above",
            25.0,
            "for a week: run VACUUM as in the last step",
            ("to-files",),
        ),
    )


def _steps() -> tuple[When, ...]:
    return (
        When(
            STATES,
            "On the machine that serves your BLOBs, measure how long small and large BLOBs take to "
            "read from files and from rows, with at least three page sizes. Chapter 7's lab, "
            "or the lab called Your numbers, computes the four costs from such times. Enter the "
            "four costs here. Chapter 7's lab doesn't count the time to find a file's name. If "
            "your program asks the database for the name, add the cost of looking up a row to the "
            "cost of finding, opening and closing a file.",
        ),
        When(
            ("keep-rows", "keep-files"),
            "Leave the BLOBs and the page size as they are.",
        ),
        When(
            ("close-rows", "close-files"),
            "Leave the BLOBs where they are, unless something matters more than speed, such as "
            "having a single file to back up, or BLOBs that other programs can open.",
        ),
        When(
            ("page",),
            "Make a test copy. On one connection to the database, run PRAGMA page_size = {pragma} "
            "and VACUUM INTO 'copy.db', then close that connection. Programs can keep running, but "
            "writers wait unless the journal mode is WAL.",
        ),
        When(
            ("page",),
            "On the copy, PRAGMA integrity_check must return ok, and PRAGMA page_size must return "
            "{pragma}. Time 1,000 reads from the copy. Expect them to take {saved_percent}% less "
            "time than reads from the present database. Then delete the copy, because it lacks all "
            "later writes.",
        ),
        When(
            PAGE,
            "In a maintenance window, stop every program that has the database open, including "
            "readers. Back the database up with sqlite3's .backup command. The file may grow by "
            "more than half. So besides the backup you need twice its size free in each of two "
            "places: beside the database, and in SQLite's temporary directory, which "
            "SQLITE_TMPDIR sets.",
        ),
        When(
            PAGE,
            "On one connection, run PRAGMA journal_mode = DELETE, which must return delete, then "
            "PRAGMA page_size = {pragma}, VACUUM, and PRAGMA page_size without a value, which must "
            "return {pragma}. If anything else comes back, a program is still connected: stop it "
            "and begin this step again.",
        ),
        When(
            PAGE,
            "Set the journal mode back to what it was. Set PRAGMA cache_size to a negative number: "
            "it is then in KiB, not in pages. Adjust wal_autocheckpoint, which "
            "counts pages, to the new page size. Start the programs.",
        ),
        When(
            ("page-first",),
            "Enter the new page size here. The card then says which BLOBs to move into rows.",
        ),
        When(
            MOVES,
            "Change the program so that it can read a BLOB from either place. Ship that first.",
        ),
        When(
            ("to-files",),
            "Move BLOBs of {move_from_kb} to {move_to_kb} kB into files, a few thousand at a time. "
            "Write the file, sync it, and sync its directory. Only then, in one transaction, store "
            "its name and empty the BLOB.",
        ),
        When(
            ("to-rows",),
            "Move BLOBs of {move_from_kb} to {move_to_kb} kB into rows, a few thousand in each "
            "transaction. Delete a file only when its row is committed and backed up.",
        ),
        When(
            MOVES,
            "After you have moved the first tenth of these BLOBs, compare read times with those "
            "before the move. Expect BLOBs of the size that you entered to take {gain_percent}% "
            "less time.",
        ),
        When(
            ("to-files",),
            "Once all these BLOBs have moved, stop all programs in a maintenance window and run "
            "VACUUM to make the database smaller. Then enter the size of the BLOBs that remain in "
            "rows: they may need another page size.",
        ),
    )


def _roll_back() -> tuple[When, ...]:
    return (
        When(
            (*IN_ROWS, *IN_FILES),
            "If you changed the page size and reads got slower, change it back in the same way, "
            "in a maintenance window. (The model can be off by about a quarter.) Don't restore "
            "an older copy, because it lacks all later writes.",
        ),
        When(
            ("page",),
            "If reads from the copy take longer than reads from the database, leave the database "
            "as it is. If other tables got slower after the change, change the page size back in "
            "the same way.",
        ),
        When(
            ("page-first",),
            "If other tables got slower, change the page size back in the same way.",
        ),
        When(
            MOVES,
            "If reads aren't faster after the first tenth of the BLOBs has moved, stop. Leave "
            "those BLOBs where they are: the program can read from both places.",
        ),
    )


@cache
def card() -> Card:
    """Return the card of the chapter, filled in with the report's numbers."""
    return Card(
        model=card_model(
            case(),
            predict_headroom,
            _parameters(),
            (
                Output(
                    "ratio", "Time to read from files divided by time to read from rows", "1", 2
                ),
                Output("threshold_kb", "Knee: largest BLOB to keep in a row", "kB", None),
                Output(
                    "file_kb",
                    "Cost of a read from a file (opening included), expressed as kB read from a "
                    "file",
                    "kB",
                    None,
                ),
                Output(
                    "row_kb",
                    "Cost of a read from a row, expressed as kB read from a file",
                    "kB",
                    None,
                ),
                Output("pages", "Pages per row", "pages", 0),
                Output("advised_page_bytes", "Recommended page size, if you change it", "B", 0),
                Output("pragma", "Recommended page size (the value for PRAGMA page_size)", "B", 0),
                Output(
                    "advised_ratio",
                    "Time to read from files divided by time to read from rows, at the recommended "
                    "page size",
                    "1",
                    2,
                ),
                Output("saved_percent", "Time saved per row at the recommended page size", "%", 0),
                Output("gain_percent", "Time saved by following the advice", "%", 0),
                Output("move_from_kb", "Smallest BLOB to move", "kB", None),
                Output("move_to_kb", "Largest BLOB to move (0: move none)", "kB", None),
                Output("alarm_kb", "Alert threshold for the size of BLOBs", "kB", None),
                Output(
                    "low_ratio",
                    "Alert if file read time divided by row read time is below",
                    "1",
                    2,
                ),
                Output(
                    "high_ratio",
                    "Alert if file read time divided by row read time is above",
                    "1",
                    2,
                ),
            ),
            main=("threshold_kb", "advised_page_bytes", "gain_percent"),
            states=True,
        ),
        tunable="The size above which a BLOB goes into its own file, and the page size of the "
        "database.",
        knee="The knee is {threshold_kb} kB. Larger BLOBs are read faster from a file than from a "
        "row in pages of the present size. For your BLOB, reading a file takes {ratio} times as "
        "long as reading a row now, and {advised_ratio} times as long as reading a row in pages of "
        "{advised_page_bytes} bytes. Treat a ratio between 0.8 and 1.25 as a tie, because the "
        "model can be off by about a quarter. Trust the knee less than these ratios, because with "
        "large pages it can come out at twice its true value.",
        failure="It fails slowly. BLOBs grow over the years, and each takes more pages, so every "
        "read takes a little longer. An old database also keeps its small page size until you "
        "change it.",
        watch=_watches(),
        steps=_steps(),
        roll_back=_roll_back(),
        never=(
            "Don't set PRAGMA page_size in WAL mode, or on a connection other than the one "
            "that runs VACUUM: SQLite then keeps the old size and reports no error.",
            "Don't run VACUUM on the live database at a busy time: it locks out every writer.",
            "Don't run VACUUM if anything (a file name, another table, a full-text index) refers "
            "to the rowids of a table without an INTEGER PRIMARY KEY: VACUUM may renumber the "
            "rows, and PRAGMA integrity_check still returns ok.",
            "Don't use cp instead of .backup to copy a database that is in use: the copy lacks the "
            "changes in the -wal file, yet PRAGMA integrity_check still returns ok.",
            "Don't delete a file before the row that replaces it is committed and backed up.",
            "Don't back up the files and the database at different times while programs write: "
            "the names and the files then won't match.",
            "Don't use large pages for tables with many small updates: each update writes whole "
            "pages. Keep the BLOBs in a database of their own.",
        ),
        states=STATES,
    )
