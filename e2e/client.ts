import type { RunningSystem } from '#libs/testing';

/** An answer of the API, read whole. */
export interface Answer {
  readonly status: number;
  readonly type: string | null;
  readonly headers: Headers;
  readonly text: string;
}

type Parameters = Readonly<Record<string, string>>;

/** Calls a running system's API as a client's program would. */
export class ApiClient {
  constructor(private readonly system: RunningSystem) {}

  /** The realm pair, as parameters. */
  get realm(): Parameters {
    const { realm_guid, realm_secret_key } = this.system.quickstart;
    return { realm_guid, realm_secret_key };
  }

  /** The provider application pair, as parameters. */
  get application(): Parameters {
    const { sc_app_id, sc_secret_key } = this.system.quickstart;
    return { sc_app_id, sc_secret_key };
  }

  get(path: string, parameters: Parameters, headers: Parameters = {}): Promise<Answer> {
    const query = new URLSearchParams(parameters).toString();
    return this.#send(`${path}?${query}`, { method: 'GET', headers });
  }

  post(path: string, parameters: Parameters, headers: Parameters = {}): Promise<Answer> {
    return this.#send(path, { method: 'POST', body: new URLSearchParams(parameters), headers });
  }

  /** POST with a package as the multipart field `file`. */
  upload(
    path: string,
    parameters: Parameters,
    file: Uint8Array,
    headers: Parameters = {},
  ): Promise<Answer> {
    const form = new FormData();
    for (const [name, value] of Object.entries(parameters)) form.set(name, value);
    form.set('file', new Blob([new Uint8Array(file)], { type: 'application/zip' }), 'package.zip');
    return this.#send(path, { method: 'POST', headers, body: form });
  }

  async #send(path: string, init: RequestInit): Promise<Answer> {
    const response = await fetch(`${this.system.quickstart.base_url}${path}`, init);
    return {
      status: response.status,
      type: response.headers.get('content-type'),
      headers: response.headers,
      text: await response.text(),
    };
  }
}

/** The records of a JSON answer that must be 200. */
export function records<Row = Record<string, unknown>>(answer: Answer): Row[] {
  if (answer.status !== 200) throw new Error(`expected 200, got ${answer.status}: ${answer.text}`);
  return JSON.parse(answer.text) as Row[];
}
