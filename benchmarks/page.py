"""What a chapter costs its reader: bytes, first live value, slider steps, an animation's frames.

No peer, but targets.
Each chapter is opened in a new Chromium with a cold cache, from a server on this machine that
compresses as a static host does, scrolled to its end, and its experiment simulated.
`python -m benchmarks.page [FOLDER]`
"""

import sys
from pathlib import Path
from statistics import median, quantiles

from playwright.sync_api import sync_playwright

from benchmarks.animation_frames import print_frames
from benchmarks.hosting import browser_path, serve

SITE = Path(__file__).parents[1] / "_build" / "html"
SETTLING_MS = 2000  # of a browser that has just started, unlike that of readers
STEPS = 100
VISITS = 3
HEADS = {"kB": 8, "files": 7, "first ms": 10, "median ms": 11, "p95 ms": 8, "all runs ms": 13}
TARGETS = "target: <= 1.0 MB in all, first value <= 1 s, step: median <= 16 ms, p95 <= 50 ms"

# When the first explorer shows a value that the engine computed, since the navigation began.
FIRST_VALUE = """
new MutationObserver(() => {
  if (!window.firstValue && document.querySelector('.tunables-explorer[data-engine=ready]'))
    window.firstValue = performance.now();
}).observe(document, {subtree: true, attributeFilter: ['data-engine']});
"""

SCROLL = """
async () => {
  const frame = () => new Promise(requestAnimationFrame);
  for (let y = 0; y < document.documentElement.scrollHeight; y += innerHeight / 2) {
    scrollTo(0, y);
    await frame();
  }
}
"""

# Moves a slider one step a frame, up and down; each time until the table has its answer.
DRAG = """
async (steps) => {
  const section = document.querySelector('.tunables-explorer');
  const slider = section.querySelector('input[type=range]');
  slider.scrollIntoView({block: 'center'});
  const frame = () => new Promise(requestAnimationFrame);
  const answered = () => new Promise((resolve) => {
    // A table may keep its numbers: the explorer tells when it has answered.
    const told = () => resolve(performance.now());
    document.addEventListener('tunables:state', told, {once: true});
  });
  const times = [];
  // A hundredth of its range, and never less than a step; that may be any.
  const way = Math.max((slider.max - slider.min) / 100, Number(slider.step) || 0);
  for (let step = 0; step < steps; step += 1) {
    await frame();
    const told = answered();
    const start = performance.now();
    slider.value = slider.valueAsNumber + (step % 20 < 10 ? way : -way);
    slider.dispatchEvent(new Event('input'));
    times.push(await told - start);
  }
  return times;
}
"""


# All runs of the published experiment, with what is fetched for them.
SIMULATE = """
async () => {
  const begun = performance.now();
  await document.querySelector('.tunables-explorer').explorer.simulate({seed: 1});
  return performance.now() - begun;
}
"""


def visit(chromium, address: str) -> tuple[float, list[float], float]:
    """Open a page with nothing cached; return ms to its first value, of steps, of a simulation.

    Each time in a browser of its own: in one that had pages before, frames may stop coming.
    """
    browser = chromium.launch(executable_path=browser_path(), args=["--no-sandbox"])
    page = browser.new_page(viewport={"width": 1280, "height": 900})
    page.add_init_script(FIRST_VALUE)
    page.wait_for_timeout(SETTLING_MS)
    page.goto(address)
    page.wait_for_selector(".tunables-explorer[data-engine=ready]", timeout=30_000)
    first_ms = page.evaluate("firstValue")
    page.evaluate(SCROLL)
    page.wait_for_load_state("networkidle")
    steps_ms = page.evaluate(DRAG, STEPS)
    simulated_ms = page.evaluate(SIMULATE)
    browser.close()
    return first_ms, steps_ms, simulated_ms


def main(folder: Path = SITE) -> None:
    print(f"{VISITS} visits a chapter, {STEPS} slider steps each; gzip 6; {TARGETS}")
    print(f"{'chapter':<22}" + "".join(f"{head:>{width}}" for head, width in HEADS.items()))
    with serve(folder) as (address, sent), sync_playwright() as playwright:
        for chapter in sorted((folder / "chapters").glob("*.html")):
            sent.clear()
            page = f"{address}/chapters/{chapter.name}"
            visits = [visit(playwright.chromium, page) for _ in range(VISITS)]
            files = len(sent)
            total_kb = sum(sent.values()) / VISITS / 1000
            firsts_ms, steps, simulations_ms = zip(*visits, strict=True)
            steps_ms = [step for each in steps for step in each]
            p95_ms = quantiles(steps_ms, n=20)[-1]
            print(
                f"{chapter.stem:<22}{total_kb:8.0f}{files:7}{median(firsts_ms):10.0f}"
                f"{median(steps_ms):11.1f}{p95_ms:8.1f}{median(simulations_ms):13.0f}"
            )
        print("\nthe heaviest files of the last chapter, kB:")
        for name, size in sent.most_common(12):
            print(f"  {name:<44}{size / VISITS / 1000:8.1f}")
        print_frames(playwright.chromium, folder, address)


if __name__ == "__main__":
    main(*map(Path, sys.argv[1:]))
