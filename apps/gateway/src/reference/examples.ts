import { readFileSync } from 'node:fs';
import type { JsonSchema } from './record-schema.ts';

/** A request and the response of a running system. */
interface Example {
  readonly request: string;
  readonly answer: unknown;
}

const recorded = JSON.parse(
  readFileSync(new URL('./examples.json', import.meta.url), 'utf8'),
) as Readonly<Record<string, Example>>;

/** The first example of an operation. `npm run examples` records the examples of all operations. */
export const exampleOf = (operation: string): Example | undefined => recorded[operation];

/** All examples of an operation by their variant, as the document shows them; the first has the name `default`. */
export const examplesOf = (operation: string): JsonSchema =>
  Object.fromEntries(
    Object.entries(recorded).flatMap(([name, { answer }]) => {
      const [of, variant = 'default'] = name.split(', ');
      return of === operation ? [[variant, { value: answer }]] : [];
    }),
  );
