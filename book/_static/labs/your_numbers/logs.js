// Logs of servers and of pgbench, rewritten as the tables that the fits read: as tunables/core/logs.py does it.
import { InputError, pieces } from './text.js';

const FIRST_LINES = 50; // PostgreSQL's log may begin with words about its start
const BEGINNING = 2 ** 16; // characters
const MONTHS = 'Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec'.split(' ');
const PGBENCH = /^(\d+) (\d+) (\d+|failed|skipped|serialization|deadlock) (\d+) (\d{9,}) (\d{1,6})((?: \d+)*)$/;
const NGINX = new RegExp(
  String.raw`^\S+ \S+ .*?\[(\d\d)/([A-Z][a-z]{2})/(\d{4}):(\d\d):(\d\d):(\d\d) ([+-])(\d\d)(\d\d)\] `
  + String.raw`"([^"]*)" \d{3} (\d+|-)(?:| .*?)(?: (\d+\.\d{3}))?$`,
);
const STATEMENT = /^.*?LOG: {2}(?:duration: \d+\.\d+ ms {2})?(?:statement|execute [^:]+):(|\s.*)$/s;
const PARAMETERS = /^.*?DETAIL: {2}[Pp]arameters: (.*)$/s;

/** @param {string} text */
const cell = (text) => `"${text.replaceAll('"', '""')}"`;

/** @param {string} microseconds */
function seconds(microseconds) {
  const digits = microseconds.padStart(7, '0');
  return `${digits.slice(0, -6)}.${digits.slice(-6)}`;
}

/** @param {number} line @param {string} what @returns {never} */
function refuse(line, what) {
  throw new InputError(`Line ${line}: this line is not from ${what}, although the first one is.`);
}

/**
 * Returns where a run ends in which a client has counted from the start again behind its rows. Other clients of the
 * next run may have come before that one: the rows from the first one on after which no earlier client comes.
 * @param {string[]} clients
 */
function nextRun(clients) {
  /** @type {Map<string, number>} */
  const first = new Map();
  clients.forEach((client, place) => first.has(client) || first.set(client, place));
  let end = clients.length, earliest = end;
  for (let place = clients.length - 1; place > 0; place -= 1) {
    earliest = Math.min(earliest, first.get(clients[place]) ?? 0);
    if (earliest === place) end = place;
  }
  return end;
}

/** A row for each transaction; the clients of a run are those that its rows name. @param {string[]} lines */
function pgbench(lines) {
  const rows = lines.flatMap((line, place) => {
    if (line.trim() === '') return [];
    const found = PGBENCH.exec(line.replace(/\r$/, ''));
    if (!found) return refuse(place + 1, 'pgbench -l');
    const [, client, transaction, time_us, , end_s, end_us] = found;
    return [{ client, transaction: Number(transaction), time_us, end_s: Number(end_s), end_us: Number(end_us) }];
  });
  rows.sort((a, b) => a.end_s - b.end_s || a.end_us - b.end_us); // each of pgbench's threads writes a file
  const starts = [0];
  /** @type {Map<string, number>} */
  const last = new Map();
  rows.forEach(({ client, transaction }, place) => {
    if (transaction <= (last.get(client) ?? -1)) {
      const begun = starts[starts.length - 1];
      const start = begun + nextRun(rows.slice(begun, place).map((row) => row.client));
      starts.push(start);
      last.clear();
      for (const row of rows.slice(start, place)) last.set(row.client, row.transaction);
    }
    last.set(client, transaction);
  });
  const table = starts.flatMap((start, run) => {
    const own = rows.slice(start, starts[run + 1]), clients = new Set(own.map(({ client }) => client)).size;
    const done = own.filter(({ time_us }) => /^\d/.test(time_us)); // others failed, or were skipped
    return done.map(({ end_s, end_us, time_us }) => (
      `${end_s}.${String(end_us).padStart(6, '0')},${seconds(time_us)},${clients}`));
  });
  return ['time_s,response_s,clients', ...table];
}

