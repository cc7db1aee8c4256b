/** Parameters of a request. An array repeats its parameter; undefined omits it. */
export type Parameters = Readonly<Record<string, string | readonly string[] | undefined>>;

/** A response of the API with its whole body. */
export interface ApiResponse {
  /** The request in one line without secrets, for messages of failed checks. */
  readonly request: string;
  readonly status: number;
  /** The media type without its parameters; null without a Content-Type. */
  readonly type: string | null;
  readonly headers: Headers;
  readonly text: string;
}

type HeaderFields = Readonly<Record<string, string>>;
type Method = 'GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH' | 'DELETE' | 'OPTIONS';

const secrets = ['api_key', 'accessToken', 'realm_secret_key', 'sc_secret_key'];
/** Parameters that messages leave out, because they are the same in every request. */
const omittedParameters = ['realm_guid', 'sc_app_id'];
/** The timeout of a request, longer than the deadline of add_learners. */
const requestTimeoutMs = 150_000;

/** Encodes parameters as a query string or a form. */
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

  get(path: string, parameters: Parameters, headers: HeaderFields = {}): Promise<ApiResponse> {
    return this.send('GET', path, { query: parameters, headers });
  }

  /** POST with a form as its body. */
  post(path: string, parameters: Parameters, query: Parameters = {}): Promise<ApiResponse> {
    return this.send('POST', path, { query, body: form(parameters), shown: parameters });
  }

  put(path: string, parameters: Parameters, query: Parameters = {}): Promise<ApiResponse> {
    return this.send('PUT', path, { query, body: form(parameters), shown: parameters });
  }

  postJson(path: string, body: unknown): Promise<ApiResponse> {
    const headers = { 'content-type': 'application/json' };
    return this.send('POST', path, { body: JSON.stringify(body), headers });
  }

  /** POST as a multipart form; the file is the last field, `file`. */
  postMultipart(
    path: string,
    parameters: Parameters,
    file?: Uint8Array,
    headers: Record<string, string> = {},
  ): Promise<ApiResponse> {
    const body = new FormData();
    for (const [name, value] of form(parameters)) body.append(name, value);
    if (file) {
      const zip = new Blob([new Uint8Array(file)], { type: 'application/zip' });
      body.append('file', zip, 'package.zip');
    }
    return this.send('POST', path, { body, headers, shown: parameters });
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
  ): Promise<ApiResponse> {
    const query = form(parts.query ?? {}).toString();
    const response = await fetch(`${this.baseUrl}${path}${query && '?'}${query}`, {
      method,
      redirect: 'manual',
      signal: AbortSignal.timeout(requestTimeoutMs),
      ...(parts.body !== undefined && { body: parts.body }),
      ...(parts.headers && { headers: parts.headers }),
    });
    const shown = describeParameters({ ...parts.query, ...parts.shown });
    return {
      request: `${method} ${path}${shown && ' '}${shown}`,
      status: response.status,
      type: response.headers.get('content-type')?.split(';')[0]?.trim() ?? null,
      headers: response.headers,
      text: await response.text(),
    };
  }
}

const describeParameters = (parameters: Parameters) =>
  Object.entries(parameters)
    .filter(([name]) => !omittedParameters.includes(name))
    .map(([name, value]) => `${name}=${secrets.includes(name) ? '…' : shorten(String(value))}`)
    .join(' ');

const shorten = (text: string) => (text.length > 60 ? `${text.slice(0, 60)}…` : text);
