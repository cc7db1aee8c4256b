import { readFileSync } from 'node:fs';

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

/** All recorded examples of an operation by their variant; the first has the name `default`. */
export const examplesOf = (operation: string): Readonly<Record<string, unknown>> =>
  Object.fromEntries(
    Object.entries(recorded).flatMap(([name, { answer }]) => {
      const [of, variant = 'default'] = name.split(', ');
      return of === operation ? [[variant, answer]] : [];
    }),
  );
