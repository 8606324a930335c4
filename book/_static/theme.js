// Mends what the theme leaves unclear to readers who listen to a page, or out of reach.

// The theme opens the page's contents by the first of its two buttons, which is not shown.
function mendContents() {
  const [bound, ...others] = document.querySelectorAll('button.secondary-toggle');
  for (const button of others) {
    button.setAttribute('aria-label', 'Contents of this page');
    button.setAttribute('data-bs-original-title', 'Contents of this page');
    button.addEventListener('click', () => /** @type {HTMLElement} */ (bound).click());
  }
}

/**
 * The theme's own handlers stood in attributes, which the page's policy forbids.
 * @param {string} selector
 * @param {() => unknown} press
 */
function bind(selector, press) {
  for (const button of document.querySelectorAll(selector)) button.addEventListener('click', press);
}

export function mendTheme() {
  bind('.btn-fullscreen-button', () => toggleFullScreen());
  bind('.btn-download-pdf-button', () => print());
  for (const button of document.querySelectorAll('.search-button__button')) {
    // Where the button shows its text, the label says less than that.
    if (button.textContent?.trim()) button.removeAttribute('aria-label');
  }
  for (const button of document.querySelectorAll('.theme-switch-button')) {
    button.setAttribute('aria-label', 'Colours: light, dark or as the system has them');
  }
  const sidebar = document.querySelector('#pst-primary-sidebar');
  sidebar?.setAttribute('role', 'complementary');
  sidebar?.setAttribute('aria-label', 'Book');
  mendContents();
}
