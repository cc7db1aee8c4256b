import type { Parameters } from '@registrar/conformance';
import type { SeededRandom } from '@registrar/testing';
import type { SentParameter } from './encoding.ts';
import type { FuzzRealm, RealmAccess } from './fuzz-realm.ts';
import type { FuzzOperation } from './operations.ts';

const validKinds = [
  'realm pair',
  'key of the realm',
  'key that may only read',
  'provider pair',
  'key of the provider pair',
  'key of a user',
  'key of a user in an application',
] as const;
const invalidKinds = [
  'revoked key',
  'none',
  'empty',
  'malformed',
  'wrong secret',
  'two modes',
  'two values',
  'pairs of two realms',
] as const;
/** The ways in which a request identifies its caller. */
export type AccessKind = RealmAccess | (typeof invalidKinds)[number];

/** The course provider authenticates applications alone. */
const providerKinds = ['provider pair', 'none', 'malformed', 'wrong secret'] as const;

/** The kinds of access that an operation is tried with. */
export const accessKindsOf = ({ server }: FuzzOperation): readonly AccessKind[] =>
  server === 'gateway' ? [...validKinds, ...invalidKinds] : providerKinds;

/** Chooses a kind of access: mostly a valid one, and half of those reach the whole realm. */
export function pickAccess({ server }: FuzzOperation, random: SeededRandom): AccessKind {
  const isValid = random.next() < 0.85;
  if (server === 'provider') return isValid ? 'provider pair' : random.pick(providerKinds);
  if (!isValid) return random.pick(invalidKinds);
  return random.next() < 0.5
    ? random.pick(['realm pair', 'key of the realm'] as const)
    : random.pick(validKinds);
}

const listed = (parameters: Parameters): SentParameter[] =>
  Object.entries(parameters).map(([name, value]) => ({ name, value: String(value) }));

/** Whether the service counts a request with this access as a wrong one. */
export const isRefused = (kind: AccessKind): boolean => invalidKinds.some((each) => each === kind);

type InvalidAccess = Exclude<(typeof invalidKinds)[number], RealmAccess>;

const isValid = (kind: AccessKind): kind is RealmAccess =>
  kind === 'revoked key' || validKinds.some((each) => each === kind);

/** The access parameters of a request of the API. */
export function accessParameters(
  kind: AccessKind,
  operation: FuzzOperation,
  own: FuzzRealm,
  other: FuzzRealm,
  random: SeededRandom,
): SentParameter[] {
  if (!isValid(kind)) return invalidAccess(kind, own, other, random);
  // This request ends the key that it carries.
  const endsKey = operation.name === 'DELETE /api_key' && kind.startsWith('key');
  return listed(endsKey ? { api_key: own.spareKeys.pop() ?? 'none' } : own.access[kind]);
}

function invalidAccess(
  kind: InvalidAccess,
  { access }: FuzzRealm,
  other: FuzzRealm,
  random: SeededRandom,
): SentParameter[] {
  const pair = access['realm pair'];
  switch (kind) {
    case 'none':
      return [];
    case 'empty':
      return listed({ api_key: '', realm_guid: '', realm_secret_key: '' });
    case 'malformed': {
      const name = random.pick(['api_key', 'realm_guid', 'sc_app_id', 'sc_secret_key']);
      const values = ['\u0000', 'a'.repeat(5_000), '%', '{}', 'é', '1 OR 1=1'];
      return [{ name, value: random.pick(values) }];
    }
    case 'wrong secret':
      return listed({ ...pair, realm_secret_key: 'a wrong secret of the fuzzer' });
    case 'two modes':
      return listed({ ...pair, ...access['key of the realm'] });
    case 'two values':
      return [...listed(pair), { name: 'realm_guid', value: 'another one' }];
    case 'pairs of two realms':
      return listed({ ...pair, realm_secret_key: other.access['realm pair']['realm_secret_key'] });
  }
}

/** The `Authorization` of a request to the course provider. */
export function basicAccess(
  kind: AccessKind,
  { path }: FuzzOperation,
  { basic }: FuzzRealm,
): string[] {
  if (!path.startsWith('/api/') || kind === 'none') return [];
  if (kind === 'malformed') return ['Authorization', 'Basic !!!'];
  return ['Authorization', kind === 'wrong secret' ? 'Basic YTpi' : basic];
}
