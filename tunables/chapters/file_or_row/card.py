"""The card of chapter 7: where BLOBs are read faster, and in pages of which size."""

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
            "The BLOBs are now in",
            "",
            "rows",
            "assumed",
            "the report describes no system in production",
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
            "Size of the BLOBs in rows: the median of a day",
            "kB",
            "above",
            "alarm_kb",
            "for a week: ask this card again",
            (*IN_ROWS, *PAGE, "to-rows"),
        ),
        Watch(
            "Size of the BLOBs in files: the median of a day",
            "kB",
            "below",
            "alarm_kb",
            "for a week: ask this card again",
            (*IN_FILES, "to-files"),
        ),
        Watch(
            "Time from files over time from rows, in a test of 1,000 BLOBs each month, once the "
            "advice is followed",
            "1",
            "below",
            "low_ratio",
            "in two tests running",
        ),
        Watch(
            "Time from files over time from rows, in the same test",
            "1",
            "above",
            "high_ratio",
            "in two tests running",
        ),
        Watch(
            "Free pages, once the BLOBs have moved: PRAGMA freelist_count over page_count",
            "%",
            "above",
            25.0,
            "for a week: VACUUM as in the last step",
            ("to-files",),
        ),
    )


def _steps() -> tuple[When, ...]:
    return (
        When(
            STATES,
            "On the machine that serves them, time reads of your BLOBs from files and from rows: "
            "small and large ones, with at least three page sizes. Chapter 7's lab and the lab "
            "Your numbers fit the four costs to such times: enter these here. Chapter 7's lab "
            "leaves out finding a file's name: if your program asks the database for it, add the "
            "cost of finding a row to that of the file.",
        ),
        When(
            ("keep-rows", "keep-files"),
            "Leave the BLOBs and the page size as they are.",
        ),
        When(
            ("close-rows", "close-files"),
            "Leave the BLOBs where they are. Decide by what else matters: one file to back up, "
            "or BLOBs that other programs open.",
        ),
        When(
            ("page",),
            "Make a test copy. On one connection to the database run PRAGMA page_size = {pragma} "
            "and VACUUM INTO 'copy.db', then close that connection. Programs "
            "can go on; unless the journal mode is WAL, writers wait.",
        ),
        When(
            ("page",),
            "On the copy PRAGMA integrity_check must answer ok, and PRAGMA page_size {pragma}. "
            "Time 1,000 reads: expect {saved_percent}% less time than now. Then delete the copy: "
            "it lacks whatever was written since.",
        ),
        When(
            PAGE,
            "In a planned window stop every program that has the database open, readers too. Back "
            "it up with .backup of the program sqlite3. Besides the backup, have free disk space "
            "for two more databases.",
        ),
        When(
            PAGE,
            "On one connection run PRAGMA journal_mode = DELETE, which must answer delete, then "
            "PRAGMA page_size = {pragma}, VACUUM, and PRAGMA page_size, which must answer "
            "{pragma}. If anything else comes back, a program is still "
            "connected: stop it and begin this step again.",
        ),
        When(
            PAGE,
            "Set the journal mode back. Give PRAGMA cache_size as a negative number, in KiB, and "
            "scale wal_autocheckpoint: positive numbers count pages, whose size has changed. "
            "Start the programs.",
        ),
        When(
            ("page-first",),
            "Enter the new page size here. The card then says which BLOBs to move into rows.",
        ),
        When(
            MOVES,
            "Change the program so that it reads a BLOB from either place. Ship that first.",
        ),
        When(
            ("to-files",),
            "Move BLOBs of {move_from_kb} to {move_to_kb} kB into files, a few thousand at a time: "
            "write the file, sync it, and sync its directory. Only then, in one transaction, store "
            "its name and empty the BLOB.",
        ),
        When(
            ("to-rows",),
            "Move BLOBs of {move_from_kb} to {move_to_kb} kB into rows, a few thousand in each "
            "transaction. Delete a file only when its row is committed and backed up.",
        ),
        When(
            MOVES,
            "After the first tenth compare the time of a read. Expect {gain_percent}% less for "
            "BLOBs of the size that you entered.",
        ),
        When(
            ("to-files",),
            "Once all have moved, run VACUUM in a planned window, with all programs stopped, to "
            "make the database smaller. Then enter the size of the BLOBs that remain in rows: "
            "they may need another page size.",
        ),
    )


