// node in-node.js: prints what `compare` says of each folder that names.json names.
import { compareEach } from './from-files.js';

console.log(JSON.stringify(compareEach()));
