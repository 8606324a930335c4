import assert from 'node:assert/strict';
import { test } from 'node:test';
import { timeIn, together } from '../../book/_static/stage/compare.js';
import { port } from '../../book/_static/stage/port.js';
import { draws } from './drawings.js';
import { runs } from './port-runs.js';

test('side by side each stands as long after its own transaction began', () => {
  const [fourteen, fifteen] = runs.map(port.prepare), clock = together(port, [fourteen, fifteen]);
  assert.equal(clock.at(-1), fourteen.end);
  for (const { begun, done } of fifteen.transactions.slice(0, fourteen.transactions.length - 1)) {
    assert.ok([begun, done].every((t) => clock.includes(timeIn(port, fifteen, t, fourteen))));
  }
  for (const share of draws(100)) {
    const here = port.state(fourteen, share * fourteen.end), t = timeIn(port, fourteen, here.t, fifteen);
    const there = port.state(fifteen, t), at = `at ${here.t}`;
    assert.equal(there.nth, here.nth, at);
    const next = fifteen.begun[there.nth + 1] - (fifteen.begun[there.nth] ?? 0);
    assert.ok(Math.abs(there.since - Math.min(here.since, next - 1e-3)) < 1e-9, at);
    if (here.since < next) assert.ok(Math.abs(timeIn(port, fifteen, t, fourteen) - here.t) < 1e-9, at);
  }
  assert.equal(timeIn(port, fifteen, fifteen.end, fourteen), fourteen.end);
});
