import { type Credentials, credentials, Failure } from '#libs/contracts';
import { Refusal } from '../answers/refusal.ts';
import { type GivenParameters, single } from '../parameters/given-parameters.ts';

/** The parameters of each access mode (api-v2.md, Authentication). */
const modes = {
  api_key: ['api_key', 'accessToken'],
  realm: ['realm_guid', 'realm_secret_key'],
  provider: ['sc_app_id', 'sc_secret_key'],
} as const satisfies Record<Credentials['mode'], readonly string[]>;

export const accessParameters: readonly string[] = Object.values(modes).flat();

/** How a request asks to be let in. */
export interface PresentedAccess {
  readonly credentials: Credentials;
  /** The provider application that registration create names beside its mode (decision 13). */
  readonly beside: Credentials | null;
}

const isGiven = (given: GivenParameters, mode: Credentials['mode']) =>
  modes[mode].some((name) => single(given, name));

/** Whether a request presents an API key, be it right or wrong (decision 10). */
export const presentsApiKey = (given: GivenParameters): boolean =>
  modes.api_key.some((name) => given.get(name)?.some((value) => value !== ''));

/**
 * The one access mode of a request (decision 12). A mode is given when one of its parameters is
 * present and not empty.
 *
 * @param allowBeside whether the provider pair may stand beside another mode (decision 13)
 * @throws {Refusal} 501 when two are given
 * @throws {Failure} `unauthenticated` when none is, or one in part
 */
export function presentedAccess(given: GivenParameters, allowBeside: boolean): PresentedAccess {
  const all = (['api_key', 'realm', 'provider'] as const).filter((mode) => isGiven(given, mode));
  const beside = allowBeside && all.length > 1 && all.includes('provider');
  const [main, ...others] = beside ? all.filter((mode) => mode !== 'provider') : all;
  if (!main) throw new Failure('unauthenticated', 'no access mode is given');
  if (others.length > 0) throw new Refusal(501, `two access modes: ${all.join(' and ')}`);
  return {
    credentials: presented(given, main),
    beside: beside ? presented(given, 'provider') : null,
  };
}

function presented(given: GivenParameters, mode: Credentials['mode']): Credentials {
  const [first, second] = modes[mode].map((name) => single(given, name) || undefined);
  const parsed = credentials.safeParse(fill(mode, first, second));
  if (parsed.success) return parsed.data;
  throw new Failure('unauthenticated', `the access mode ${mode} is incomplete or malformed`);
}

function fill(mode: Credentials['mode'], first?: string, second?: string): unknown {
  switch (mode) {
    case 'api_key':
      if (first && second && first !== second) {
        throw new Failure('unauthenticated', 'api_key and accessToken differ');
      }
      return { mode, token: first ?? second };
    case 'realm':
      return { mode, guid: first, secretKey: second };
    case 'provider':
      return { mode, appId: first, secretKey: second };
  }
}
