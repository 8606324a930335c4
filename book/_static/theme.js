// Mends what the theme leaves unclear to readers who listen to a page.

export function mendTheme() {
  for (const button of document.querySelectorAll('.search-button__button, .theme-switch-button')) {
    button.removeAttribute('aria-label'); // it says less than the text that stands in the button
  }
  const sidebar = document.querySelector('#pst-primary-sidebar');
  sidebar?.setAttribute('role', 'complementary');
  sidebar?.setAttribute('aria-label', 'Book');
}
