import { parseForm } from '@registrar/bootstrap';
import { Failure, shownName } from '@registrar/contracts';
import type { FastifyRequest } from 'fastify';
import { headerAccess } from '../access/authorization-header.ts';

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

/** How many values a request may have, and how long a name may be (contract/parameters#limits). */
const maxValues = 1000;
const maxNameLength = 255;

/**
 * Collects parameters from the query string and the body (contract/parameters#sources), within the
 * limits of their number and of their names.
 */
export class ParameterCollection extends Map<string, readonly string[]> {
  #given = 0;
  /** The values of parameters that have several, to find a repeated one quickly. */
  readonly #distinct = new Map<string, Set<string>>();

  /** Adds the parameters of another collection. */
  addAll(others: RequestParameters): void {
    for (const [name, values] of others) {
      for (const value of values) this.add(name, value);
    }
  }

  /**
   * Adds one value, and writes a value that is not a string as JSON text. Null is not kept, but
   * counts towards the limit.
   *
   * @throws {Failure} `invalid` when there are more than 1000 values, or the name is too long
   */
  add(name: string, value: unknown): void {
    this.#given += 1;
    if (this.#given > maxValues) throw new Failure('invalid', 'too many parameters');
    if (value == null) return;
    if (name.length > maxNameLength) {
      const reason = `the name of a parameter is longer than ${maxNameLength} characters`;
      throw new Failure('invalid', reason);
    }
    const text = typeof value === 'string' ? value : JSON.stringify(value);
    // An escape of JSON can stand for half of a character.
    if (!text.isWellFormed()) {
      throw invalidParameter(name, `${shownName(name)} is not valid Unicode text`);
    }
    const values = this.get(name);
    if (!values) {
      this.set(name, [text]);
      return;
    }
    const known = this.#distinct.get(name) ?? new Set(values);
    if (known.has(text)) return;
    this.#distinct.set(name, known.add(text));
    this.set(name, [...known]);
  }
}

/** The failure of a parameter; a name that may contain a secret is not shown. */
export const invalidParameter = (name: string, reason: string): Failure =>
  new Failure('invalid', reason, undefined, { parameter: shownName(name) });

/**
 * The value of a parameter that takes one value.
 *
 * @throws {Failure} `invalid` for two different values (contract/parameters#different-values)
 */
export function singleValue(given: RequestParameters, name: string): string | undefined {
  const values = given.get(name) ?? [];
  if (values.length > 1) {
    throw invalidParameter(name, `${shownName(name)} is given with different values`);
  }
  return values[0];
}

/** The parameters of a request, or of its query string. */
export type ReceivedParameters = {
  readonly given: RequestParameters;
  /** Why the rest cannot be read; `given` is what can be. */
  readonly fault: Error | null;
};

/**
 * Parses a query string: Fastify's `querystringParser`.
 *
 * @param text a byte for each character, as Node reads URLs
 */
export function parseQuery(text: string): ReceivedParameters {
  const given = new ParameterCollection();
  const { fields, fault } = parseForm(Buffer.from(text, 'latin1'));
  try {
    for (const [name, value] of fields) given.add(name, value);
    return { given, fault };
  } catch (error) {
    return { given, fault: Failure.from(error) };
  }
}

/** The parameters in the query string of a request, also of one whose path Fastify cannot parse. */
export function queryParameters({ query, url }: FastifyRequest): ReceivedParameters {
  const parsed = query as Partial<ReceivedParameters> | null;
  return parsed?.given
    ? (parsed as ReceivedParameters)
    : parseQuery(/\?([^]*)/.exec(url)?.[1] ?? '');
}

/** The parameters in the head of a request: of its query string, and the access that its `Authorization` header shows. */
export function headParameters(request: FastifyRequest): ReceivedParameters {
  const query = queryParameters(request);
  const { authorization } = request.headers;
  if (authorization === undefined) return query;
  const given = new ParameterCollection();
  try {
    for (const [name, value] of headerAccess(authorization)) given.add(name, value);
    given.addAll(query.given);
    return { given, fault: query.fault };
  } catch (error) {
    return { given, fault: Failure.from(error) };
  }
}

/**
 * Adds the parameters in a body that has been parsed (contract/parameters#body-form and #body-json).
 *
 * @throws {Failure} `invalid` for JSON that is no object, and beyond a limit
 */
export function addBodyParameters(given: ParameterCollection, body: unknown): void {
  if (body === undefined) return;
  if (body instanceof URLSearchParams) {
    for (const [name, value] of body) given.add(name, value);
    return;
  }
  if (typeof body !== 'object' || body === null || Array.isArray(body)) {
    throw new Failure('invalid', 'the body is not a JSON object');
  }
  for (const [name, value] of Object.entries(body)) given.add(name, value);
}
