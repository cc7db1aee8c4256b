import { textOf } from '../conformance/checks.ts';
import type { Parameters } from '../conformance/client.ts';
import { type CallerKind, callerKinds, type Reach, rules } from './access-rules.ts';
import { type AccessWorld, type RealmName, realmNames } from './access-world.ts';

/** One who calls the API, with what is presented and what it reaches. */
export interface Caller extends Reach {
  readonly kind: CallerKind;
  readonly access: Parameters;
  /** What the caller writes wherever it may, so that it is seen where it did. */
  readonly signature: string;
}

type Callers = Readonly<Record<CallerKind, Readonly<Record<RealmName, Caller>>>>;

/** Every kind of caller, in each realm; those of an application are of the first one. */
export async function makeCallers(world: AccessWorld): Promise<Callers> {
  const made: Caller[] = [];
  for (const kind of callerKinds) {
    for (const realm of realmNames) made.push(await makeCaller(world, kind, realm));
  }
  const of = (kind: CallerKind, realm: RealmName) =>
    made.find((caller) => caller.kind === kind && caller.realm === realm);
  return Object.fromEntries(
    callerKinds.map((kind) => [kind, { a: of(kind, 'a'), b: of(kind, 'b') }]),
  ) as Callers;
}

async function makeCaller(world: AccessWorld, kind: CallerKind, realm: RealmName): Promise<Caller> {
  const { pair, applications } = world.realm(realm);
  const [first, second] = applications;
  const { reaches, user, rights } = rules[kind];
  const email = world.learners[0];
  const bound = {
    ...(user && { user_email: email }),
    ...(kind.startsWith('key of the realm for an application') && {
      course_provider_id: String(first.id),
    }),
  };
  const origin = kind.includes('provider pair') ? first.pair : pair;
  const key = async () => {
    const made = await world.post('/api_key', { ...origin, ...bound });
    return { api_key: textOf(made, 'access_token') };
  };
  return {
    ...{ kind, realm, rights },
    access: kind.startsWith('key') ? await key() : origin,
    applications: reaches === 'realm' ? [first.id, second.id] : [first.id],
    user: user ? email : null,
    signature: `[${kind} of ${realm}]`,
  };
}
