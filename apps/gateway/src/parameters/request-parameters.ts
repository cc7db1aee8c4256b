import { Failure } from '@registrar/contracts';

/** The distinct values of each parameter, from the query string and the body together. */
export type RequestParameters = ReadonlyMap<string, readonly string[]>;

/** The parameters that every operation accepts (contract/parameters#general-parameters). */
export const generalParameters: readonly string[] = [
  'format',
  'fields',
  'template',
  'api_template',
  'callback',
  '_',
  '_method',
  'host_url',
];

/** How many distinct values a request may have: adding one is linear in those of its name. */
const maxValues = 1000;

/** Collects parameters from the query string and the body (contract/parameters#sources). */
export class ParameterCollection extends Map<string, readonly string[]> {
  #values = 0;

  /** Adds a parsed query string or form, where a repeated name has an array of values. */
  addForm(form: unknown): void {
    for (const [name, value] of Object.entries(form ?? {})) {
      for (const each of [value as unknown].flat()) this.add(name, each);
    }
  }

  /** Adds the properties of a JSON object; a value that is not a string counts as JSON text. */
  addJson(body: unknown): void {
    if (typeof body !== 'object' || body === null || Array.isArray(body)) {
      throw new Failure('invalid', 'the body is not a JSON object');
    }
    for (const [name, value] of Object.entries(body)) this.add(name, value);
  }

  /**
   * Adds one value; null counts as not given.
   *
   * @throws {Failure} `invalid` when there are more than 1000 distinct values
   */
  add(name: string, value: unknown): void {
    if (value == null) return;
    const text = typeof value === 'string' ? value : JSON.stringify(value);
    const values = this.get(name) ?? [];
    if (values.includes(text)) return;
    this.#values += 1;
    if (this.#values > maxValues) throw new Failure('invalid', 'too many parameters');
    this.set(name, [...values, text]);
  }
}

/**
 * The value of a parameter that takes one value.
 *
 * @throws {Failure} `invalid` for two different values (contract/parameters#different-values)
 */
export function singleValue(given: RequestParameters, name: string): string | undefined {
  const values = given.get(name) ?? [];
  if (values.length > 1) throw new Failure('invalid', `${name} is given with different values`);
  return values[0];
}
