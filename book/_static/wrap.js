// Fits the words of a Vega specification to a narrow page: titles in lines, legends in columns.

const LETTER_PX = 7.2; // on average
const FEWEST_LETTERS = 12; // of a line
const BESIDE_PX = 90; // of the width, taken by what stands left of the drawing
const SYMBOL_PX = 34; // of a legend's entry, beside its words
const LINE_PX = 16; // of a legend

/**
 * Returns a text that needs several lines as these.
 * @param {string} text
 * @param {number} room_px
 */
export function lines(text, room_px) {
  const most = Math.max(FEWEST_LETTERS, Math.floor(room_px / LETTER_PX));
  const [first, ...words] = text.split(' ');
  const made = [first];
  for (const word of words) {
    const longer = `${made[made.length - 1]} ${word}`;
    if (longer.length <= most) made[made.length - 1] = longer;
    else made.push(word);
  }
  return made.length > 1 ? made : text;
}

/**
 * Labels at the ends stand where their ticks are: pushed inwards they may touch the next.
 * @param {SpecAxis} entry
 * @param {number} width_px
 * @param {number} height_px
 */
function axis(entry, width_px, height_px) {
  const upright = ['left', 'right'].includes(entry.orient);
  const room_px = upright ? height_px : width_px - BESIDE_PX;
  const placed = 'labelFlush' in entry ? { ...entry, labelFlush: false } : entry;
  return typeof entry.title === 'string' ? { ...placed, title: lines(entry.title, room_px) } : placed;
}

/**
 * Returns the legend with as many columns as have room, and how many rows it then has.
 * @param {SpecLegend} entry
 * @param {Spec['scales']} scales
 * @param {number} width_px
 */
function legend(entry, scales, width_px) {
  const named = entry.stroke ?? entry.fill ?? entry.shape ?? entry.strokeDash;
  const labels = scales.find(({ name }) => name === named)?.domain;
  if (!Array.isArray(labels)) return { entry, rows: 1 };
  const longest = Math.max(...labels.map((label) => String(label).length));
  const room = Math.max(1, Math.floor((width_px - BESIDE_PX) / (longest * LETTER_PX + SYMBOL_PX)));
  const columns = Math.min(room, entry.columns || labels.length);
  return { entry: { ...entry, columns }, rows: Math.ceil(labels.length / columns) };
}

/**
 * Several legends stand one above the other: beside each other they may have no room.
 * @param {Spec} spec
 */
function stacked({ config = {} }) {
  return { ...config, legend: { ...config.legend, layout: { top: { direction: 'vertical' } } } };
}

/**
 * Returns the specification with its words fitted to a place of this width.
 * @param {Spec} spec
 * @param {number} width_px
 */
export function wrapped(spec, width_px) {
  const { title, axes = [], scales, height } = spec;
  const height_px = typeof height === 'number' ? height : undefined;
  const legends = (spec.legends ?? []).map((entry) => legend(entry, scales, width_px));
  const made = { ...spec, legends: legends.map(({ entry }) => entry) };
  made.axes = axes.map((entry) => axis(entry, width_px, height_px ?? width_px));
  if (typeof title?.text === 'string') made.title = { ...title, text: lines(title.text, width_px) };
  if (legends.length > 1) made.config = stacked(spec);
  // More rows of a legend take nothing from the drawing.
  const more = legends.reduce((sum, { rows }) => sum + rows, 0) - 1;
  if (height_px !== undefined) made.height = height_px + LINE_PX * Math.max(0, more);
  return made;
}
