// Lab 8's three workers, joined by ports: a client, and the two replicas of a hundred leaves. As in
// tunables/lab/leaves.py a replica answers after a short time or, where it stalls, after a long one.
import { serve } from '../serve.js';

/**
 * @typedef {{ request: number, leaf: number }} Question
 * @typedef {{ quick_ms: number, stall_ms: number, stalls: number[][] }} Habits the leaves that stall, by request
 * @typedef {{ requests: number, leaves: number, delay_ms: number | null }} Settings null: never again
 */

let asked = 0;
/** @type {Habits} */
let habits;

/** Answers the client's questions, as a replica of all leaves. @param {{ port: MessagePort }} request */
function answer({ port }) {
  port.onmessage = (/** @type {MessageEvent<Question>} */ { data }) => {
    asked += 1;
    const wait_ms = habits.stalls[data.request].includes(data.leaf) ? habits.stall_ms : habits.quick_ms;
    setTimeout(() => port.postMessage(data), wait_ms);
  };
}

/** @type {MessagePort[]} */
let replicas = [];

/**
 * Asks all leaves of a request, and those that have not answered after the delay again.
 * @param {number} request
 * @param {Settings} settings
 * @returns {Promise<{ took_ms: number, copies: number }>}
 */
function ask(request, { leaves, delay_ms }) {
  const waiting = new Set(Array.from({ length: leaves }, (_, leaf) => leaf));
  const begun = performance.now();
  let copies = 0;
  return new Promise((resolve) => {
    const askAgain = () => {
      copies = waiting.size;
      for (const leaf of waiting) replicas[1].postMessage({ request, leaf });
    };
    const again = delay_ms === null ? undefined : setTimeout(askAgain, delay_ms);
    /** @param {MessageEvent<Question>} answered a late answer to an earlier request counts for nothing */
    const take = ({ data }) => {
      if (data.request !== request || !waiting.delete(data.leaf) || waiting.size) return;
      clearTimeout(again);
      resolve({ took_ms: performance.now() - begun, copies });
    };
    for (const replica of replicas) replica.onmessage = take;
    for (const leaf of waiting) replicas[0].postMessage({ request, leaf });
  });
}

/**
 * @param {Settings} settings
 * @param {(ended: number) => void} tell
 */
async function run(settings, tell) {
  const answers = [];
  for (let request = 0; request < settings.requests; request += 1) {
    answers.push(await ask(request, settings));
    tell(answers.length);
  }
  return answers;
}

/** @type {Record<string, (request: any, tell: (note: any) => void) => unknown>} */
const ACTIONS = {
  answer,
  asked: () => asked,
  /** @param {Habits} request */
  prepare({ quick_ms, stall_ms, stalls }) {
    habits = { quick_ms, stall_ms, stalls };
  },
  /** @param {{ ports: MessagePort[] }} request */
  join({ ports }) {
    replicas = ports;
  },
  run,
};

serve(async ({ action, ...request }, tell) => ACTIONS[action](request, tell));
