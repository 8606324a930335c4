// A chapter's diagram. Pointing at a symbol, or focusing it, marks it in the formulas, and the other way round;
// pressing it keeps the mark.
import { element, find } from '../dom.js';

const HINT = 'Press a symbol, here or in a formula, to highlight it throughout the chapter.';
const ROOM = 24; // px: the least size for a finger

/** Returns the text of a part of a formula, without characters of no width. @param {Element} part */
const read = (part) => (part.textContent ?? '').replaceAll('\u200b', '');

/** Returns the parts of the page's formulas that are a symbol as a whole, by symbol.
 * @param {string[]} symbols @returns {Map<string, HTMLElement[]>} */
function symbolsInFormulas(symbols) {
  const names = new Map(symbols.map((name) => [name.replace('_', ''), name]));
  /** @type {Map<string, HTMLElement[]>} */
  const places = new Map(symbols.map((name) => [name, []]));
  for (const part of document.querySelectorAll('main .katex-html .mord')) {
    const name = names.get(read(part));
    if (!(part instanceof HTMLElement) || !name || part.parentElement?.closest('[data-symbol]')) continue;
    part.dataset.symbol = name;
    places.get(name)?.push(part);
  }
  return places;
}

/** Returns the style that places a button over a symbol of the drawing. @param {Element} drawn */
function placeOver(drawn) {
  const { left, top, width, height } = drawn.getBoundingClientRect();
  const frame = /** @type {SVGElement} */ (drawn.closest('svg')).getBoundingClientRect();
  const wide = Math.max(width + 6, ROOM), high = Math.max(height, ROOM);
  return {
    left: `${((left + width / 2 - wide / 2 - frame.left) / frame.width) * 100}%`,
    top: `${((top + height / 2 - high / 2 - frame.top) / frame.height) * 100}%`,
    width: `${wide}px`,
    height: `${high}px`,
  };
}

/** The symbols of a diagram, with their meanings and their places in the formulas. */
class Symbols {
  /** @param {Record<string, string>} meanings */
  constructor(meanings) {
    this.meanings = meanings;
    this.formulas = symbolsInFormulas(Object.keys(meanings));
    this.explanation = element('p', { 'aria-live': 'polite', class: 'diagram-told' }, HINT);
    /** @type {Map<string, HTMLElement>} */
    this.buttons = new Map();
    this.pinned = '';
    for (const [name, parts] of this.formulas) {
      for (const part of parts) this.watch(part, name);
    }
  }

  /** @param {string} name */
  describe(name) {
    return `${name.replace('_', ' ')}: ${this.meanings[name]}`;
  }

  /** Marks a symbol everywhere, and no other. */
  mark(name = this.pinned) {
    for (const [each, press] of this.buttons) {
      for (const part of [press, ...this.formulas.get(each) ?? []]) part.classList.toggle('is-marked', each === name);
      press.setAttribute('aria-pressed', String(each === this.pinned));
    }
    const count = this.formulas.get(name)?.length;
    const often = count === 1 ? 'once' : `${count} times`;
    this.explanation.textContent = name ? `${this.describe(name)}. Used ${often} in this chapter’s formulas.` : HINT;
  }

  /** @param {HTMLElement} part of a formula, or a button @param {string} name */
  watch(part, name) {
    for (const event of ['pointerenter', 'focus']) part.addEventListener(event, () => this.mark(name));
    for (const event of ['pointerleave', 'blur']) part.addEventListener(event, () => this.mark());
    part.addEventListener('click', () => {
      this.pinned = name === this.pinned ? '' : name;
      this.mark();
    });
  }

  /** @param {Element} drawn */
  buttonOver(drawn) {
    const name = drawn.getAttribute('data-symbol') ?? '';
    const press = element('button', { type: 'button', 'aria-label': this.describe(name) });
    this.watch(press, name);
    this.buttons.set(name, press);
    return press;
  }
}

export function mountDiagram() {
  const figure = document.querySelector('.tunables-diagram');
  if (!(figure instanceof HTMLElement)) return;
  const drawing = find(figure, '.diagram-drawing');
  const drawn = /** @type {SVGElement[]} */ ([...drawing.querySelectorAll('[data-symbol]')]);
  const symbols = new Symbols(Object.fromEntries(drawn.map(({ dataset }) => [dataset.symbol, dataset.meaning])));
  const buttons = drawn.map((each) => symbols.buttonOver(each));
  drawing.append(...buttons);
  drawing.after(symbols.explanation);
  symbols.mark();
  const layAll = () => {
    const places = drawn.map(placeOver); // all are measured before any is placed: the page is laid out once
    buttons.forEach((press, number) => Object.assign(press.style, places[number]));
  };
  requestAnimationFrame(layAll);
  document.fonts.addEventListener('loadingdone', layAll); // the formulas' fonts load later
}
