import type { RunningSystem } from '@registrar/standalone/testing';

/** A response of the API with its whole body. */
export interface ClientResponse {
  readonly status: number;
  readonly type: string | null;
  readonly headers: Headers;
  readonly text: string;
}

type Parameters = Readonly<Record<string, string>>;

/** Calls the API of a running system over HTTP. */
export class ApiClient {
  constructor(private readonly system: RunningSystem) {}

  /** The realm pair as parameters. */
  get realm(): Parameters {
    const { realm_guid, realm_secret_key } = this.system.quickstart;
    return { realm_guid, realm_secret_key };
  }

  /** The provider pair as parameters. */
  get application(): Parameters {
    const { sc_app_id, sc_secret_key } = this.system.quickstart;
    return { sc_app_id, sc_secret_key };
  }

  get(path: string, parameters: Parameters, headers: Parameters = {}): Promise<ClientResponse> {
    const query = new URLSearchParams(parameters).toString();
    return this.#send(`${path}?${query}`, { method: 'GET', headers });
  }

  post(path: string, parameters: Parameters, headers: Parameters = {}): Promise<ClientResponse> {
    return this.#send(path, { method: 'POST', body: new URLSearchParams(parameters), headers });
  }

  /** Sends POST with a package as the multipart field `file`. */
  upload(
    path: string,
    parameters: Parameters,
    file: Uint8Array,
    headers: Parameters = {},
  ): Promise<ClientResponse> {
    const form = new FormData();
    for (const [name, value] of Object.entries(parameters)) form.set(name, value);
    form.set('file', new Blob([new Uint8Array(file)], { type: 'application/zip' }), 'package.zip');
    return this.#send(path, { method: 'POST', headers, body: form });
  }

  async #send(path: string, init: RequestInit): Promise<ClientResponse> {
    const response = await fetch(`${this.system.quickstart.base_url}${path}`, init);
    return {
      status: response.status,
      type: response.headers.get('content-type'),
      headers: response.headers,
      text: await response.text(),
    };
  }
}

/**
 * Parses the records of a JSON response.
 *
 * @throws when the status is not 200
 */
export function records<Row = Record<string, unknown>>(answer: ClientResponse): Row[] {
  if (answer.status !== 200) throw new Error(`expected 200, got ${answer.status}: ${answer.text}`);
  return JSON.parse(answer.text) as Row[];
}
