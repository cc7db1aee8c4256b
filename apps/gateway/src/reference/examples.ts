import { readFileSync } from 'node:fs';

/** A request and the response of a running system. */
export interface Example {
  readonly request: string;
  readonly answer: unknown;
}

const recorded = JSON.parse(
  readFileSync(new URL('./examples.json', import.meta.url), 'utf8'),
) as Readonly<Record<string, Example>>;

/** The example of an operation. `npm run examples` records the examples of all operations. */
export const exampleOf = (operation: string): Example | undefined => recorded[operation];
