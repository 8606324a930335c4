// Lab 2's two workers: who asks, and a black hole, joined by a port.
import { serve } from '../work.js';
import { Callers } from './callers.js';

let swallowed = 0;
/** @type {Callers} */
let callers;

/** @type {Record<string, (asked: any, tell: (told: any) => void) => unknown>} */
const DEEDS = {
  /** @param {{ port: MessagePort }} asked the black hole: each request comes with a port for its answer */
  swallow({ port }) {
    port.onmessage = () => {
      swallowed += 1; // and no answer, ever
    };
  },
  swallowed: () => swallowed,
  join({ port }) {
    callers = new Callers(port);
  },
  run: (settings, tell) => callers.run(settings, tell),
};

serve(async ({ deed, ...asked }, tell) => DEEDS[deed](asked, tell));
