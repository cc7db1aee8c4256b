/** Parameters of a request: an array is given several times, undefined not at all. */
export type Parameters = Readonly<Record<string, string | readonly string[] | undefined>>;

/** An answer of the API, read whole. */
export interface Answer {
  /** The request in one line, its secrets left out: for the reasons of failures. */
  readonly request: string;
  readonly status: number;
  /** The media type without its parameters; null when there is none. */
  readonly type: string | null;
  readonly headers: Headers;
  readonly text: string;
}

type HeaderFields = Readonly<Record<string, string>>;
type Method = 'GET' | 'POST' | 'PUT' | 'OPTIONS';

const secrets = ['api_key', 'accessToken', 'realm_secret_key', 'sc_secret_key'];
/** Parameters that are the same in every request, and not worth a reader's time. */
const dull = ['realm_guid', 'sc_app_id'];
/** How long any answer may take: milliseconds, longer than the gateway gives to thousands of learners. */
const patience = 150_000;

/** Parameters as a query string or a form. */
export function form(parameters: Parameters): URLSearchParams {
  const encoded = new URLSearchParams();
  for (const [name, value] of Object.entries(parameters)) {
    for (const each of [value ?? []].flat()) encoded.append(name, each);
  }
  return encoded;
}

/** Calls an installation's API. Paths are relative to its root; redirects are not followed. */
export class Client {
  constructor(private readonly baseUrl: string) {}

  get(path: string, parameters: Parameters, headers: HeaderFields = {}): Promise<Answer> {
    return this.send('GET', path, { query: parameters, headers });
  }

  /** POST with a form as its body. */
  post(path: string, parameters: Parameters, query: Parameters = {}): Promise<Answer> {
    return this.send('POST', path, { query, body: form(parameters), shown: parameters });
  }

  put(path: string, parameters: Parameters): Promise<Answer> {
    return this.send('PUT', path, { body: form(parameters), shown: parameters });
  }

  postJson(path: string, body: unknown): Promise<Answer> {
    const headers = { 'content-type': 'application/json' };
    return this.send('POST', path, { body: JSON.stringify(body), headers });
  }

  /** POST as a multipart form, a file last as the field `file`. */
  postMultipart(path: string, parameters: Parameters, file?: Uint8Array): Promise<Answer> {
    const body = new FormData();
    for (const [name, value] of form(parameters)) body.append(name, value);
    if (file) {
      const zip = new Blob([new Uint8Array(file)], { type: 'application/zip' });
      body.append('file', zip, 'package.zip');
    }
    return this.send('POST', path, { body, shown: parameters });
  }

  async send(
    method: Method,
    path: string,
    parts: {
      query?: Parameters;
      body?: RequestInit['body'];
      headers?: HeaderFields;
      shown?: Parameters;
    },
  ): Promise<Answer> {
    const query = form(parts.query ?? {}).toString();
    const response = await fetch(`${this.baseUrl}${path}${query && '?'}${query}`, {
      method,
      redirect: 'manual',
      signal: AbortSignal.timeout(patience),
      ...(parts.body !== undefined && { body: parts.body }),
      ...(parts.headers && { headers: parts.headers }),
    });
    const shown = describe({ ...parts.query, ...parts.shown });
    return {
      request: `${method} ${path}${shown && ' '}${shown}`,
      status: response.status,
      type: response.headers.get('content-type')?.split(';')[0]?.trim() ?? null,
      headers: response.headers,
      text: await response.text(),
    };
  }
}

const describe = (parameters: Parameters) =>
  Object.entries(parameters)
    .filter(([name]) => !dull.includes(name))
    .map(([name, value]) => `${name}=${secrets.includes(name) ? '…' : shorten(String(value))}`)
    .join(' ');

const shorten = (text: string) => (text.length > 60 ? `${text.slice(0, 60)}…` : text);
