import { type Failure, shownName } from '@registrar/contracts';
import { closest, distance } from 'fastest-levenshtein';
import { invalidParameter } from './request-parameters.ts';

/** How many unknown parameters are named. */
const maxNamed = 5;

/**
 * The failure for parameters that an operation does not know (contract/parameters#unknown-parameter), with the known
 * names that they resemble.
 */
export function unknownParameters(unknown: readonly string[], known: readonly string[]): Failure {
  const [first = ''] = unknown;
  const named = unknown.slice(0, maxNamed).map((name) => {
    const shown = shownName(name);
    const similar = shown === name ? similarName(name, known) : undefined;
    return JSON.stringify(shown) + (similar === undefined ? '' : ` (do you mean ${similar}?)`);
  });
  return invalidParameter(first, `unknown parameters: ${named.join(', ')}`);
}

/** The known name with the fewest changes to a mistyped one, of at most a third of its letters; undefined without one. */
function similarName(name: string, known: readonly string[]): string | undefined {
  const nearest = closest(name, known);
  return distance(name, nearest) <= name.length / 3 ? nearest : undefined;
}
