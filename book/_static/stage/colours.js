// The stage's colours: what each means. A page sets them for its ground; where it does not, as in
// the preview of a notebook, they hold on light and dark.

export const INK = 'currentColor';
export const SOFT = 'var(--stage-soft, #767676)';
export const GROUND = 'var(--stage-ground, transparent)';
export const RAISED = 'var(--stage-raised, #80808030)';
export const MODEL = 'var(--stage-model, #0d7fc0)';
export const HIT = 'var(--stage-hit, #00875f)';
export const HIT_GROUND = 'var(--stage-hit-ground, #009e7330)';
export const MISS = 'var(--stage-miss, #c85a00)';
export const MISS_GROUND = 'var(--stage-miss-ground, #d55e0030)';

/** The closed form's line. */
export const FORMULA_LINE = { stroke: MODEL, 'stroke-width': 1.5, 'stroke-dasharray': '5 4' };
