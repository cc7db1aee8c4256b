import { raw, sql, type Sql } from '@registrar/persistence';
import { clock } from '@registrar/platform';
import { createHash, timingSafeEqual } from 'node:crypto';
import type { Scope } from './http/scopes.ts';
import type { RequestedHost } from './origins/content-origins.ts';

/**
 * Who may see and change what.
 *
 * - A request to the API is authenticated as an application, by its id and secret key, or by an access token that was
 *   made with them. It reaches the courses, import jobs and registrations of that application: {@link ownedBy}. A token
 *   reaches the methods of its scopes alone: `ApiAccessGuard`. A statement may check the application itself, instead of
 *   another one before it: {@link isStillAccepted}.
 * - A request from a course window has a token in its URL. At the origin of its registration it reaches that
 *   registration, until the launch has ended: {@link isOpenLaunch}. Its link may demand a cookie or an address too. A
 *   preview has no registration, and an origin of its own.
 * - A request for a file of a course has the registration and its key in its URL, which is the same for all of its
 *   launches. At the origin of the registration it reaches the package of its course version, while a launch is open:
 *   {@link isOpenContent}. A preview has a key of its own: {@link isOpenPreview}.
 * - While an application is paused, it reaches nothing, and neither do its links and windows:
 *   `ApiAccessGuard`, {@link isOfActiveApplication}, {@link isVersionOfActiveApplication}.
 */

/** The application that a request is authenticated as. */
export interface AuthenticatedApplication {
  readonly id: number;
}

/** An application whose row may have changed since the credentials were compared with it. */
export interface RememberedApplication extends AuthenticatedApplication {
  /** The id in its credentials. */
  readonly appId: string;
  /** The stored hash that the secret key was compared with. */
  readonly secretHash: Buffer;
}

/** The id and the secret key of an application. */
interface SecretCredentials {
  readonly appId: string;
  readonly secretKey: string;
}

/** The content of an access token. */
export interface TokenCredentials {
  readonly appId: string;
  /** The hash of the secret key with which the token was made: another key ends the token. */
  readonly secretHash: Buffer;
  readonly scopes: readonly Scope[];
}

/** How a request shows which application it is of. */
export type Credentials = SecretCredentials | TokenCredentials;

/**
 * Parses an `Authorization` header of the scheme Basic (RFC 7617) or Bearer (RFC 6750); null if it is neither, or
 * malformed.
 */
export function parseAuthorization(
  header: string,
): SecretCredentials | { readonly token: string } | null {
  const token = /^Bearer +([A-Za-z0-9._~+/-]+=*) *$/i.exec(header)?.[1];
  if (token !== undefined) return { token };
  const encoded = /^Basic +([A-Za-z0-9+/=_-]+) *$/i.exec(header)?.[1];
  if (encoded === undefined) return null;
  const credentials = Buffer.from(encoded, 'base64').toString('utf8');
  const colon = credentials.indexOf(':');
  if (colon < 1) return null;
  return { appId: credentials.slice(0, colon), secretKey: credentials.slice(colon + 1) };
}

/**
 * The stored form of a secret key. Secret keys are long and random, so that a fast hash is
 * sufficient, and cheap enough to compute for every request.
 */
export const hashSecret = (secretKey: string): Buffer =>
  createHash('sha256').update(secretKey).digest();

/** Compared if the application is unknown, so that the response takes the same time. */
// Stryker disable next-line StringLiteral: any hash takes the same time, and none is accepted
const unknownApplicationHash = hashSecret('');

/** Compares credentials with the hash of a secret key, in constant time. Null: no application has the id. */
export function isSecretOf(credentials: Credentials, hash: Buffer | null): boolean {
  const shown =
    'secretKey' in credentials ? hashSecret(credentials.secretKey) : credentials.secretHash;
  const matches = timingSafeEqual(shown, hash ?? unknownApplicationHash);
  return matches && hash !== null;
}

/** Condition: the row of the table `alias` belongs to the application. */
export const ownedBy = ({ id }: AuthenticatedApplication, alias: string): Sql =>
  sql`${raw(alias)}.application_id = ${id}`;

/** Condition: the row of `applications AS a` accepts the credentials now, and is not paused. */
export const isStillAccepted = ({ id, secretHash }: RememberedApplication): Sql =>
  sql`a.id = ${id} AND NOT a.is_paused AND (
    a.secret_hash = ${secretHash}
    OR (a.previous_secret_hash = ${secretHash} AND a.previous_valid_until > ${clock.date()})
  )`;

