import { freePort } from '@registrar/testing';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import Provider from 'oidc-provider';

/** The console's settings of how the identity provider knows it. */
export const identityProviderClient = {
  CONSOLE_OIDC_CLIENT_ID: 'registrar',
  CONSOLE_OIDC_CLIENT_SECRET: 'secret-of-the-client',
} as const;

export type TestIdentityProvider = Awaited<ReturnType<typeof startIdentityProvider>>;

/**
 * Starts an identity provider (OpenID Connect) at which one user, whom the suite replaces, is always signed in.
 *
 * @param redirectUri where it sends browsers back to: the path `/sign-in/callback` of the console
 * @param port where it listens, by default a free one
 */
export async function startIdentityProvider(redirectUri: string, port?: number) {
  const state = { user: { sub: 'nobody' } as Record<string, unknown> };
  const issuerPort = port ?? (await freePort());
  const issuer = `http://localhost:${issuerPort}`;
  const provider = new Provider(issuer, {
    clients: [
      {
        client_id: identityProviderClient.CONSOLE_OIDC_CLIENT_ID,
        client_secret: identityProviderClient.CONSOLE_OIDC_CLIENT_SECRET,
        redirect_uris: [redirectUri],
        token_endpoint_auth_method: 'client_secret_post',
      },
    ],
    cookies: { keys: ['key of the suite'] },
    claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['registrar_roles'] },
    features: { devInteractions: { enabled: false } },
    interactions: { url: (_context, { uid }) => `/interaction/${uid}` },
    pkce: { required: () => true },
    findAccount: (_context, id) => ({ accountId: id, claims: () => ({ ...state.user, sub: id }) }),
  });
  const answer = provider.callback();
  const server: Server = createServer((request, response) => {
    if (!request.url?.startsWith('/interaction/')) {
      void answer(request, response);
      return;
    }
    void (async () => {
      const { params, prompt, grantId } = await provider.interactionDetails(request, response);
      const accountId = String(state.user['sub']);
      const grant =
        (grantId === undefined ? undefined : await provider.Grant.find(grantId)) ??
        new provider.Grant({ accountId, clientId: String(params['client_id']) });
      grant.addOIDCScope('openid email profile');
      const result =
        prompt.name === 'login'
          ? { login: { accountId } }
          : { consent: { grantId: await grant.save() } };
      await provider.interactionFinished(request, response, result, {
        mergeWithLastSubmission: true,
      });
    })();
  }).listen(issuerPort);
  await once(server, 'listening');
  return {
    issuer,
    /** What the console needs to use it. */
    settings: { CONSOLE_OIDC_ISSUER: issuer, ...identityProviderClient },
    /** Its claims, of which `sub` is required. */
    get user() {
      return state.user;
    },
    set user(user: Record<string, unknown>) {
      state.user = user;
    },
    /** Follows the redirects of a new browser until it leaves the provider. */
    async authorize(address: string): Promise<URL> {
      const cookies = new Map<string, string>();
      let url = new URL(address);
      while (url.origin === issuer) {
        const cookie = [...cookies].map((each) => each.join('=')).join('; ');
        const response = await fetch(url, { redirect: 'manual', headers: { cookie } });
        for (const each of response.headers.getSetCookie()) {
          const [name = '', value = ''] = each.split(';', 1)[0]!.split('=');
          cookies.set(name, value);
        }
        const location = response.headers.get('location');
        if (location === null) throw new Error(`${response.status} ${await response.text()}`);
        url = new URL(location, url);
      }
      return url;
    },
    async stop(): Promise<void> {
      if (!server.listening) return;
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
