import type { RunningSystem } from '@registrar/standalone/testing';

/** Access to a realm by API keys. */
export class ApiAccess {
  private constructor(
    private readonly baseUrl: string,
    private readonly realm: URLSearchParams,
    private readonly key: string,
  ) {}

  /** Creates an API key of a realm; by default of the demo realm of a system. */
  static async create(
    { base_url, realm_guid, realm_secret_key }: RunningSystem['quickstart'],
    realm: Readonly<Record<'realm_guid' | 'realm_secret_key', string>> = {
      realm_guid,
      realm_secret_key,
    },
  ): Promise<ApiAccess> {
    const pair = new URLSearchParams(realm);
    return new ApiAccess(base_url, pair, await createKey(base_url, pair));
  }

  /** Returns the same access by a key that is bound to a user. */
  async boundTo(email: string): Promise<ApiAccess> {
    const parameters = new URLSearchParams(this.realm);
    parameters.set('user_email', email);
    return new ApiAccess(this.baseUrl, this.realm, await createKey(this.baseUrl, parameters));
  }

  /** Returns the URL of an operation, such as `course.json`, with the key. */
  url(path: string, parameters: Readonly<Record<string, string>> = {}): string {
    const query = new URLSearchParams({ api_key: this.key, ...parameters });
    return `${this.baseUrl}/${path}?${query.toString()}`;
  }
}

async function createKey(baseUrl: string, parameters: URLSearchParams): Promise<string> {
  const response = await fetch(`${baseUrl}/api_key.json`, { method: 'POST', body: parameters });
  if (response.status !== 201) throw new Error(`api_key create returned ${response.status}`);
  return ((await response.json()) as { access_token: string }).access_token;
}
