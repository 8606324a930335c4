// Mends what the theme leaves unclear to readers who listen to a page.

export function mendTheme() {
  for (const button of document.querySelectorAll('.search-button__button')) {
    // Where the button shows its text, the label says less than that.
    if (button.textContent.trim()) button.removeAttribute('aria-label');
  }
  for (const button of document.querySelectorAll('.theme-switch-button')) {
    button.setAttribute('aria-label', 'Colours: light, dark or as the system has them');
  }
  const sidebar = document.querySelector('#pst-primary-sidebar');
  sidebar?.setAttribute('role', 'complementary');
  sidebar?.setAttribute('aria-label', 'Book');
}
