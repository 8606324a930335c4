// An explorer's state in the page's address: ?rrd.graphs=45000&rrd.scheme=2q#explore-rrd

export function readState(description) {
  const prefix = `${description.name}.`;
  const state = {};
  const unknown = [];
  for (const [key, text] of new URLSearchParams(location.search)) {
    if (!key.startsWith(prefix)) continue;
    const name = key.slice(prefix.length);
    const parameter = description.parameters.find((candidate) => candidate.name === name);
    if (!parameter) unknown.push(name);
    else if (parameter.choices.length || text.trim() === '' || Number.isNaN(Number(text))) state[name] = text;
    else state[name] = Number(text);
  }
  return { state, unknown };
}

export function writeState(description, state) {
  const query = new URLSearchParams(location.search);
  for (const { name } of description.parameters) {
    const key = `${description.name}.${name}`;
    if (state[name] === description.defaults[name]) query.delete(key);
    else query.set(key, state[name]);
  }
  replaceQuery(query);
}

export function replaceQuery(query) {
  const text = query.toString();
  history.replaceState(null, '', location.pathname + (text ? `?${text}` : '') + location.hash);
}

// One entry of the address beside the explorers': ?guess.rrd.slowdown=4
export function readEntry(key) {
  return new URLSearchParams(location.search).get(key);
}

export function writeEntry(key, value) {
  const query = new URLSearchParams(location.search);
  if (value === null) query.delete(key);
  else query.set(key, value);
  replaceQuery(query);
}

export function address(section) {
  return `${location.origin}${location.pathname}${location.search}#${section.id}`;
}
