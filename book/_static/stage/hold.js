// A button that may be held: what it begins lasts until it is let go. A short press is a click, as
// by keys.
const LONG_MS = 200, CLICK_MS = 50; // a release makes a click, which comes soon after

/**
 * @param {HTMLButtonElement} press
 * @param {() => number} now the machine's time
 * @param {(from: number) => void} begin is told when the hand came down
 * @param {(from: number, to: number) => void} end
 */
export function holdable(press, now, begin, end) {
  let from = 0, waiting = 0, held = false;
  press.addEventListener('pointerdown', ({ button: which, pointerId }) => {
    if (which) return;
    press.setPointerCapture(pointerId); // it may be let go beside the button
    from = now();
    waiting = window.setTimeout(() => {
      held = true;
      begin(from);
    }, LONG_MS);
  });
  const release = () => {
    clearTimeout(waiting);
    if (!held) return;
    end(from, now());
    setTimeout(() => held = false, CLICK_MS);
  };
  for (const name of ['pointerup', 'pointercancel']) press.addEventListener(name, release);
  press.addEventListener('click', (event) => {
    if (held) event.stopImmediatePropagation();
  }, { capture: true });
  press.addEventListener('contextmenu', (event) => held && event.preventDefault());
}
