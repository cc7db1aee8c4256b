import { Failure } from '#libs/contracts';

/** The distinct values that a request gives for each name, in query and body together. */
export type GivenParameters = ReadonlyMap<string, readonly string[]>;

/** Parameters that every operation takes beside its own and the access modes' (decision 6). */
export const generalParameters: readonly string[] = [
  'format',
  'fields',
  'template',
  'api_template',
  'callback',
  '_',
];

/** How many distinct values a request may give: looking each up takes time. */
const mostValues = 1000;

/** Collects parameters from wherever a request has them (decision 4). */
export class ParameterCollection extends Map<string, readonly string[]> {
  #values = 0;

  /** Takes a parsed query or form, where a repeated name has an array of its values. */
  takeForm(form: unknown): void {
    for (const [name, value] of Object.entries(form ?? {})) {
      for (const each of [value as unknown].flat()) this.take(name, each);
    }
  }

  /** Takes a JSON object, where values that are no strings count as their JSON text. */
  takeJson(body: unknown): void {
    if (typeof body !== 'object' || body === null || Array.isArray(body)) {
      throw new Failure('invalid', 'the body is no JSON object');
    }
    for (const [name, value] of Object.entries(body)) this.take(name, value);
  }

  /**
   * Takes one value; null counts as not given.
   *
   * @throws {Failure} `invalid` when there are too many
   */
  take(name: string, value: unknown): void {
    if (value == null) return;
    const text = typeof value === 'string' ? value : JSON.stringify(value);
    const values = this.get(name) ?? [];
    if (values.includes(text)) return;
    this.#values += 1;
    if (this.#values > mostValues) throw new Failure('invalid', 'too many parameters');
    this.set(name, [...values, text]);
  }
}

/**
 * The value of a parameter that can have one only.
 *
 * @throws {Failure} `invalid` when it was given with two different values (decision 4)
 */
export function single(given: GivenParameters, name: string): string | undefined {
  const values = given.get(name) ?? [];
  if (values.length > 1) throw new Failure('invalid', `${name} is given with different values`);
  return values[0];
}
