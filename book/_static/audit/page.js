// The audit in a page of the book, loaded by the page that has it.
import { mountAudit } from './audit.js';
import * as fragment from './fragment.js';

/**
 * @param {HTMLElement} section
 * @param {Host} host
 */
export function mount(section, host) {
  return mountAudit(section, { ...host, urlState: fragment, follow: fragment.follow });
}
