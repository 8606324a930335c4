"""Chapter 7's case: the matrix of files and rows in SQLite's documentation (about 2011).

It holds what is fitted, what the printed digits allow, the rivals, and the map of the page cache.
"""

import math
from functools import cache

import numpy as np

from tunables.chapters.file_or_row import CASES
from tunables.chapters.file_or_row.calibration import (
    DEFAULTS,
    PAGES,
    SIZES,
    cells,
    data,
    fitted_costs,
    half_digits,
    points,
    ratio,
    row_id,
    weights,
)
from tunables.chapters.file_or_row.fit import COSTS, ratio_of
from tunables.chapters.file_or_row.predictor import predict
from tunables.chapters.file_or_row.simulation import (
    CACHE_MB,
    MAP_RUNS,
    RUNS,
    run,
    run_of_map,
)
from tunables.core.allowed import Allowed, box_image_faces
from tunables.core.case import Baseline, Calibration, Case, Published, Simulation
from tunables.core.model import Output, Parameter, View
from tunables.core.validity import MapAxis, ValidityMap

FITTED_ROWS = tuple(row_id(*cell) for cell in cells(DEFAULTS))
OTHERS = tuple(page for page in PAGES if page not in DEFAULTS)
PREDICTED_ROWS = tuple(row_id(*cell) for cell in cells(OTHERS))
COMMON = 4096  # bytes per page of the sceptic's row: today's default


def _costs() -> tuple[Parameter, ...]:
    fitted = fitted_costs()
    source = "fitted to the fourteen ratios at 1,024 and 4,096 bytes per page"
    return tuple(
        Parameter(name, label, unit, fitted[name], "calibrated", source, low=low, high=high)
        for name, label, unit, low, high in (
            (
                "open_kb",
                "Cost of finding, opening and closing a file, expressed as kB read from a file",
                "kB",
                1,
                1000,
            ),
            (
                "lookup_kb",
                "Cost of looking up a row, expressed as kB read from a file",
                "kB",
                0,
                300,
            ),
            (
                "page_kb",
                "Fixed cost of each page of a row, expressed as kB read from a file",
                "kB",
                0,
                30,
            ),
            ("byte_ratio", "Cost of a byte of a page, relative to a byte of a file", "1", 0.1, 5),
        )
    )


def parameters() -> tuple[Parameter, ...]:
    """Return the parameters of the case, each with how its default is known."""
    return (
        Parameter(
            "blob_kb",
            "Size of a BLOB",
            "kB",
            100,
            "published",
            "the report's table: 10 kB to 1 MB",
            low=1,
            high=1000,
            scale="log",
        ),
        Parameter(
            "page_bytes",
            "Page size of the database",
            "B",
            COMMON,
            "published",
            "the report's table: 1,024 to 65,536 bytes",
            low=512,
            high=65_536,
            scale="log",
            integer=True,
        ),
        *_costs(),
    )


def _number(page: int, size: str) -> Published:
    return Published(
        data()[row_id(page, size)],
        f"{size} BLOB, pages of {page:,} bytes",
        "calibrated" if page in DEFAULTS else "predicted",
        "ratio",
        {"blob_kb": SIZES[size], "page_bytes": page},
    )


@cache
def case() -> Case:
    """Return the case: its model, and every ratio of the matrix with its status."""
    title, document = CASES["blobs"]
    return Case(
        name="blobs",
        chapter="file_or_row",
        title=title,
        document=document,
        parameters=parameters(),
        outputs=(
            Output("ratio", "File read time divided by row read time", "1", 3),
            Output("threshold_kb", "Largest BLOB read as fast from a row as from a file", "kB", 1),
            Output("pages", "Pages read per row", "pages", 2),
        ),
        numbers=tuple(_number(*cell) for cell in cells()),
        main_outputs=("ratio", "pages", "threshold_kb"),
        main_parameters=("blob_kb", "page_bytes", "open_kb"),
        views=(
            View(
                "blob_kb",
                "ratio",
                "File read time divided by row read time, against BLOB size",
                301,
            ),
        ),
        predict=predict,
        simulation=Simulation(run, RUNS),
        fits=(Calibration(COSTS, FITTED_ROWS),),
        baseline=Baseline(
            "the page size makes no difference, so each ratio equals the one at 4,096 bytes",
            {row_id(page, size): ratio(COMMON, size) for page, size in cells()},
            tuple(row_id(COMMON, size) for size in SIZES),
        ),
    )


@cache
def allowed() -> Allowed:
    """Return the costs that the digits of the fourteen fitted ratios allow.

    Four costs can't give fourteen ratios exactly. The fit depends on only four weighted sums of the
    ratios' logarithms. The allowed sums are those of any fourteen numbers within the digits.
    """
    start = tuple(fitted_costs().values())
    fitted, asked = points(DEFAULTS), dict(zip(PREDICTED_ROWS, points(OTHERS), strict=True))
    by_cost = np.array(weights(start))
    directions, reach = box_image_faces(by_cost, half_digits())
    of_numbers = directions @ by_cost
    faces = [f"face {place}" for place in range(len(reach))]

    def answers(values) -> dict[str, float]:
        costs = tuple(map(float, values))
        sums = of_numbers @ [math.log(ratio_of(point, costs)) for point in fitted]
        found = dict(zip(faces, sums.tolist(), strict=True))
        return found | {row: ratio_of(point, costs) for row, point in asked.items()}

    middle = answers(start)
    return Allowed(
        case="blobs",
        names=COSTS,
        start=start,
        bounds={
            face: (middle[face] - far, middle[face] + far)
            for face, far in zip(faces, reach.tolist(), strict=True)
        },
        answers=answers,
        means="Four costs can't reproduce fourteen ratios to three decimals. The allowed costs are "
        "those that least squares finds for any fourteen numbers that round to the printed ones.",
        asked=PREDICTED_ROWS,
    )


@cache
def validity() -> ValidityMap:
    """Return the map of BLOB sizes and of the page cache."""
    return ValidityMap(
        case=case(),
        title="Pages read per BLOB, for caches that hold a small or large part of the database",
        x=MapAxis(
            "blob_kb",
            "Size of a BLOB",
            "the size of a BLOB",
            "kB",
            (10, 15, 20, 30, 50, 75, 100, 150, 200, 300, 500, 1000),
        ),
        y=MapAxis(
            "cache_mb",
            "Size of the page cache for 100 MB of BLOBs",
            "the page cache",
            "MB",
            (1, CACHE_MB, 5, 10, 20, 30, 45, 60, 75, 90),
            assumed=CACHE_MB,
        ),
        output="pages",
        simulation=Simulation(run_of_map, MAP_RUNS),
        why="The formula assumes that every page of a row is read from the file. That holds only "
        "if the page cache is small compared with the database, as in the report. A larger cache "
        "still holds some pages of a BLOB when it is read again. (Since version 3.45, SQLite "
        "has bypassed its cache for overflow pages; the map shows earlier versions.) If every "
        "round reads each BLOB once, in a new random order, and the least recently used pages are "
        "evicted first, a cache that holds half of the database saves 15% of the reads, according "
        "to a formula on chapter 3's evidence page.",
    )
