import { consoleUserName } from '@registrar/contracts';
import { clock } from '@registrar/platform';
import { Inject, Injectable } from '@nestjs/common';
import * as openid from 'openid-client';
import { ConsoleAddress } from '../http/console-address.ts';
import { hasRole, rolesOfClaim } from '../sessions/roles.ts';
import type { SignedInUser } from '../sessions/sessions.ts';
import { type ConsoleSettings, consoleSettingsToken } from '../settings.ts';
import type { SignInTransaction } from './sealed-cookie.ts';
import { SignInFailed } from './sign-in-problem.ts';

/** The time of each request to the identity provider: seconds. */
const timeoutSeconds = 5;

/** How often the issuer's metadata are read again at most: an issuer may change its keys and addresses. */
const metadataAgeMs = 3_600_000;

const scope = 'openid email profile';

/** Signs people in by OpenID Connect: the code flow with PKCE, state and nonce. */
@Injectable()
export class IdentityProvider {
  #configuration: { readonly value: Promise<openid.Configuration>; readonly at: number } | null =
    null;

  constructor(
    @Inject(consoleSettingsToken) private readonly settings: ConsoleSettings,
    private readonly address: ConsoleAddress,
  ) {}

  get isConfigured(): boolean {
    return this.settings.CONSOLE_OIDC_ISSUER !== undefined;
  }

  /**
   * Begins a sign-in.
   *
   * @returns where to send the browser, and what the end of the sign-in needs
   * @throws {SignInFailed} `no-provider`, `unavailable`
   */
  async begin(
    returnPath: string,
  ): Promise<{ readonly url: string; readonly transaction: SignInTransaction }> {
    const configuration = await this.#discover();
    const codeVerifier = openid.randomPKCECodeVerifier();
    const transaction = {
      state: openid.randomState(),
      nonce: openid.randomNonce(),
      codeVerifier,
      returnPath,
    };
    const { href: url } = openid.buildAuthorizationUrl(configuration, {
      redirect_uri: this.address.urlOf('/sign-in/callback'),
      scope,
      state: transaction.state,
      nonce: transaction.nonce,
      code_challenge: await openid.calculatePKCECodeChallenge(codeVerifier),
      code_challenge_method: 'S256',
    });
    return { url, transaction };
  }

  /**
   * Ends a sign-in.
   *
   * @param query that of the callback, with its question mark
   * @throws {SignInFailed} `unavailable`, `refused`, `no-role`
   */
  async finish(
    query: string,
    { state, nonce, codeVerifier }: SignInTransaction,
  ): Promise<SignedInUser> {
    const configuration = await this.#discover();
    const callback = new URL(this.address.urlOf('/sign-in/callback') + query);
    const tokens = await answered(
      openid.authorizationCodeGrant(configuration, callback, {
        pkceCodeVerifier: codeVerifier,
        expectedState: state,
        expectedNonce: nonce,
        idTokenExpected: true,
      }),
    );
    const ofToken = tokens.claims();
    if (!ofToken) throw new SignInFailed('refused', 'the identity provider sent no ID token');
    const { CONSOLE_ROLES_CLAIM: rolesClaim } = this.settings;
    const hasUserInfo = configuration.serverMetadata().userinfo_endpoint !== undefined;
    const claims: Record<string, unknown> =
      ofToken[rolesClaim] === undefined && hasUserInfo
        ? {
            ...ofToken,
            ...(await answered(
              openid.fetchUserInfo(configuration, tokens.access_token, ofToken.sub),
            )),
          }
        : ofToken;
    const roles = rolesOfClaim(claims[rolesClaim]);
    const account = `${ofToken.iss} ${ofToken.sub}`;
    if (!hasRole(roles)) throw new SignInFailed('no-role', `${account} has no role`);
    return { account, name: nameOf(claims), roles };
  }

  #discover(): Promise<openid.Configuration> {
    const now = clock.monotonic();
    if (this.#configuration && now - this.#configuration.at < metadataAgeMs) {
      return this.#configuration.value;
    }
    const value = this.#readMetadata();
    const current = { value, at: now };
    this.#configuration = current;
    value.catch(() => {
      if (this.#configuration === current) this.#configuration = null;
    });
    return value;
  }

  async #readMetadata(): Promise<openid.Configuration> {
    const {
      CONSOLE_OIDC_ISSUER: issuer,
      CONSOLE_OIDC_CLIENT_ID: clientId,
      CONSOLE_OIDC_CLIENT_SECRET: secret,
    } = this.settings;
    if (issuer === undefined) throw new SignInFailed('no-provider', 'no identity provider is set');
    const server = new URL(issuer);
    return answered(
      openid.discovery(
        server,
        clientId,
        secret,
        secret === undefined ? openid.None() : openid.ClientSecretPost(secret),
        {
          timeout: timeoutSeconds,
          ...(server.protocol === 'http:' && { execute: [openid.allowInsecureRequests] }),
        },
      ),
    );
  }
}

/** A verified e-mail address, else the subject: another user could have set an address that nobody has verified. */
function nameOf({ email, email_verified: isVerified, sub }: Record<string, unknown>): string {
  const name = consoleUserName.safeParse(isVerified === true ? email : sub);
  return name.success ? name.data : String(sub).slice(0, 200);
}

/** @throws {SignInFailed} instead of an error of the identity provider, or of the way to it */
async function answered<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    const { message } = error as Error;
    const isRefusal =
      error instanceof openid.AuthorizationResponseError ||
      (error instanceof openid.ResponseBodyError && error.status < 500);
    throw new SignInFailed(isRefusal ? 'refused' : 'unavailable', message, { cause: error });
  }
}
