// Wakes one explorer: controls, the engine in its worker, the table and charts that answer.
import { update } from './charts.js';
import { button, control, element } from './controls.js';
import { Latest, Session } from './engine.js';
import { address, readState, writeState } from './link.js';

const PIECE_S = 0.004; // work on the curves between two looks at the controls
const SLOW_MS = 12; // an answer that takes longer than this
const PAUSE_MS = 120; // of the hand, before such a model's curves are drawn
const REST_MS = 700; // after the last change, until it is announced
const MANY = 8; // of more parameters than this, the first few are shown, the others unfolded
const SHOWN_OF_MANY = 6;

function isAt(state, settings) {
  return Object.entries(settings).every(([name, value]) => state[name] === value);
}

class Explorer {
  constructor(section) {
    this.section = section;
    section.explorer = this; // for the curious, in the browser's console
    this.description = JSON.parse(section.querySelector('.explorer-description').textContent);
    this.message = section.querySelector('.explorer-message');
    this.rows = [...section.querySelectorAll('[data-cell="model"]')].map((cell) => cell.closest('tr'));
    this.figures = [...section.querySelectorAll('.tunables-chart')];
    this.state = { ...this.description.defaults };
    this.wanted = this.state;
    this.say('Starting the Python engine.');
    this.session = new Session('tunables.reader.page', this.description);
    this.engine = new Latest(
      this.session,
      ({ state }, reply) => (reply.refusal ? this.refuse(state, reply.refusal) : this.show(state, reply)),
      (reason) => this.say(`The Python engine could not start (${reason}). The table shows the published settings; served by make serve or any web server, the page can move them.`),
    );
    this.build();
    const link = readState(this.description);
    this.notice = link.unknown.length ? `The link names ${link.unknown.join(', ')}, which this explorer does not have.` : '';
    this.change(link.state);
  }

  build() {
    const { name, parameters, rows, defaults } = this.description;
    this.controls = new Map(parameters.filter(({ hidden }) => !hidden).map((parameter) => [
      parameter.name,
      control(`${name}-control`, parameter, (value) => this.change({ [parameter.name]: value })),
    ]));
    const buttons = element('div', { class: 'explorer-buttons' });
    this.copied = element('span', { role: 'status' });
    buttons.append(button('Reset', () => this.change(defaults)), button('Copy link', () => this.copy()), this.copied);
    this.announcer = element('p', { class: 'visually-hidden', role: 'status' });
    // A card has no rows, and is for the reader's own numbers: it shows all its fields.
    const shown = rows.length && parameters.length > MANY ? SHOWN_OF_MANY : parameters.length;
    const controlRows = [...this.controls.values()].map(({ row }) => row);
    this.seldom = parameters.slice(shown).map(({ name: seldom }) => seldom);
    this.more = element('summary');
    const details = element('details', { class: 'explorer-more' }, this.more);
    details.append(element('div', { class: 'explorer-controls' }, ...controlRows.slice(shown)));
    const box = this.section.querySelector('.explorer-controls');
    box.append(...controlRows.slice(0, shown));
    box.after(...(this.seldom.length ? [details] : []), buttons, this.announcer);
    this.rows.forEach((row, index) => {
      if (!rows[index].output) return;
      const label = row.querySelector('.row-label');
      label.replaceChildren(button(label.textContent, () => this.change(rows[index].settings)));
    });
    this.showControls();
  }

  say(sentence) {
    this.message.textContent = sentence;
    this.message.hidden = !sentence;
  }

  change(changes) {
    this.wanted = { ...this.wanted, ...changes };
    this.engine.ask({ state: this.wanted });
  }

  refuse(asked, sentence) {
    this.say(sentence);
    this.section.dataset.engine = 'ready';
    for (const [name, { refuse }] of this.controls) if (asked[name] !== this.state[name]) refuse();
    if (!this.engine.next) this.wanted = this.state;
    if (this.drawing) this.draw(); // the question that was refused broke it off
  }

  show(asked, reply) {
    this.state = asked;
    if (!this.engine.next) this.wanted = asked;
    this.section.dataset.engine = 'ready';
    this.say(this.notice);
    this.showControls();
    for (const [name, text] of Object.entries(reply.output_texts)) {
      for (const place of this.section.querySelectorAll(`[data-output="${name}"]`)) {
        if (place.textContent !== text) place.textContent = text; // say aloud only what changed
      }
    }
    reply.rows.forEach((row, index) => this.showRow(this.rows[index], this.description.rows[index], row));
    this.description.views.forEach(({ x, y }, index) => {
      update(this.figures[index], { here: [{ x: asked[x], y: reply.outputs[y] }] });
    });
    writeState(this.description, this.state);
    this.section.dispatchEvent(new CustomEvent('tunables:state', { detail: this.state }));
    this.announce(reply);
    this.draw();
  }

  // The curves follow piece by piece, and stop for a slider that has moved on.
  async draw() {
    const drawn = this.state;
    this.drawing = drawn;
    // A point of a slow model's curve would keep the next answer waiting: the hand must rest first.
    if (this.engine.took_ms > SLOW_MS) await new Promise((rest) => setTimeout(rest, PAUSE_MS));
    while (this.drawing && !this.engine.asked && this.state === drawn) {
      const { views } = await this.session.ask({ draw_s: PIECE_S });
      if (views && this.state === drawn) {
        views.forEach((view, index) => update(this.figures[index], view));
        this.drawing = null;
      }
    }
  }

  showRow(row, { output, settings }, { model_text: model, error_text: error }) {
    row.querySelector('[data-cell="model"]').textContent = model;
    row.querySelector('[data-cell="error"]').textContent = error;
    row.classList.toggle('is-current', Boolean(output) && isAt(this.state, settings));
  }

  showControls() {
    // What is wanted, not what was answered: a late reply must not pull a moving slider back.
    for (const [name, { show }] of this.controls) show(this.wanted[name]);
    const changed = this.seldom.filter((name) => this.wanted[name] !== this.description.defaults[name]);
    const count = `${this.seldom.length} more parameters`;
    this.more.textContent = changed.length ? `${count}, ${changed.length} changed` : count;
  }

  // Told to those who listen, once the controls rest.
  announce({ output_texts: texts }) {
    clearTimeout(this.announcing);
    if (!this.section.contains(document.activeElement)) return;
    this.announcing = setTimeout(() => {
      const words = this.description.outputs.map(({ name, label, unit }) => (
        `${label}: ${texts[name]}${unit === '1' ? '' : ` ${unit}`}`));
      this.announcer.textContent = words.join('; ');
    }, REST_MS);
  }

  async copy() {
    const link = address(this.section);
    try {
      await navigator.clipboard.writeText(link);
      this.copied.textContent = 'Copied.';
    } catch {
      this.copied.textContent = link;
    }
  }
}

export function wake(section) {
  return new Explorer(section);
}
