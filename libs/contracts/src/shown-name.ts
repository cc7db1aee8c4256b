/** The longest name that is shown: characters. */
const maxShownLength = 40;

/** A name of words, as parameters have them. */
const wordsOnly = /^[a-z\d_.-]*(?:\[[a-z\d_.-]*\])*$/i;

/** A part of a name that may be a token, a secret key or a password: no parameter has one so long. */
const secretLike = /[a-z\d]{16,}|(?=[a-z_-]*\d)[a-z\d_-]{16,}/i;

/** Token prefixes (contract/api-keys#token-prefix). */
const tokenPrefix = /rg[ku]_/i;

/**
 * The name of a parameter as the log shows it: `…` instead of one that may contain a secret, such as
 * a token whose equals sign was forgotten.
 */
export function shownName(name: string): string {
  // The patterns take time that is quadratic in the length.
  if (name.length > maxShownLength) return '…';
  const isHarmless = wordsOnly.test(name) && !secretLike.test(name) && !tokenPrefix.test(name);
  return isHarmless ? name : '…';
}
