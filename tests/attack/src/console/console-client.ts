import type { TestIdentityProvider } from '@registrar/console/testing/identity-provider';
import type { OutgoingHttpHeaders } from 'node:http';
import type { HttpClient, HttpRequest, HttpResponse } from '../http-client.ts';

/** The name of a session's cookie, over plain HTTP. */
const sessionCookie = 'registrar_console';
const transactionCookie = 'registrar_console_sign_in';

/** What a browser sends with a request of a page of the console. */
export const ownHeaders = {
  'sec-fetch-site': 'same-origin',
  'content-type': 'application/json',
} as const;

/** How a sign-in ended. */
export interface SignInResult {
  /** Where the browser is sent. */
  readonly location: string;
  /** The header `Cookie` of the session; null when none began. */
  readonly cookie: string | null;
  /** The whole header that sets it, with its attributes. */
  readonly attributes: string;
}

/** Requests to the console as its pages send them, and as they should not come. */
export class ConsoleClient {
  constructor(
    private readonly http: HttpClient,
    /** Without a slash at its end. */
    readonly url: string,
    private readonly provider: TestIdentityProvider,
  ) {}

  get(path: string, headers: OutgoingHttpHeaders = {}): Promise<HttpResponse> {
    return this.#send(this.url + path, { headers });
  }

  post(path: string, body: string, headers: OutgoingHttpHeaders): Promise<HttpResponse> {
    return this.#send(this.url + path, { body, headers });
  }

  call(cookie: string, name: string, input: unknown): Promise<HttpResponse> {
    return this.post(`/api/calls/${name}`, JSON.stringify(input), { ...ownHeaders, cookie });
  }

  /** Whether a cookie is that of a session. */
  async isSignedIn(cookie: string): Promise<boolean> {
    return (await this.call(cookie, 'session.show', {})).status === 200;
  }

  /** Begins a sign-in as a browser does, up to the callback of the identity provider. */
  async begin(
    name: string,
    roles: readonly string[],
    returnPath = '/',
  ): Promise<{ readonly callback: URL; readonly transaction: string }> {
    // The claim has the roles.
    this.provider.user = { sub: name, registrar_roles: roles };
    const query = new URLSearchParams({ return: returnPath }).toString();
    const begun = await this.get(`/sign-in/openid?${query}`);
    const { location } = begun.headers;
    if (begun.status !== 302) throw new Error(`a sign-in got ${begun.status}: ${begun.text}`);
    const callback = await this.provider.authorize(String(location));
    return { callback, transaction: cookieIn(begun, transactionCookie).split(';', 1)[0] ?? '' };
  }

  /** Follows the callback of a sign-in, in a browser that has these cookies. */
  async finish(callback: URL, cookies: string): Promise<SignInResult> {
    const ended = await this.#send(callback.href, { headers: { cookie: cookies } });
    const attributes = cookieIn(ended, sessionCookie);
    const cookie = attributes.split(';', 1)[0] ?? '';
    const location = String(ended.headers['location']);
    return { location, cookie: cookie === '' ? null : cookie, attributes };
  }

  /**
   * Signs a user in at the identity provider.
   *
   * @param given a path to return to, and cookies that the browser has before
   */
  async signIn(
    name: string,
    roles: readonly string[],
    given: { readonly returnPath?: string; readonly cookie?: string } = {},
  ): Promise<SignInResult> {
    const { callback, transaction } = await this.begin(name, roles, given.returnPath);
    return this.finish(callback, [transaction, given.cookie].filter(Boolean).join('; '));
  }

  /** Sends a request again if there was no response: the console may have closed the connection that was kept. */
  async #send(url: string, request: HttpRequest): Promise<HttpResponse> {
    const response = await this.http.send(url, request);
    return response.status === 0 ? this.http.send(url, request) : response;
  }

  /** Signs a user in who has a role, and returns the header `Cookie`. */
  async cookieOf(name: string, roles: readonly string[]): Promise<string> {
    const { cookie, location } = await this.signIn(name, roles);
    if (cookie === null) throw new Error(`the sign-in of ${name} led to ${location}`);
    return cookie;
  }
}

/** The header that sets a cookie; empty when the response sets none. */
const cookieIn = ({ headers }: HttpResponse, name: string): string =>
  [headers['set-cookie'] ?? []].flat().find((each) => each.startsWith(`${name}=`)) ?? '';
