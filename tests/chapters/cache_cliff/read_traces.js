// In node: reads traces as the lab Your numbers does. Standard input: [{hex, words, column}, ...]
import { Buffer } from 'node:buffer';
import process from 'node:process';
import { countKeys } from '../../../book/_static/labs/your_numbers/chapters/cache_cliff.js';
import { readKeys } from '../../../book/_static/labs/your_numbers/tables.js';
import { builtKernels } from '../../front/built.js';

async function answer({ hex, words, column }) {
  try {
    const { ids, keys } = await readKeys(new Blob([Buffer.from(hex, 'hex')]), { words, column }, () => {});
    const { half, distinct, misses, later } = countKeys(builtKernels('cache_cliff'), ids, keys);
    return { ids: [...ids], half, distinct, misses: [...misses], later };
  } catch (error) {
    return { refused: error.message, columns: error.columns ?? null };
  }
}

let given = '';
process.stdin.setEncoding('utf8');
for await (const piece of process.stdin) given += piece;
const answers = [];
for (const each of JSON.parse(given)) answers.push(await answer(each));
process.stdout.write(JSON.stringify(answers));
