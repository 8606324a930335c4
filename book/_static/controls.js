// A slider and a number field (or a menu) for one parameter of an explorer.

const STEPS = 200; // positions of a slider that runs over a range of real numbers

export function element(tag, attributes = {}, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  made.append(...children);
  return made;
}

function rounded(value, { whole, low, high }) {
  const near = whole ? Math.round(value) : Number(value.toPrecision(4));
  return Math.min(high, Math.max(low, near));
}

function toValue(position, parameter) {
  const { low, high, scale } = parameter;
  const share = position / STEPS;
  const value = scale === 'log' ? low * (high / low) ** share : low + (high - low) * share;
  return rounded(value, parameter);
}

function toPosition(value, { low, high, scale }) {
  const share = scale === 'log' ? Math.log(value / low) / Math.log(high / low) : (value - low) / (high - low);
  return Math.round(share * STEPS);
}

function menu(id, parameter, change) {
  const options = parameter.choices.map((name) => element('option', { value: name }, name));
  const select = element('select', { id, 'aria-describedby': `${id}-origin` }, ...options);
  select.addEventListener('input', () => change(select.value));
  return { parts: [select], show: (value) => { select.value = value; } };
}

// The slider moves one whole number a step where the range has no more of them than positions.
function sliderRange({ low, high, whole, scale }) {
  const direct = whole && scale === 'linear' && high - low <= STEPS;
  return direct ? { min: low, max: high, step: 1, direct } : { min: 0, max: STEPS, step: 1, direct };
}

function sliderAndField(id, parameter, change) {
  const { direct, ...range } = sliderRange(parameter);
  const describedby = `${id}-origin`;
  const slider = element('input', { type: 'range', id: `${id}-slider`, 'aria-label': `${parameter.label}, slider`, ...range });
  const field = element('input', { type: 'number', id, step: 'any', inputmode: 'decimal', 'aria-describedby': describedby });
  slider.addEventListener('input', () => {
    const position = Number(slider.value);
    change(direct ? position : toValue(position, parameter));
  });
  field.addEventListener('input', () => change(field.value === '' ? '' : Number(field.value)));
  const show = (value) => {
    slider.value = direct ? value : toPosition(value, parameter);
    slider.setAttribute('aria-valuetext', `${value} ${parameter.unit}`);
    field.removeAttribute('aria-invalid');
    if (Number(field.value) !== value || field.value === '') field.value = Number(value.toPrecision(8));
  };
  const refuse = () => field.setAttribute('aria-invalid', 'true');
  return { parts: [slider, field], show, refuse };
}

// Returns {row, show(value), refuse()}: the control in the page, and how to move or mark it.
export function control(prefix, parameter, change) {
  const id = `${prefix}-${parameter.name}`;
  const make = parameter.choices.length ? menu : sliderAndField;
  const { parts, show, refuse = () => {} } = make(id, parameter, change);
  const unit = ['', '1'].includes(parameter.unit) ? '' : ` (${parameter.unit})`;
  const label = element('label', { for: id }, parameter.label + unit);
  const origin = element('small', { id: `${id}-origin`, class: 'origin' });
  origin.append(element('span', { class: `status status-${parameter.origin}` }, parameter.origin), ` ${parameter.source}`);
  const inputs = element('div', { class: 'control-inputs' }, ...parts);
  return { row: element('div', { class: 'control' }, label, inputs, origin), show, refuse };
}

export function button(text, press) {
  const made = element('button', { type: 'button' }, text);
  made.addEventListener('click', press);
  return made;
}
