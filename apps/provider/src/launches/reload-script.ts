import { createHash } from 'node:crypto';

/** Milliseconds until a page is loaded again. */
const delayMs = 2_000;

/**
 * Loads a page of a course window again when a script of it could not be loaded, such as while the network changed:
 * browsers do not try again, and the page would stay empty. It is part of the page, so that it cannot fail itself.
 */
export const reloadScript = `addEventListener('error', ({ target }) => {
  if (target.localName === 'script') setTimeout(() => location.reload(), ${delayMs});
}, true);`;

/** What allows the script in a content security policy (CSP Level 3, "hash-source"). */
export const reloadScriptSource = `'sha256-${createHash('sha256').update(reloadScript).digest('base64')}'`;
