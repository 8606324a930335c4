// The parts of Vega that the book's charts use: no maps, forces, trees, word clouds.
import { transforms } from 'vega-dataflow';
import * as encode from 'vega-encode';
import { parse } from 'vega-parser';
import * as data from 'vega-transforms';
import { extend } from 'vega-util';
import { View } from 'vega-view';
import * as views from 'vega-view-transforms';

extend(transforms, data, views, encode);

export { parse, View };
