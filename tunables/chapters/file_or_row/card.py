"""The card of chapter 7: where BLOBs are read faster, and in pages of which size."""

from functools import cache

from tunables.chapters.file_or_row.case import case
from tunables.chapters.file_or_row.predictor import predict_headroom
from tunables.core.card import Card, Watch, When, borrow_parameter, card_model
from tunables.core.model import Output, Parameter

STATES = ("keep", "close", "page", "to files", "to rows")
STAY = ("keep", "close")
MOVES = ("to files", "to rows")


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
            "Size of the BLOBs in rows: the 95th percentile of a day",
            "kB",
            "above",
            "alarm_kb",
            "for a week",
            ("keep", "close", "page"),
        ),
        Watch(
            "Size of the BLOBs in files: the median of a day",
            "kB",
            "below",
            "alarm_kb",
            "for a week",
            ("to rows",),
        ),
        Watch(
            "Time from files over time from rows, in a test of 1,000 BLOBs each month",
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
            "Pages per row: PRAGMA page_count over the number of rows",
            "pages",
            "above",
            "alarm_pages",
            "for a day",
        ),
        Watch(
            "Free pages: PRAGMA freelist_count over page_count",
            "%",
            "above",
            25.0,
            "for a week",
        ),
    )


def _steps() -> tuple[When, ...]:
    return (
        When(
            STATES,
            "Read 1,000 of your own BLOBs from files and from rows, on the machine that serves "
            "them. Fit the four costs to the times, as the lab does, and enter them here.",
        ),
        When(
            ("keep",),
            "Leave the BLOBs and the page size as they are.",
        ),
        When(
            ("close",),
            "Leave the BLOBs where they are. Decide by what else matters: one file to back up, "
            "or BLOBs that other programs open.",
        ),
        When(
            ("page",),
            "Make a test copy of the database, and check it with PRAGMA integrity_check.",
        ),
        When(
            ("page",),
            "On the copy set PRAGMA journal_mode = DELETE, then PRAGMA page_size = "
            "{best_page_bytes}, then run VACUUM. Have free disk space for two more databases.",
        ),
        When(
            ("page",),
            "Time 1,000 reads of the copy. Expect {saved_percent}% less time than before. Then "
            "throw the copy away: it lacks whatever was written since.",
        ),
        When(
            ("page",),
            "In a planned window stop every program that writes to the database, back it up, and "
            "run the same commands on the database itself. Set the journal mode back before you "
            "start the programs again.",
        ),
        When(
            MOVES,
            "Change the program so that it reads a BLOB from either place. Ship that first.",
        ),
        When(
            ("to files",),
            "Move BLOBs over {threshold_kb} kB into files, a few thousand at a time: write and "
            "sync the file, then in one transaction store its name and empty the BLOB.",
        ),
        When(
            ("to rows",),
            "Move BLOBs up to {threshold_kb} kB into rows, a few thousand in each transaction. "
            "Delete a file only when its row is committed and backed up.",
        ),
        When(
            MOVES,
            "After the first tenth compare the time of a read. Expect {gain_percent}% less for "
            "BLOBs of the size that you entered.",
        ),
    )


def _roll_back() -> tuple[When, ...]:
    return (
        When(
            STAY,
            "You changed a page size and reads got slower: the model errs by up to a quarter. "
            "Change it back in the same way, in a window. Don't put an older copy back, because it "
            "lacks whatever was written since.",
        ),
        When(
            ("page",),
            "Reads of the copy take longer than before, or other tables got slower. Leave the "
            "database as it is.",
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
                Output("best_page_bytes", "Best page size", "B", 0),
                Output("best_ratio", "Files over rows at that page size", "1", 2),
                Output("saved_percent", "A row then costs less by", "%", 0),
                Output("gain_percent", "The advice saves", "%", 0),
                Output("alarm_kb", "Alert, size of BLOBs", "kB", None),
                Output("alarm_pages", "Alert above, pages per row", "pages", None),
                Output("low_ratio", "Alert below, files over rows", "1", 2),
                Output("high_ratio", "Alert above, files over rows", "1", 2),
            ),
            states=True,
        ),
        tunable="The size above which a BLOB goes into its own file, and the page size of the "
        "database.",
        knee="{threshold_kb} kB: beyond it a file is read faster than a row in pages of this size. "
        "For your BLOB a file takes {ratio} times as long as a row. Between 0.8 and "
        "1.25 treat the two as equal. The model errs by up to a quarter.",
        failure="Slowly. BLOBs grow over the years and each takes more pages, so every read gets "
        "a little longer. An old database also keeps its small page size until you change it.",
        watch=_watches(),
        steps=_steps(),
        roll_back=_roll_back(),
        never=(
            "Don't set PRAGMA page_size in WAL mode: VACUUM then keeps the old size.",
            "Don't run VACUUM on the live database at a busy time: it locks out every writer.",
            "Don't delete a file before the row that replaces it is committed and backed up.",
            "Don't back up the files and the database at different times while programs write: "
            "names and files then don't match.",
        ),
        states=STATES,
    )
