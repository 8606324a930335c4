// The renderers by name: an animation's description names the renderer that draws it. A new one is listed here only.
import { batches } from './batches.js';
import { committers } from './committers.js';
import { hedge } from './hedge.js';
import { pipeline } from './pipeline.js';
import { port } from './port.js';
import { race } from './race.js';
import { raster } from './raster.js';
import { scan } from './scan.js';
import { sessions } from './sessions.js';
import { slices } from './slices.js';
import { storm } from './storm.js';
import { windows } from './windows.js';

/** @type {Record<string, Renderer<any, any>>} */
export const renderers = {
  batches,
  committers,
  hedge,
  pipeline,
  port,
  race,
  raster,
  scan,
  sessions,
  slices,
  storm,
  windows,
};
