"""Whether a page's memory grows while its reader plays: 1,000 moves of a slider, 20 simulations.

No peer. Printed after each fifth of the moves and of the simulations, with the garbage collected:
the page's heap, its nodes and its listeners. `python -m benchmarks.page_memory [FOLDER]`
"""

import sys
from pathlib import Path

from playwright.sync_api import CDPSession, sync_playwright

from benchmarks.hosting import browser_path, serve
from benchmarks.page import DRAG, SIMULATE, SITE

MOVES, SIMULATIONS, PARTS = 1000, 20, 5


def memory(devtools: CDPSession) -> str:
    for _ in range(2):  # the second takes what the first let go
        devtools.send("HeapProfiler.collectGarbage")
    heap_mb = devtools.send("Runtime.getHeapUsage")["usedSize"] / 1e6
    counted = devtools.send("Memory.getDOMCounters")
    return f"{heap_mb:8.1f}{counted['nodes']:9,}{counted['jsEventListeners']:11,}"


def main(folder: Path = SITE) -> None:
    print(f"{'chapter':<22}{'after':<16}{'heap MB':>8}{'nodes':>9}{'listeners':>11}")
    with serve(folder) as (address, _), sync_playwright() as playwright:
        for chapter in sorted((folder / "chapters").glob("*.html")):
            browser = playwright.chromium.launch(
                executable_path=browser_path(), args=["--no-sandbox"]
            )
            page = browser.new_page(viewport={"width": 1280, "height": 900})
            devtools = page.context.new_cdp_session(page)
            page.goto(f"{address}/chapters/{chapter.name}")
            page.wait_for_selector(".tunables-explorer[data-engine=ready]", timeout=30_000)
            print(f"{chapter.stem:<22}{'loading':<16}{memory(devtools)}", flush=True)
            for part in range(1, PARTS + 1):
                page.evaluate(DRAG, MOVES // PARTS)
                print(f"{'':<22}{MOVES // PARTS * part:5} moves     {memory(devtools)}", flush=True)
            for part in range(1, PARTS + 1):
                for _ in range(SIMULATIONS // PARTS):
                    page.evaluate(SIMULATE)
                done = SIMULATIONS // PARTS * part
                print(f"{'':<22}{done:5} simulated {memory(devtools)}", flush=True)
            browser.close()


if __name__ == "__main__":
    main(*map(Path, sys.argv[1:]))
