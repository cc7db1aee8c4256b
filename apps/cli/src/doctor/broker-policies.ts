import type { QueueDeclaration } from '@registrar/bus';
import type { BrokerPolicy } from './management-api.ts';

/** Something that a policy can apply to. */
export interface Governed extends QueueDeclaration {
  readonly kind: 'exchange' | 'classic' | 'quorum';
}

/** Something that a policy changes in what we rely on. */
export interface PolicyChange {
  readonly policy: BrokerPolicy;
  readonly key: string;
  readonly names: readonly string[];
}

/** The lowest value counts, from a policy or from the queue's arguments. */
const limits = ['message-ttl', 'expires', 'max-length', 'max-length-bytes', 'delivery-limit'];

/** These a queue's own argument settles, if it has one. */
const choices = [
  'overflow',
  'dead-letter-exchange',
  'dead-letter-routing-key',
  'dead-letter-strategy',
];

/**
 * What policies of one sort change. Of those that match a name, the broker applies the one of the
 * highest priority, and any one where several have it.
 *
 * @throws {SyntaxError} for a pattern that JavaScript does not know
 */
export function policyChanges(
  policies: readonly BrokerPolicy[],
  governed: readonly Governed[],
): PolicyChange[] {
  const found = governed.flatMap((each) =>
    applied(policies, each).flatMap((policy) =>
      Object.entries(policy.definition)
        .filter(([key, value]) => changes(each, key, value))
        .map(([key]) => ({ policy, key, name: each.name })),
    ),
  );
  return [...Map.groupBy(found, ({ policy, key }) => `${policy.name} ${key}`).values()].map(
    (group) => ({ ...group[0]!, names: group.map(({ name }) => name) }),
  );
}

function applied(policies: readonly BrokerPolicy[], { name, kind }: Governed): BrokerPolicy[] {
  const places = kind === 'exchange' ? ['all', 'exchanges'] : ['all', 'queues', `${kind}_queues`];
  const matching = policies.filter(
    (policy) => places.includes(policy['apply-to']) && new RegExp(policy.pattern).test(name),
  );
  const highest = Math.max(...matching.map(({ priority }) => priority));
  return matching.filter(({ priority }) => priority === highest);
}

function changes({ kind, arguments: own }: Governed, key: string, value: unknown): boolean {
  if (kind === 'exchange') return key === 'alternate-exchange';
  // Classic queues know none.
  if (key === 'delivery-limit' && kind === 'classic') return false;
  const declared = own[`x-${key}`];
  if (limits.includes(key)) return declared === undefined || Number(value) < Number(declared);
  return choices.includes(key) && declared === undefined;
}
