import { type Load, LoadGenerator } from '@registrar/benchmarks/load';
import type { Attack } from './attack.ts';
import { bystanderOf } from './bystander.ts';
import { compareWithCalm, tooFewSuccesses, tooSlow } from './compare-with-calm.ts';
import { createKeys } from './create-keys.ts';
import { apiOf, form } from './http-client.ts';
import { attackerAddresses, openConnections } from './open-connections.ts';
import type { Target } from './target.ts';
import { createTenant, type Tenant } from './tenant.ts';

/** What the flooding realm may send, and a multiple of it: little enough for a busy machine to count. */
const sharePerSecond = 5;
const factor = 10;

const keyCount = 20;

/** Connections that the realm's clients hold besides, without sending anything. */
const idlePerAddress = 200;

const addresses = attackerAddresses(8);

const minSuccess = 0.99;
const maxRatio = 1.2;

const rounds = { short: { count: 5, seconds: 1.2 }, long: { count: 15, seconds: 10 } };

/** One realm sends ten times its share, with its pair and many keys, from many addresses. */
export const floods: Attack = {
  name: 'floods',
  tried: `${factor} times the share of a realm, by its pair and ${keyCount} keys, from ${addresses.length} addresses with ${idlePerAddress} idle connections each`,
  async run(target, { long }) {
    const flooding = await createTenant(target, 'flood');
    // Keys are made before the limit holds, which would refuse so many at once.
    const calls = await callsOf(target, flooding);
    await target.registrar(
      ...['realm', 'limits', flooding.realmGuid],
      ...['--requests-per-second', String(sharePerSecond)],
    );
    const size = rounds[long ? 'long' : 'short'];
    const generator = await LoadGenerator.start();
    generator.yieldProcessor();
    const offer =
      (perSecond: number, seconds = size.seconds) =>
      async () => {
        const flood = generator.offer({ calls, addresses, seconds, offered: { perSecond } });
        return async () => void (await flood);
      };
    const idle = await openConnections(apiOf(target), {
      ...{ addresses, perAddress: idlePerAddress, bytes: '' },
    });
    try {
      const bystander = await bystanderOf(target);
      // Spends what the realm may send at once.
      await (
        await offer(sharePerSecond * factor, 1)()
      )();
      const compared = await compareWithCalm(
        ...([bystander, size] as const),
        offer(sharePerSecond * factor),
        offer(sharePerSecond),
      );
      const violations = [...tooFewSuccesses(compared, minSuccess), ...tooSlow(compared, maxRatio)];
      return { violations, bystander: compared };
    } finally {
      generator.stop();
      idle.close();
    }
  },
};

/** Reads and writes, each with one of many keys or the pair. */
async function callsOf(target: Target, tenant: Tenant): Promise<Load['calls']> {
  const keys = await createKeys(target, tenant, keyCount);
  const base = apiOf(target);
  return [tenant.pair, ...keys].flatMap((access) => {
    const given = form(access).toString();
    const learner = { course_guid: tenant.courseGuid, learner_id: 'LEARNER@example.com' };
    return [
      { url: `${base}/registration.json?${given}&last_only=t` },
      { url: `${base}/course.json?${given}` },
      { url: `${base}/registration.json`, body: form({ ...access, ...learner }).toString() },
    ];
  });
}
