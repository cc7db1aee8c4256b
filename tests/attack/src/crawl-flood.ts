import type { Attack } from './attack.ts';
import { bystanderOf } from './bystander.ts';
import { compareWithCalm, roundsOf, tooMuchTaken } from './compare-with-calm.ts';
import { floodOf, startFlooding } from './flood.ts';
import { apiOf, form, HttpClient } from './http-client.ts';
import { launchCourse } from './launch-course.ts';
import { attackerAddresses } from './open-connections.ts';
import { createTenant } from './tenant.ts';

const clients = 20;
const registrationCount = 20;

/** Clients of one realm ask for crawls and wait for them, one after the other. */
export const crawlFlood: Attack = {
  name: 'crawl-flood',
  tried: `${clients} clients of one realm that crawl ${registrationCount} registrations by crawl=t without pause`,
  async run(target, options) {
    const tenant = await createTenant(target, 'crawl-flood');
    const client = new HttpClient(target, '127.0.1.1');
    for (let at = 0; at < registrationCount; at += 1) {
      await launchCourse(client, tenant, tenant.courseGuid);
    }
    client.close();
    const given = form({ ...tenant.pair, crawl: 't' }).toString();
    const calls = [{ url: `${apiOf(target)}/registration.json?${given}` }];
    const generator = await startFlooding();
    const addresses = attackerAddresses(4);
    const flood = floodOf(generator, { calls, addresses, offered: { clients } });
    try {
      const compared = await compareWithCalm(await bystanderOf(target), roundsOf(options), flood);
      return { violations: tooMuchTaken(compared), bystander: compared };
    } finally {
      generator.stop();
    }
  },
};
