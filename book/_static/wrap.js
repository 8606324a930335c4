// Fits the words of a Vega specification to a narrow page: titles in lines, legends in columns.

const LETTER_PX = 7.2; // on average
const BESIDE_PX = 90; // of the width, taken by what stands left of the drawing
const SYMBOL_PX = 34; // of a legend's entry, beside its words
const LINE_PX = 16; // of a legend

function lines(text, room_px) {
  const most = Math.max(12, Math.floor(room_px / LETTER_PX));
  const made = [];
  for (const word of text.split(' ')) {
    const longer = `${made.at(-1)} ${word}`;
    if (made.length && longer.length <= most) made[made.length - 1] = longer;
    else made.push(word);
  }
  return made.length > 1 ? made : text;
}

function axis(entry, width_px, height_px) {
  const upright = ['left', 'right'].includes(entry.orient);
  const room_px = upright ? height_px : width_px - BESIDE_PX;
  return typeof entry.title === 'string' ? { ...entry, title: lines(entry.title, room_px) } : entry;
}

// Returns the legend with as many columns as have room, and how many rows it then has.
function legend(entry, scales, width_px) {
  const named = entry.stroke ?? entry.fill ?? entry.shape ?? entry.strokeDash;
  const labels = scales.find(({ name }) => name === named)?.domain;
  if (!Array.isArray(labels)) return { entry, rows: 1 };
  const longest = Math.max(...labels.map((label) => String(label).length));
  const room = Math.max(1, Math.floor((width_px - BESIDE_PX) / (longest * LETTER_PX + SYMBOL_PX)));
  const columns = Math.min(room, entry.columns || labels.length);
  return { entry: { ...entry, columns }, rows: Math.ceil(labels.length / columns) };
}

// Returns the specification with its words fitted to a place of this width.
export function wrapped(spec, width_px) {
  const { title, axes = [], scales, height } = spec;
  const legends = (spec.legends ?? []).map((entry) => legend(entry, scales, width_px));
  const made = { ...spec, legends: legends.map(({ entry }) => entry) };
  made.axes = axes.map((entry) => axis(entry, width_px, typeof height === 'number' ? height : width_px));
  if (title) made.title = { ...title, text: lines(title.text, width_px) };
  // Several legends stand one above the other: beside each other they may have no room.
  if (legends.length > 1) {
    const layout = { top: { direction: 'vertical' } };
    made.config = { ...spec.config, legend: { ...spec.config.legend, layout } };
  }
  // More rows of a legend take nothing from the drawing.
  const more = legends.reduce((sum, { rows }) => sum + rows, -1);
  if (typeof height === 'number') made.height = height + LINE_PX * Math.max(0, more);
  return made;
}