/** The stored form of the token of a course window. */
export const hashToken = (token: string): Buffer => createHash('sha256').update(token).digest();

/** How a request from a course window identifies itself. */
export interface WindowAccess {
  readonly token: string;
  readonly host: RequestedHost;
  /** The cookie of the window; null without one. */
  readonly cookie: string | null;
  /** The address of the client; null if it is unknown. */
  readonly address: string | null;
}

/** The label of the origin of `launches AS l`, which has one of its own only in a preview. */
const labelOfLaunch = sql`coalesce(l.origin_label, (
  SELECT r.origin_label FROM registrations AS r WHERE r.id = l.registration
))`;

/** Condition: the row of `launches AS l` has the token, and the host is that of its origin. */
export const isLaunchOf = ({ token, host }: Pick<WindowAccess, 'token' | 'host'>): Sql =>
  sql`l.token_hash = ${hashToken(token)} AND ${isServedAt(host, labelOfLaunch)}`;

/** Condition: the application of a registration, named by SQL, is not paused. */
export const isOfActiveApplication = (registration: Sql): Sql =>
  sql`NOT EXISTS (
    SELECT FROM registrations AS paused JOIN applications AS a ON a.id = paused.application_id
    WHERE paused.id = ${registration} AND a.is_paused
  )`;

/** Condition: the application of a course version, named by SQL, is not paused. */
export const isVersionOfActiveApplication = (courseVersion: Sql): Sql =>
  sql`NOT EXISTS (
    SELECT FROM course_versions AS paused JOIN courses AS c ON c.id = paused.course
    JOIN applications AS a ON a.id = c.application_id
    WHERE paused.id = ${courseVersion} AND a.is_paused
  )`;

/** Condition: the row of `launches AS l` is used from the browser that its link demands, if it does. */
const isUsedBy = ({ cookie }: WindowAccess): Sql =>
  sql`(NOT l.needs_cookie OR l.cookie_hash = ${cookie === null ? null : hashToken(cookie)}::bytea)`;

/** Condition: {@link isLaunchOf}, the launch has not ended, and the client has the address that its link may demand. */
const isReachableLaunch = (access: WindowAccess): Sql =>
  sql`${isLaunchOf(access)} AND l.expires_at > now()
      AND (l.client_address IS NULL OR l.client_address = ${access.address}::inet)`;

/** Condition: {@link isReachableLaunch}, and no browser has got the cookie that its link demands. */
export const awaitsBrowser = (access: WindowAccess): Sql =>
  sql`${isReachableLaunch(access)} AND l.needs_cookie AND l.cookie_hash IS NULL`;

/** Condition: {@link isReachableLaunch}, the browser may use it, and the application is not paused. */
export const isOpenLaunch = (access: WindowAccess): Sql =>
  sql`${isReachableLaunch(access)} AND ${isUsedBy(access)}
      AND ${isOfActiveApplication(sql`l.registration`)}
      AND ${isVersionOfActiveApplication(sql`l.course_version`)}`;

/** How a request for a file of a course identifies itself. */
export interface ContentAccess {
  /** Whose windows have the key. */
  readonly of: 'registration' | 'preview';
  /** The id in the database: of the registration, or of the launch of the preview. */
  readonly id: number;
  readonly key: string;
  readonly host: RequestedHost;
}

/**
 * Condition: the row of `registrations AS r` has the key, the host is that of its origin, a launch is open, and the
 * application is not paused.
 */
export const isOpenContent = ({ id, key, host }: ContentAccess): Sql =>
  sql`r.id = ${id} AND r.content_key::text = ${key} AND ${isServedAt(host, sql`r.origin_label`)}
      AND EXISTS (SELECT FROM launches AS l WHERE l.registration = r.id AND l.expires_at > now())
      AND ${isOfActiveApplication(sql`r.id`)}`;

/**
 * Condition: the row of `launches AS l` is a preview that has the key, the host is that of its origin, the launch has not
 * ended, and the application is not paused.
 */
export const isOpenPreview = ({ id, key, host }: ContentAccess): Sql =>
  sql`l.id = ${id} AND l.content_key::text = ${key} AND ${isServedAt(host, sql`l.origin_label`)}
      AND l.expires_at > now() AND ${isVersionOfActiveApplication(sql`l.course_version`)}`;

/** Condition: the host is that of an origin whose label SQL names. Nothing is served at the host of the API. */
function isServedAt(host: RequestedHost, label: Sql): Sql {
  if (host === 'shared') return sql`true`;
  if (host === 'api') return sql`false`;
  return sql`${label}::text = ${host.label}`;
}
