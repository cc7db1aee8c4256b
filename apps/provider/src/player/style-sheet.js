/** Adds a style sheet. Added by a script, it does not keep the page waiting. */
export function showStyleSheet(url) {
  const link = document.createElement('link');
  link.rel = 'stylesheet';
  link.href = url;
  document.head.append(link);
}
