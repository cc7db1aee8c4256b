/** A request without its credentials and general headers. */
export interface EncodedRequest {
  /** Relative to the API root, without a leading slash. */
  readonly path: string;
  readonly searchParams: URLSearchParams;
  readonly body?: FormData;
  readonly json?: object;
}

type Values = Readonly<Record<string, unknown>>;

/**
 * Encodes the parameters of an operation as its OpenAPI description has them: those that the path names in the path,
 * all others in the query string, or in a JSON object where the method has a body. With a file they are a multipart form.
 *
 * @throws {TypeError} when a parameter that the path names is missing
 */
export function encodeRequest(
  method: string,
  template: string,
  parameters: Values,
): EncodedRequest {
  const others = new Map(Object.entries(parameters).filter(([, value]) => value !== undefined));
  const path = template.slice(1).replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = others.get(name);
    if (value === undefined) throw new TypeError(`${name} is missing`);
    others.delete(name);
    return encodeURIComponent(textOf(value));
  });
  if (method === 'GET' || method === 'DELETE') return { path, searchParams: queryOf(others) };
  const searchParams = new URLSearchParams();
  if (!others.has('file')) return { path, searchParams, json: Object.fromEntries(others) };
  return { path, searchParams, body: formOf(others) };
}

/** An array repeats its parameter, and an object is a parameter for each of its properties. */
function queryOf(values: ReadonlyMap<string, unknown>): URLSearchParams {
  const query = new URLSearchParams();
  for (const [name, value] of values) {
    if (Array.isArray(value)) {
      for (const each of value) query.append(name, textOf(each));
    } else if (typeof value === 'object' && value !== null) {
      for (const [key, each] of Object.entries(value)) query.append(key, textOf(each));
    } else {
      query.append(name, textOf(value));
    }
  }
  return query;
}

/** The file is the last field: the gateway reads it once it knows all parameters (contract/courses#create-file). */
function formOf(values: ReadonlyMap<string, unknown>): FormData {
  const form = new FormData();
  for (const [name, value] of values) if (name !== 'file') form.append(name, textOf(value));
  form.append('file', values.get('file'), 'package.zip');
  return form;
}

const textOf = (value: unknown): string =>
  typeof value === 'string' ? value : JSON.stringify(value);