def _roll_back() -> tuple[When, ...]:
    return (
        When(
            (*IN_ROWS, *IN_FILES),
            "You changed a page size and reads got slower: the model errs by up to about a "
            "quarter. Change it back in the same way, in a window. Don't put an older copy back, "
            "because it lacks whatever was written since.",
        ),
        When(
            ("page",),
            "Reads of the copy take longer than before: leave the database as it is. Or other "
            "tables got slower after the change: change it back in the same way.",
        ),
        When(
            ("page-first",),
            "Other tables got slower. Change the page size back in the same way.",
        ),
        When(
            MOVES,
            "After the first tenth reads aren't faster. Stop, and leave what has moved there: "
            "the program reads both places.",
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
                Output("ratio", "Files over rows", "1", 2),
                Output("threshold_kb", "Knee: largest BLOB for a row", "kB", None),
                Output("file_kb", "Cost from a file, in kB of file", "kB", None),
                Output("row_kb", "Cost from a row, in kB of file", "kB", None),
                Output("pages", "Pages of a row", "pages", 0),
                Output("advised_page_bytes", "Best page size, if you change it", "B", 0),
                Output("pragma", "As a value of PRAGMA page_size", "B", 0),
                Output("advised_ratio", "Files over rows at that page size", "1", 2),
                Output("saved_percent", "Saving per row at that page size", "%", 0),
                Output("gain_percent", "The advice saves", "%", 0),
                Output("move_from_kb", "Move BLOBs from", "kB", None),
                Output("move_to_kb", "Move BLOBs up to (0: move none)", "kB", None),
                Output("alarm_kb", "Alert, size of BLOBs", "kB", None),
                Output("low_ratio", "Alert below, files over rows", "1", 2),
                Output("high_ratio", "Alert above, files over rows", "1", 2),
            ),
            main=("threshold_kb", "advised_page_bytes", "gain_percent"),
            states=True,
        ),
        tunable="The size above which a BLOB goes into its own file, and the page size of the "
        "database.",
        knee="{threshold_kb} kB: beyond it a file is read faster than a row in pages of this size. "
        "For your BLOB a file takes {ratio} times as long as a row, and {advised_ratio} times with "
        "pages of {advised_page_bytes} bytes. Between 0.8 and 1.25 treat the two as equal, because "
        "the model errs by up to about a quarter. Trust the knee less: with large pages it can be "
        "twice the true one.",
        failure="Slowly. BLOBs grow over the years and each takes more pages, so every read gets "
        "a little longer. An old database also keeps its small page size until you change it.",
        watch=_watches(),
        steps=_steps(),
        roll_back=_roll_back(),
        never=(
            "Don't set PRAGMA page_size in WAL mode, or on another connection than VACUUM: the old "
            "size stays, and no error says so.",
            "Don't run VACUUM on the live database at a busy time: it locks out every writer.",
            "Don't VACUUM a database whose rowids are stored elsewhere, as in file names, unless "
            "the table has an INTEGER PRIMARY KEY: VACUUM may renumber the rows.",
            "Don't copy a database that is in use with cp instead of .backup: the copy lacks what "
            "is in the -wal file, and PRAGMA integrity_check still answers ok.",
            "Don't delete a file before the row that replaces it is committed and backed up.",
            "Don't back up the files and the database at different times while programs write: "
            "names and files then don't match.",
            "Don't use large pages for tables with many small updates: each writes whole pages. "
            "Keep the BLOBs in a database of their own.",
        ),
        states=STATES,
    )
