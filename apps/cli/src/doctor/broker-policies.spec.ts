import { describe, expect, it } from 'vitest';
import { type Governed, policyChanges } from './broker-policies.ts';
import type { BrokerPolicy } from './management-api.ts';

const requests: Governed = {
  name: 'registrar.requests.catalog',
  kind: 'classic',
  arguments: { 'x-max-length': 2_000, 'x-overflow': 'reject-publish' },
};
const events: Governed = {
  name: 'registrar.events.catalog',
  kind: 'quorum',
  arguments: { 'x-delivery-limit': 50, 'x-dead-letter-exchange': '' },
};
const exchange: Governed = { name: 'registrar.rpc', kind: 'exchange', arguments: {} };

const policy = (
  definition: BrokerPolicy['definition'],
  { name = 'given', pattern = '.*', applyTo = 'all', priority = 0 } = {},
): BrokerPolicy => ({ name, pattern, 'apply-to': applyTo, definition, priority });

/** What they change, as `policy key: names`. */
const changed = (...policies: BrokerPolicy[]) =>
  policyChanges(policies, [requests, events, exchange]).map(
    ({ policy: { name }, key, names }) => `${name} ${key}: ${names.join(' ')}`,
  );

describe('a policy at the broker', () => {
  it('changes limits that are lower than those of a queue, or that it has none of', () => {
    expect(changed(policy({ 'max-length': 2_000 }))).toEqual([`given max-length: ${events.name}`]);
    expect(changed(policy({ 'max-length': 1_999 }))).toEqual([
      `given max-length: ${requests.name} ${events.name}`,
    ]);
    expect(changed(policy({ 'delivery-limit': 50 }))).toEqual([]);
    expect(changed(policy({ 'delivery-limit': 20 }))).toEqual([
      `given delivery-limit: ${events.name}`,
    ]);
  });

  it('changes no choice that a queue has made', () => {
    const choices = { overflow: 'drop-head', 'dead-letter-exchange': 'other' };
    expect(changed(policy(choices))).toEqual([
      `given dead-letter-exchange: ${requests.name}`,
      `given overflow: ${events.name}`,
    ]);
  });

  it('changes where an exchange sends what has no queue', () => {
    const lost = { 'alternate-exchange': 'lost' };
    expect(changed(policy(lost))).toEqual([`given alternate-exchange: ${exchange.name}`]);
    expect(changed(policy(lost, { applyTo: 'queues' }))).toEqual([]);
  });

  it('a policy at the broker may do what nothing relies on', () => {
    expect(changed(policy({ 'ha-mode': 'all', 'queue-version': 2 }))).toEqual([]);
  });

  it('applies to the names and sorts that it is for', () => {
    const expires = { expires: 1 };
    expect(changed(policy(expires, { pattern: '^other' }))).toEqual([]);
    expect(changed(policy(expires, { applyTo: 'exchanges' }))).toEqual([]);
    expect(changed(policy(expires, { applyTo: 'classic_queues' }))).toEqual([
      `given expires: ${requests.name}`,
    ]);
    expect(changed(policy(expires, { applyTo: 'quorum_queues' }))).toEqual([
      `given expires: ${events.name}`,
    ]);
  });

  it('gives way to one of a higher priority', () => {
    const low = policy({ expires: 1 }, { name: 'low' });
    const high = policy({ 'message-ttl': 1 }, { name: 'high', priority: 1, pattern: 'events' });
    expect(changed(low, high)).toEqual([
      `low expires: ${requests.name}`,
      `high message-ttl: ${events.name}`,
    ]);
  });
});
