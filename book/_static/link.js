// What a page keeps in its address: ?rrd.graphs=45000&rrd.scheme=2q&guess.rrd.slowdown=4

const PAUSE_MS = 500; // between two writes: browsers refuse to write the address too often

const query = new URLSearchParams(location.search);
let written = -Infinity; // when
let writing;

function write() {
  clearTimeout(writing);
  writing = null;
  const text = query.toString();
  const search = text ? `?${text}` : '';
  if (search === location.search) return;
  written = performance.now();
  history.replaceState(null, '', location.pathname + search + location.hash);
}

function writeSoon() {
  const wait_ms = written + PAUSE_MS - performance.now();
  if (wait_ms <= 0) write();
  else writing ??= setTimeout(write, wait_ms);
}

function change(key, value) {
  if (value === null) query.delete(key);
  else query.set(key, value);
}

// Returns [name, text] of each entry prefix.name=text.
export function readEntries(prefix) {
  const entries = [...query].filter(([key]) => key.startsWith(`${prefix}.`));
  return entries.map(([key, text]) => [key.slice(prefix.length + 1), text]);
}

export function readState(description) {
  const state = {};
  const unknown = [];
  for (const [name, text] of readEntries(description.name)) {
    const parameter = description.parameters.find((candidate) => candidate.name === name);
    if (!parameter) unknown.push(name);
    else if (parameter.choices.length || text.trim() === '' || Number.isNaN(Number(text))) state[name] = text;
    else state[name] = Number(text);
  }
  return { state, unknown };
}

export function writeState(description, state) {
  for (const { name } of description.parameters) {
    change(`${description.name}.${name}`, state[name] === description.defaults[name] ? null : state[name]);
  }
  writeSoon();
}

export function readEntry(key) {
  return query.get(key);
}

// Writes entries beside the explorers', {key: value}; those that are null are taken out.
export function writeEntries(entries) {
  for (const [key, value] of Object.entries(entries)) change(key, value);
  writeSoon();
}

export function address(section) {
  write();
  return `${location.origin}${location.pathname}${location.search}#${section.id}`;
}

// A page left early keeps its last change in the history.
addEventListener('pagehide', () => writing && write());
