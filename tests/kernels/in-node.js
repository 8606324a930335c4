// node in-node.js: prints what `compare` says of each folder that names.json names.
import { comparedEach } from './from-files.js';

console.log(JSON.stringify(comparedEach()));
