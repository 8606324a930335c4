import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { asTable, tableOf } from '../../book/_static/labs/your_numbers/logs.js';

const FOLDER = new URL('../core/logs/', import.meta.url);
const read = (/** @type {string} */ name) => readFileSync(new URL(name, FOLDER), 'utf8');

for (const name of readdirSync(FOLDER).filter((each) => each.endsWith('.log'))) {
  test(`${name} becomes the table that Python makes of it`, async () => {
    const table = read(name.replace('.log', '.csv'));
    assert.equal(asTable(read(name)), table);
    assert.equal(await (await tableOf(new Blob([read(name).replaceAll('\n', '\r\n')]))).text(), table);
  });
}

test('a transaction that failed has no time, and another form of line is refused', () => {
  assert.equal(asTable('0 1 failed 0 1700000000 5\n0 2 1500 0 1700000000 9\n'),
    'time_s,response_s,clients\n1700000000.000009,0.001500,1\n');
  assert.throws(() => asTable('0 1 1800 0 1700000000 12\n0 2 slow 0 1700000000 13\n'), /Line 2: .*pgbench -l/);
  assert.throws(() => asTable(`${read('nginx.log')}oops\n`), /Line 6: .*nginx/);
});

test('a log whose only statement begins with an empty line is known', () => {
  const log = 'UTC [7] LOG:  statement: \n\tselect 1\n\n\tfrom a\nUTC [7] LOG:  done\n\tall of it\n';
  assert.equal(asTable(log), 'key\n"select 1 from a"\n');
});

test('a table and a trace stay as they are', async () => {
  const others = ['clients,response_s\n1,2\n', 'GET /a\nGET /b\n', '1 2 3\n', ''];
  assert.deepEqual(others.map(asTable), others);
  const blob = new Blob(['key\na\n']);
  assert.equal(await tableOf(blob), blob);
});
