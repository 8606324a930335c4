// Lab 1's two workers: who flushes and who commits, joined by a port.
import { serve } from '../work.js';
import { Flusher } from './flusher.js';
import { Writers } from './writers.js';

const flusher = new Flusher();
/** @type {Writers} */
let writers;

/** @type {Record<string, (asked: any) => unknown>} */
const DEEDS = {
  open({ name, port }) {
    flusher.serve(port);
    return flusher.open(name);
  },
  close: () => flusher.close(),
  join({ port }) {
    writers = new Writers(port);
  },
  run: (settings) => writers.run(settings),
};

serve(async ({ deed, ...asked }) => DEEDS[deed](asked));
