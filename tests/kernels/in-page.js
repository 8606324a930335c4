// Tells the server what `compare` says of each folder that names.json names.
import { compare } from './compare.js';
import { tellOfEach } from './each-folder.js';

await tellOfEach(compare);
