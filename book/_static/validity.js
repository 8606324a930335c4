// Wakes one validity map: a tolerance, a grid to walk through, and the way to the explorer.
import { button, element } from './controls.js';
import { Latest, Session } from './engine.js';
import { readEntry, writeEntries } from './link.js';

const KEYS = {
  ArrowUp: [-1, 0],
  ArrowDown: [1, 0],
  ArrowLeft: [0, -1],
  ArrowRight: [0, 1],
  Home: [0, -Infinity],
  End: [0, Infinity],
  PageUp: [-Infinity, 0],
  PageDown: [Infinity, 0],
};

function clamp(index, count) {
  return Math.min(Math.max(index, 0), count - 1);
}

// Index of the value nearest to x; -1 beyond the grid's edge by more than half a step.
function nearest(values, x) {
  const scale = values[0] > 0 ? Math.log : (value) => value;
  const at = values.map((value) => Math.abs(scale(value) - scale(x)));
  const index = at.indexOf(Math.min(...at));
  const neighbour = index === 0 ? 1 : index - 1;
  const step = Math.abs(scale(values[index]) - scale(values[neighbour]));
  return at[index] <= step / 2 + 1e-9 ? index : -1;
}

function tolerance({ low, high, usual }, key) {
  const asked = Number(readEntry(key));
  return Number.isInteger(asked) && asked >= low && asked <= high ? asked : usual;
}

class ValidityMap {
  constructor(section) {
    this.section = section;
    this.description = JSON.parse(section.querySelector('.validity-description').textContent);
    this.summary = section.querySelector('.validity-summary');
    this.told = section.querySelector('.validity-cell');
    this.here = section.querySelector('.validity-here');
    this.key = `validity.${this.description.name}`;
    this.rows = [...section.querySelectorAll('.validity-grid tbody tr')].map((row) => [...row.cells].slice(1));
    this.chosen = [0, 0];
    this.engine = new Latest(
      new Session('tunables.reader.verdict', this.description),
      (asked, reply) => this.show(asked, reply),
      (reason) => { this.summary.textContent = `The Python engine could not start (${reason}). The map shows the usual tolerance.`; },
    );
    this.buildTolerance();
    this.buildGrid();
    this.followExplorer();
    const percent = tolerance(this.description.tolerance, this.key);
    this.move(percent);
    if (percent === this.description.tolerance.usual) this.standAt(percent); // as the page was built
    else this.engine.ask({ tolerance: percent });
  }

  buildTolerance() {
    const { low, high } = this.description.tolerance;
    const id = `${this.key}-tolerance`;
    const label = element('label', { for: id }, 'Tolerance');
    this.slider = element('input', { type: 'range', id, min: low, max: high, step: 1 });
    this.percent = element('output', { for: id });
    this.slider.addEventListener('input', () => this.ask(Number(this.slider.value)));
    this.section.querySelector('.validity-controls').append(label, this.slider, this.percent);
  }

  buildGrid() {
    const table = this.section.querySelector('.validity-grid');
    table.setAttribute('role', 'grid');
    const place = (target) => {
      const cell = target.closest('tbody td');
      return cell && [cell.parentElement.sectionRowIndex, cell.cellIndex - 1];
    };
    this.rows.flat().forEach((cell) => { cell.tabIndex = -1; });
    table.addEventListener('keydown', (event) => this.press(event));
    table.addEventListener('focusin', ({ target }) => place(target) && this.choose(place(target)));
    table.addEventListener('mouseover', ({ target }) => place(target) && this.tell(place(target)));
    table.addEventListener('mouseleave', () => this.tell(this.chosen));
    table.addEventListener('dblclick', ({ target }) => place(target) && this.setExplorer());
    this.set = button('Set the explorer to this cell', () => this.setExplorer());
    this.reached = element('span', { role: 'status' });
    this.told.after(element('div', { class: 'validity-actions' }, this.set, this.reached));
    this.choose([this.rows.length - 1, 0]);
  }

  press(event) {
    if (event.key === 'Enter' || event.key === ' ') this.setExplorer();
    else if (event.key in KEYS) {
      const [down, right] = KEYS[event.key];
      const [row, column] = this.chosen;
      const target = this.rows[clamp(row + down, this.rows.length)];
      target[clamp(column + right, target.length)].focus();
    } else return;
    event.preventDefault();
  }

