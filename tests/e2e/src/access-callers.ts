import { textOf } from '@registrar/conformance';
import type { Parameters } from '@registrar/conformance';
import { type CallerKind, callerKinds, type Reach, type Rule, rules } from './access-rules.ts';
import { type AccessFixture, type RealmName, realmNames } from './access-fixture.ts';

/** A client of the API: its access parameters and its reach. */
export interface Caller extends Reach {
  readonly kind: CallerKind;
  readonly access: Parameters;
  /** The text that the caller writes into every record that it changes, so that its changes can be found. */
  readonly signature: string;
}

type Callers = Readonly<Record<CallerKind, Readonly<Record<RealmName, Caller>>>>;

/** Creates every kind of caller in each realm. Callers of one application use the first application. */
export async function createCallers(world: AccessFixture): Promise<Callers> {
  const made: Caller[] = [];
  for (const kind of callerKinds) {
    for (const realm of realmNames) made.push(await createCaller(world, kind, realm));
  }
  const of = (kind: CallerKind, realm: RealmName) =>
    made.find((caller) => caller.kind === kind && caller.realm === realm);
  return Object.fromEntries(
    callerKinds.map((kind) => [kind, { a: of(kind, 'a'), b: of(kind, 'b') }]),
  ) as Callers;
}

export async function createCaller(
  world: AccessFixture,
  kind: CallerKind,
  realm: RealmName,
): Promise<Caller> {
  const { pair, applications } = world.realm(realm);
  const [first, second] = applications;
  const { reaches, user, rights, permissions }: Rule = rules[kind];
  const email = world.learners[0];
  const bound = {
    ...(user && { user_email: email }),
    ...(permissions && { permissions }),
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
    kind,
    realm,
    rights,
    access: kind.startsWith('key') ? await key() : origin,
    applications: reaches === 'realm' ? [first.id, second.id] : [first.id],
    user: user ? email : null,
    signature: `[${kind} of ${realm}]`,
  };
}
