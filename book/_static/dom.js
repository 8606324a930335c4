// Makes elements of the page, and finds existing ones.

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
 * Makes the button of the one thing to do in its part of the page.
 * @param {string} text
 * @param {() => unknown} press
 */
export function primaryButton(text, press) {
  const made = button(text, press);
  made.className = 'is-primary';
  return made;
}

/**
 * Returns an element that must exist.
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
 * Inserts markup of the book's own. A page's policy refuses style attributes in inserted markup, so the script sets
 * the styles.
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
 * Reads the JSON that a section of the page holds for its script.
 * @param {Element} section
 * @param {string} selector
 */
export function readDescription(section, selector) {
  return JSON.parse(find(section, selector).textContent ?? '');
}

/**
 * Marks a field as invalid, or removes the mark.
 * @param {Element} field
 * @param {boolean} wrong
 */
export function markInvalid(field, wrong) {
  if (wrong) field.setAttribute('aria-invalid', 'true');
  else field.removeAttribute('aria-invalid');
}

/**
 * Marks what corresponds to the reader's state, or removes the mark.
 * @param {Element} part
 * @param {boolean} is
 */
export function markCurrent(part, is) {
  if (is) part.setAttribute('aria-current', 'true');
  else part.removeAttribute('aria-current');
}

/**
 * Returns the hash that a click leads to within the page; empty if it opens another tab or window.
 * @param {MouseEvent} event
 */
export function hashOf(event) {
  const [target] = event.composedPath();
  const link = target instanceof Element ? target.closest('a') : null;
  return link && !event.metaKey && !event.ctrlKey && !event.shiftKey ? link.hash : '';
}

const SPACE_AHEAD = '800px'; // distance from the window at which what costs time is begun

/**
 * Acts once an element comes into the window, or this near to it.
 * @param {Element} seen
 * @param {() => void} act
 * @param {string} [margin]
 */
export function whenSeen(seen, act, margin = '0px') {
  const watcher = new IntersectionObserver((entries) => {
    if (!entries.some(({ isIntersecting }) => isIntersecting)) return;
    watcher.disconnect();
    act();
  }, { rootMargin: margin });
  watcher.observe(seen);
}

/**
 * Acts once an element is so near to the window that a reader may see it soon.
 * @param {Element} seen
 * @param {() => void} act
 */
export function whenNear(seen, act) {
  whenSeen(seen, act, SPACE_AHEAD);
}

/** Returns the element that the page's URL names, or null if it names none or is malformed. */
export function linkTarget() {
  try {
    return document.getElementById(decodeURIComponent(location.hash.slice(1)));
  } catch {
    return null;
  }
}

/**
 * @param {string} id
 * @param {string} text
 * @param {HTMLElement} input
 */
export function labelField(id, text, input) {
  input.id = id;
  return element('div', {}, element('label', { for: id }, text), input);
}

/** @param {number} longest number of characters */
export function textField(longest) {
  return element('input', { type: 'text', autocomplete: 'off', autocapitalize: 'none', maxlength: longest });
}

/** Prints one section of the page alone. @param {HTMLElement} section */
export function printAlone(section) {
  const root = document.documentElement;
  section.classList.add('is-printed');
  root.classList.add('prints-alone');
  addEventListener('afterprint', () => {
    section.classList.remove('is-printed');
    root.classList.remove('prints-alone');
  }, { once: true });
  print();
}
