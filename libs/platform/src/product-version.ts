import { readFileSync } from 'node:fs';

/** The version of this package, which is that of the whole product, such as `1.2.0`. */
export const { version: productVersion } = JSON.parse(
  readFileSync(new URL('../package.json', import.meta.url), 'utf8'),
) as { version: string };
