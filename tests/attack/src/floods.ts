import type { Load } from '@registrar/benchmarks/load';
import type { Attack } from './attack.ts';
import { bystanderOf } from './bystander.ts';
import { compareWithCalm, roundsOf, tooMuchTaken } from './compare-with-calm.ts';
import { createKeys } from './create-keys.ts';
import { floodOf, startFlooding } from './flood.ts';
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

/** One realm sends ten times its share, with its pair and many keys, from many addresses. */
export const floods: Attack = {
  name: 'floods',
  tried: `${factor} times the share of a realm, by its pair and ${keyCount} keys, from ${addresses.length} addresses with ${idlePerAddress} idle connections each`,
  async run(target, options) {
    const flooding = await createTenant(target, 'flood');
    // Keys are made before the limit holds, which would refuse so many at once.
    const calls = await callsOf(target, flooding);
    await target.registrar(
      ...['realm', 'limits', flooding.realmGuid],
      ...['--requests-per-second', String(sharePerSecond)],
    );
    const generator = await startFlooding();
    const offer = (perSecond: number) =>
      floodOf(generator, { calls, addresses, offered: { perSecond } });
    const idle = await openConnections(apiOf(target), {
      addresses,
      perAddress: idlePerAddress,
      bytes: '',
    });
    try {
      const bystander = await bystanderOf(target);
      // Spends what the realm may send at once.
      await (
        await offer(sharePerSecond * factor)(1)
      )();
      const compared = await compareWithCalm(
        bystander,
        roundsOf(options),
        offer(sharePerSecond * factor),
        offer(sharePerSecond),
      );
      return { violations: tooMuchTaken(compared), bystander: compared };
    } finally {
      generator.stop();
      await idle.close();
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
