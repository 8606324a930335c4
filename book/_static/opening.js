// A link to a place within a folded block opens it; not every browser does so by itself.

/** What the page's address names, if it stands in the page; an address may be written badly. */
export function linkedTo() {
  try {
    return document.getElementById(decodeURIComponent(location.hash.slice(1)));
  } catch {
    return null;
  }
}

function open() {
  const target = linkedTo();
  if (!target) return;
  let closed = target.closest('details:not([open])');
  if (!closed) return;
  for (; closed; closed = target.closest('details:not([open])')) closed.setAttribute('open', '');
  target.scrollIntoView();
}

export function openWhatIsLinkedTo() {
  addEventListener('hashchange', open);
  open();
}
