import { type Credentials, credentials, Failure } from '@registrar/contracts';
import type { RequestParameters } from '../parameters/request-parameters.ts';
import { GatewayError } from '../responses/gateway-error.ts';

/** The parameters of each access mode (contract/access#modes). */
export const accessModes = {
  api_key: ['api_key', 'accessToken'],
  realm: ['realm_guid', 'realm_secret_key'],
  provider: ['sc_app_id', 'sc_secret_key'],
} as const satisfies Record<Credentials['mode'], readonly string[]>;

/** The names of all parameters that carry credentials. */
export const accessParameters: readonly string[] = Object.values(accessModes).flat();

/** Which access modes may stand together in a request to an operation. */
export interface AllowedModes {
  /** The provider pair may accompany another access mode (contract/access#provider-pair-beside). */
  readonly allowsProviderPair?: boolean;
  /**
   * In some realms, the realm pair may accompany another access mode, and decides what the request reaches
   * (contract/compatibility#two-modes).
   */
  readonly allowsRealmPairBeside?: boolean;
}

/** The credentials of a request, not yet verified. */
export interface PresentedAccess {
  readonly credentials: Credentials;
  /** The provider pair in addition to another mode (contract/access#provider-pair-beside). */
  readonly providerPair: Credentials | null;
  /** A realm pair beside another mode, which some realms accept (contract/compatibility#two-modes). */
  readonly isTwofold: boolean;
}

const valuesOf = (given: RequestParameters, name: string) =>
  given.get(name)?.filter((value) => value !== '') ?? [];

const isGiven = (given: RequestParameters, mode: Credentials['mode']) =>
  accessModes[mode].some((name) => valuesOf(given, name).length > 0);

/** Whether a request carries credentials of any mode, valid or not. */
export const hasCredentials = (given: RequestParameters): boolean =>
  accessParameters.some((name) => valuesOf(given, name).length > 0);

/**
 * Whether a request carries the secret of a realm pair or a provider pair
 * (contract/access#cors-pairs).
 */
export const hasPairSecret = (given: RequestParameters): boolean =>
  [accessModes.realm[1], accessModes.provider[1]].some((name) => valuesOf(given, name).length > 0);

/** The token of the API key that a request carries; null without one. */
export const presentedToken = (given: RequestParameters): string | null =>
  accessModes.api_key.flatMap((name) => valuesOf(given, name))[0] ?? null;

/**
 * Parses the access mode of a request (contract/access#one-mode). A mode is given when one of its
 * parameters is present and not empty (contract/access#given-mode).
 *
 * @param allows which modes may stand together
 * @throws {GatewayError} 501 when two modes are given
 * @throws {Failure} `unauthenticated` when no mode is given, or one is incomplete
 */
export function parseAccessMode(
  given: RequestParameters,
  { allowsProviderPair = false, allowsRealmPairBeside = false }: AllowedModes,
): PresentedAccess {
  const all = (['api_key', 'realm', 'provider'] as const).filter((mode) => isGiven(given, mode));
  const isTwofold = allowsRealmPairBeside && all.length === 2 && all.includes('realm');
  const hasProviderPair =
    (allowsProviderPair || isTwofold) && all.length > 1 && all.includes('provider');
  const standsBeside = (mode: Credentials['mode']) =>
    isTwofold ? mode !== 'realm' : hasProviderPair && mode === 'provider';
  const [main, ...others] = all.filter((mode) => !standsBeside(mode));
  if (!main) throw new Failure('unauthenticated', 'no access mode is given');
  if (others.length > 0) throw new GatewayError(501, `two access modes: ${all.join(' and ')}`);
  return {
    credentials: parseCredentials(given, main),
    providerPair: hasProviderPair ? parseCredentials(given, 'provider') : null,
    isTwofold,
  };
}

function parseCredentials(given: RequestParameters, mode: Credentials['mode']): Credentials {
  const [first, second] = accessModes[mode].map((name) => credential(given, name));
  if (mode === 'api_key' && first && second && first !== second) {
    throw new Failure('unauthenticated', 'api_key and accessToken differ');
  }
  const named = {
    api_key: { token: first ?? second },
    realm: { guid: first, secretKey: second },
    provider: { appId: first, secretKey: second },
  };
  const parsed = credentials.safeParse({ mode, ...named[mode] });
  if (parsed.success) return parsed.data;
  const missing = accessModes[mode].find((name) => valuesOf(given, name).length === 0);
  if (mode === 'api_key' || missing === undefined) {
    throw new Failure('unauthenticated', `the access mode ${mode} is malformed`);
  }
  const reason = `the access mode ${mode} is incomplete: ${missing} is missing`;
  throw new Failure('unauthenticated', reason, undefined, { parameter: missing });
}

/** @throws {Failure} `unauthenticated` for two different values (contract/access#invalid-mode) */
function credential(given: RequestParameters, name: string): string | undefined {
  const [value, another] = valuesOf(given, name);
  if (another === undefined) return value;
  const reason = `${name} is given with different values`;
  throw new Failure('unauthenticated', reason, undefined, { parameter: name });
}
