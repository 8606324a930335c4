// Elements of the page: to make them, and to find those that stand there.

/**
 * @template {keyof HTMLElementTagNameMap} Tag
 * @param {Tag} tag
 * @param {Record<string, string | number>} attributes
 * @param {(Node | string)[]} children
 */
export function element(tag, attributes = {}, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, String(value));
  made.append(...children);
  return made;
}

/**
 * @param {string} text
 * @param {() => unknown} press
 */
export function button(text, press) {
  const made = element('button', { type: 'button' }, text);
  made.addEventListener('click', press);
  return made;
}

/**
 * The element that must stand there.
 * @param {ParentNode} root
 * @param {string} selector
 * @returns {HTMLElement}
 */
export function find(root, selector) {
  const found = root.querySelector(selector);
  if (!(found instanceof HTMLElement)) throw new Error(`the page has no ${selector}`);
  return found;
}

/**
 * Puts markup of the book's own there. Its styles follow by script: in attributes of markup that
 * comes later, a page's policy refuses them.
 * @param {HTMLElement} place
 * @param {string} html
 */
export function setMarkup(place, html) {
  place.innerHTML = html.replaceAll(' style="', ' data-style="');
  for (const styled of /** @type {NodeListOf<HTMLElement>} */ (place.querySelectorAll('[data-style]'))) {
    styled.style.cssText = styled.dataset.style ?? '';
  }
}

/**
 * What a section of the page holds as JSON, for its script.
 * @param {Element} section
 * @param {string} selector
 */
export function described(section, selector) {
  return JSON.parse(find(section, selector).textContent ?? '');
}

/**
 * Marks a field as wrong, or takes the mark away.
 * @param {Element} field
 * @param {boolean} wrong
 */
export function markInvalid(field, wrong) {
  if (wrong) field.setAttribute('aria-invalid', 'true');
  else field.removeAttribute('aria-invalid');
}

/**
 * Marks what the reader's state is, or takes the mark away.
 * @param {Element} part
 * @param {boolean} is
 */
export function markCurrent(part, is) {
  if (is) part.setAttribute('aria-current', 'true');
  else part.removeAttribute('aria-current');
}

/**
 * Where a click leads within the page: nowhere if it asks for another tab or window.
 * @param {MouseEvent} event
 */
export function hashOf(event) {
  const [target] = event.composedPath();
  const link = target instanceof Element ? target.closest('a') : null;
  return link && !event.metaKey && !event.ctrlKey && !event.shiftKey ? link.hash : '';
}

/**
 * @param {string} id
 * @param {string} text
 * @param {HTMLElement} input
 */
export function labelled(id, text, input) {
  input.id = id;
  return element('div', {}, element('label', { for: id }, text), input);
}

/** @param {number} longest of what is typed, in characters */
export function textField(longest) {
  return element('input', { type: 'text', autocomplete: 'off', autocapitalize: 'none', maxlength: longest });
}
