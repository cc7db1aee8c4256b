import { describe, expect, it } from '@jest/globals';
import * as contracts from '@registrar/contracts';
import { brokerUsers } from './broker-users.ts';

type Sent = contracts.RequestContract | contracts.ListContract;

const isSent = (value: unknown): value is Sent =>
  typeof value === 'object' && value !== null && 'callers' in value;

const exported: readonly unknown[] = Object.values(contracts);
const ofParkedEvents: readonly unknown[] = Object.values(contracts.parkedEventRequests).flatMap(
  (requests) => Object.values(requests),
);
const sent = [...exported, ...ofParkedEvents].filter(isSent);

describe('the declarations of senders', () => {
  it.each(contracts.busApps)('%s declares the contexts whose requests it may send', (app) => {
    const asked = sent.filter(({ callers }) => callers.includes(app));
    expect(new Set(brokerUsers[app])).toEqual(new Set(asked.map(({ context }) => context)));
  });

  it('leaves the requests of an administrator to the operator', () => {
    const { issueApiKey, createRealm, rotateRealmSecret, putApplication } = contracts;
    for (const { callers } of [issueApiKey, createRealm, rotateRealmSecret, putApplication]) {
      expect(callers).toEqual(['operator']);
    }
  });
});
