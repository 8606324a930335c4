"""The cost of an animation: playing, paused and out of view, on a CPU throttled four times.

Counted are the script, style and layout of its page: milliseconds of the main thread's own time,
which other programs of the machine do not lengthen. Each animation plays from its first bookmark.
"""

import json
import re
from pathlib import Path
from statistics import median, quantiles

from benchmarks.hosting import browser_path

WINDOWS = {"wide": (1280, 800), "phone": (390, 844)}
THROTTLED = 4
SETTLING_MS, PLAYED_MS, RESTED_MS = 2000, 4000, 3000
HEADS = {"p50 ms": 9, "p95 ms": 9, "frames/s": 10, "paused ms": 11, "away ms": 10}
TARGETS = (
    f"target: script, style and layout <= 8 ms a frame; nothing in {RESTED_MS / 1000:g} s of rest"
)
COUNTED = {"FireAnimationFrame", "FunctionCall", "UpdateLayoutTree", "Layout"}
CATEGORIES = ["devtools.timeline"]

AWAKE = """
() => [...document.querySelectorAll('.tunables-explorer, .tunables-card, .tunables-validity')]
  .every((box) => box.dataset.engine === 'ready')
"""
TO_START = "name => document.querySelector(`#${name}`).animation.clock.seek(0)"


def animations(page: Path) -> list[str]:
    """Return the animations of a built page."""
    return re.findall(r'class="tunables-animation" id="([\w-]+)"', page.read_text(encoding="utf-8"))


def main_thread(events: list[dict]) -> list[tuple[float, float, str]]:
    """Return (start, end, name) in ms of the busiest page's counted work, by its own clock."""
    counted = [
        event
        for event in events
        if event.get("ph") == "X" and event["name"] in COUNTED and "tts" in event
    ]
    threads = [(event["pid"], event["tid"]) for event in counted]
    if not threads:
        return []
    busiest = max(set(threads), key=threads.count)
    return sorted(
        (event["tts"] / 1000, (event["tts"] + event.get("tdur", 0)) / 1000, event["name"])
        for event, thread in zip(counted, threads, strict=True)
        if thread == busiest
    )


def frames_ms(work: list[tuple[float, float, str]]) -> list[float]:
    """Return what each frame took: work within other work counts once."""
    frames: list[float] = []
    done = float("-inf")
    for start, end, name in work:
        if name == "FireAnimationFrame":
            frames.append(0.0)
        if frames:
            frames[-1] += max(0.0, end - max(start, done))
        done = max(done, end)
    return frames


def trace(browser, page, for_ms: int) -> list[tuple[float, float, str]]:
    """Return the page's work within a time."""
    browser.start_tracing(page=page, categories=CATEGORIES)
    page.wait_for_timeout(for_ms)
    return main_thread(json.loads(browser.stop_tracing())["traceEvents"])


def measure(chromium, address: str, name: str, window: tuple[int, int]) -> list[float]:
    """Return the figures of one animation in the table."""
    browser = chromium.launch(executable_path=browser_path(), args=["--no-sandbox"])
    width, height = window
    page = browser.new_page(viewport={"width": width, "height": height})
    page.goto(address)
    page.wait_for_function(AWAKE, timeout=60_000)
    page.wait_for_load_state("networkidle")
    page.evaluate(TO_START, name)
    box = page.locator(f"#{name}")
    play = box.get_by_role("button", name="Play", exact=True)
    play.scroll_into_view_if_needed()
    page.wait_for_timeout(SETTLING_MS)
    talk = page.context.new_cdp_session(page)
    talk.send("Emulation.setCPUThrottlingRate", {"rate": THROTTLED})
    paused = trace(browser, page, RESTED_MS)
    play.click()
    frames = frames_ms(trace(browser, page, PLAYED_MS))
    page.evaluate("scrollTo(0, document.body.scrollHeight)")
    page.wait_for_timeout(500)
    away = trace(browser, page, RESTED_MS)
    browser.close()
    rests = [sum(end - start for start, end, _ in work) for work in (paused, away)]
    costs = [median(frames), quantiles(frames, n=20)[-1]]
    return [*costs, len(frames) / PLAYED_MS * 1000, *rests]


def print_frames(chromium, folder: Path, address: str) -> None:
    """Print the table of all animations in both windows."""
    print(f"\nanimations, CPU throttled {THROTTLED} times, {PLAYED_MS / 1000:g} s each; {TARGETS}")
    print(f"{'animation':<31}" + "".join(f"{head:>{wide}}" for head, wide in HEADS.items()))
    for chapter in sorted((folder / "chapters").glob("*.html")):
        for name in animations(chapter):
            for window, size in WINDOWS.items():
                line = measure(chromium, f"{address}/chapters/{chapter.name}", name, size)
                cells = zip(line, HEADS.values(), strict=True)
                print(
                    f"{name:<24}{window:<7}" + "".join(f"{cell:{wide}.1f}" for cell, wide in cells),
                    flush=True,
                )