  // High values of y stand on top.
  fromBelow(row) {
    return this.rows.length - 1 - row;
  }

  move(percent) {
    this.slider.value = percent;
    this.percent.textContent = `${percent} %`;
    this.slider.setAttribute('aria-valuetext', `${percent} percent`);
  }

  ask(percent) {
    this.move(percent);
    this.engine.ask({ tolerance: percent });
  }

  show({ tolerance: percent }, { verdicts, texts, summary }) {
    const { signs } = this.description;
    this.rows.forEach((row, index) => {
      const y = this.fromBelow(index);
      row.forEach((cell, x) => {
        cell.dataset.verdict = verdicts[y][x];
        cell.textContent = signs[verdicts[y][x]];
        cell.setAttribute('aria-label', texts[y][x]);
      });
    });
    this.summary.textContent = summary;
    this.standAt(percent);
  }

  // The map shows this tolerance: say so, and keep it in the link.
  standAt(percent) {
    this.section.dataset.engine = 'ready';
    this.tell(this.chosen);
    writeEntries({ [this.key]: percent === this.description.tolerance.usual ? null : percent });
  }

  choose([row, column]) {
    const [oldRow, oldColumn] = this.chosen;
    this.rows[oldRow][oldColumn].tabIndex = -1;
    this.rows[oldRow][oldColumn].removeAttribute('aria-selected');
    this.chosen = [row, column];
    this.rows[row][column].tabIndex = 0;
    this.rows[row][column].setAttribute('aria-selected', 'true');
    this.reached.textContent = '';
    this.tell(this.chosen);
  }

  // What the cell's own name says, and where it lies.
  tell([row, column]) {
    const { x, y } = this.description;
    const place = ({ label, unit, texts }, index) => `${label}: ${texts[index]}${['', '1'].includes(unit) ? '' : ` ${unit}`}`;
    const words = this.rows[row][column].getAttribute('aria-label');
    this.told.textContent = `${place(x, column)}. ${place(y, this.fromBelow(row))}. ${words[0].toUpperCase()}${words.slice(1)}.`;
  }

  followExplorer() {
    this.explorer = document.getElementById(`explore-${this.description.name}`);
    this.set.hidden = !this.explorer;
    this.explorer?.addEventListener('tunables:state', ({ detail }) => this.mark(detail));
  }

  // Outlines the cell in which the explorer stands, if it stands on the map.
  mark(state) {
    const { x, y, settings } = this.description;
    const other = Object.keys(settings).find((name) => state[name] !== settings[name]);
    const [column, up] = [x, y].map((axis) => nearest(axis.values, axis.assumed ?? state[axis.name]));
    const here = !other && column >= 0 && up >= 0 ? this.rows[this.fromBelow(up)][column] : null;
    this.here.textContent = here ? 'Outlined: the setting of the explorer.' : this.elsewhere(state, other);
    for (const cell of this.rows.flat()) {
      cell.classList.toggle('is-here', cell === here);
      if (cell === here) cell.setAttribute('aria-current', 'true');
      else cell.removeAttribute('aria-current');
    }
  }

  elsewhere(state, name) {
    if (!name) return 'The setting of the explorer lies beyond the map.';
    const { label } = this.explorer.explorer.description.parameters.find((parameter) => parameter.name === name);
    return `The explorer is not on the map: its “${label}” is ${state[name]}, here ${this.description.settings[name]}.`;
  }

  setExplorer() {
    if (!this.explorer?.explorer) return;
    const { x, y, settings } = this.description;
    const [row, column] = this.chosen;
    const changes = { ...settings };
    const missing = [];
    for (const [axis, index] of [[x, column], [y, this.fromBelow(row)]]) {
      const value = axis.values[index];
      if (axis.assumed === null) changes[axis.name] = value;
      else if (axis.assumed !== value) missing.push(axis.label);
    }
    this.explorer.explorer.change(changes);
    this.reached.textContent = missing.length
      ? `The explorer is set. It knows no “${missing[0]}” and shows the closed form without.`
      : 'The explorer is set.';
  }
}

export function wakeMap(section) {
  section.validity = new ValidityMap(section); // for the curious, in the browser's console
}
