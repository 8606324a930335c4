// The parts of Vega that the book's charts use: no maps, forces, trees, word clouds.
import { transforms } from 'vega-dataflow';
import * as encode from 'vega-encode';
import { expressionInterpreter as expr } from 'vega-interpreter';
import { parse } from 'vega-parser';
import * as data from 'vega-transforms';
import { extend } from 'vega-util';
import { View } from 'vega-view';
import * as views from 'vega-view-transforms';

extend(transforms, data, views, encode);

/**
 * A chart's view. Its expressions are read, not made into code, which a page's policy forbids.
 * @param {object} spec
 * @param {Omit<import('vega-view').Options, 'expr'>} options
 */
export function view(spec, options) {
  return new View(parse(spec, {}, { ast: true }), { ...options, expr });
}