/** When a request of nginx's log began, in s: its line is written at its end. @param {RegExpExecArray} found */
function startOf([, day, month, year, h, m, s, sign, zone_h, zone_m, , , duration]) {
  const at_s = Date.UTC(+year, MONTHS.indexOf(month), +day, +h, +m, +s) / 1000;
  const zone_s = 3600 * Number(zone_h) + 60 * Number(zone_m);
  const start_ms = 1000 * (sign === '+' ? at_s - zone_s : at_s + zone_s) - Number(duration.replace('.', ''));
  return `${Math.floor(start_ms / 1000)}.${String(start_ms % 1000).padStart(3, '0')}`;
}

/** A row for each request; when it began is known only with $request_time. @param {string[]} lines */
function nginx(lines) {
  /** @type {string[][]} */
  const rows = [];
  let timed = true;
  lines.forEach((line, place) => {
    if (line.trim() === '') return;
    const found = NGINX.exec(line.replace(/\r$/, ''));
    if (!found || !MONTHS.includes(found[2])) return refuse(place + 1, 'nginx\'s log');
    const [request, size, duration] = found.slice(10), words = request.split(' ');
    const row = [cell(words.length > 1 ? words[1] : request || '-')];
    timed &&= duration !== undefined;
    rows.push(timed ? [...row, startOf(found), size.replace('-', '0'), duration] : row);
  });
  const heads = ['url', 'start_s', 'size_bytes', 'duration_s'];
  return [heads, ...rows].map((row) => row.slice(0, timed ? heads.length : 1).join(','));
}

/** PostgreSQL's messages, each in its lines: a further one begins with a tab. @param {string[]} lines */
function messages(lines) {
  /** @type {string[][]} */
  const found = [];
  for (const line of lines) {
    if (!line.startsWith('\t') && line.trim() !== '') found.push([line]);
    else found.at(-1)?.push(line);
  }
  return found;
}

/** @param {string[]} parts */
const joined = (...parts) => parts.map((part) => part.trim()).filter(Boolean).join(' ');

/**
 * The statements, with the parameters of prepared ones; other messages are left out. The lines of a statement are
 * joined by spaces.
 * @param {string[]} lines
 */
function postgres(lines) {
  /** @type {string[]} */
  const keys = [];
  let follows = false; // whether what follows is about the last statement
  for (const [line, ...further] of messages(lines)) {
    const statement = STATEMENT.exec(line), parameters = follows ? PARAMETERS.exec(line) : null;
    if (statement) keys.push(joined(statement[1], ...further));
    else if (parameters) keys.push(joined(keys.pop() ?? '', parameters[1], ...further));
    follows = Boolean(statement) || (follows && !line.includes('LOG:  '));
  }
  return ['key', ...keys.filter(Boolean).map(cell)];
}

/** @type {[RegExp, number, (lines: string[]) => string[]][]} */
const LOGS = [[PGBENCH, 1, pgbench], [NGINX, 1, nginx], [STATEMENT, FIRST_LINES, postgres]];

/** @param {string} text that it begins with */
function logOf(text) {
  const lines = text.slice(0, BEGINNING).split('\n').filter((line) => line.trim() !== '').slice(0, FIRST_LINES);
  return LOGS.find(([pattern, tried]) => lines.slice(0, tried).some((line) => pattern.test(line.replace(/\r$/, ''))));
}

/** Returns a log that is known as a CSV text, and any other text as it is. @param {string} text */
export function asTable(text) {
  const found = logOf(text);
  return found ? `${found[2](text.split('\n')).join('\n')}\n` : text;
}

/** Returns a log that is known as a table, and any other file as it is. @param {Blob} blob */
export async function tableOf(blob) {
  const beginning = await blob.slice(0, BEGINNING).text();
  if (!logOf(beginning)) return blob;
  let text = '';
  for await (const [piece] of pieces(blob)) text += piece;
  return new Blob([asTable(text)]);
}
