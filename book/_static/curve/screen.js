// What stands in the <figure> of an explorer's chart: the drawing, its title, buttons, a note.
import { button, element, find } from '../dom.js';
import { Live } from '../stage/surface.js';

const SVG = 'http://www.w3.org/2000/svg';

export class Screen {
  /**
   * @param {HTMLElement} figure
   * @param {{ keep(): void, drop(): void, rescale(): void }} chart
   */
  constructor(figure, chart) {
    this.figure = figure;
    this.place = find(figure, '.chart-drawing');
    this.svg = document.createElementNS(SVG, 'svg');
    this.surface = new Live(this.svg);
    this.title = element('span', { class: 'curve-title' });
    this.keeping = button('Keep this curve', () => chart.keep());
    this.dropping = button('Drop kept', () => {
      chart.drop();
      this.keeping.focus(); // this one is gone
    });
    this.scaling = button('Rescale the axis', () => chart.rescale());
    this.scaling.className = 'curve-rescale';
    this.note = element('p', { class: 'curve-note' });
    this.awake = false;
  }

  /**
   * Takes the place of the picture, once there is a curve.
   * @param {Record<string, string | number>} spoken attributes
   * @param {() => void} draw
   */
  wake(spoken, draw) {
    const { figure, place, svg } = this;
    this.awake = true;
    figure.dataset.drawn = '';
    const role = { role: 'slider', tabindex: 0, class: 'marks', 'aria-orientation': 'horizontal' };
    for (const [name, value] of Object.entries({ ...role, ...spoken })) svg.setAttribute(name, String(value));
    place.setAttribute('role', 'group'); // no longer a picture
    place.classList.add('is-live');
    const bar = element('div', { class: 'curve-bar' }, this.title, this.keeping, this.dropping);
    place.replaceChildren(bar, svg, this.scaling, this.note);
    new ResizeObserver(draw).observe(place);
  }

  // In pixels; nothing while the figure is hidden.
  size() {
    const { clientWidth: width, clientHeight: height } = this.place;
    this.svg.setAttribute('width', String(width));
    this.svg.setAttribute('height', String(height));
    return width && height ? { width, height } : null;
  }

  /**
   * Says where the plot lies, for the slider that is its axis.
   * @param {Frame} plot
   */
  tellPlot({ left, right, width }) {
    this.figure.style.setProperty('--plot-left', `${left}px`);
    this.figure.style.setProperty('--plot-right', `${width - right}px`);
  }

  /**
   * @param {number} x
   * @param {string} text
   */
  tellValue(x, text) {
    this.svg.setAttribute('aria-valuenow', String(x));
    this.svg.setAttribute('aria-valuetext', text);
  }

  /**
   * @param {boolean} isOwn the axis is the view's own
   * @param {boolean} isOff the curve leaves it
   */
  tellAxis(isOwn, isOff) {
    this.scaling.hidden = isOwn && !isOff;
    this.scaling.textContent = isOwn ? 'Rescale the axis' : 'The axis as it was';
  }
}
