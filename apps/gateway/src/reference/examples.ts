import { readFileSync } from 'node:fs';

/** A request and the answer that a running system gave to it. */
export interface Example {
  readonly request: string;
  readonly answer: unknown;
}

const recorded = JSON.parse(
  readFileSync(new URL('./examples.json', import.meta.url), 'utf8'),
) as Readonly<Record<string, Example>>;

/** The recorded example of an operation; `npm run examples` records them anew. */
export const exampleOf = (operation: string): Example | undefined => recorded[operation];
