import type { Load } from '@registrar/benchmarks/load';
import { postbackUserName } from '@registrar/contracts';
import type { Attack } from './attack.ts';
import { bystanderOf } from './bystander.ts';
import { compareWithCalm, roundsOf, tooMuchTaken } from './compare-with-calm.ts';
import { floodOf, startFlooding } from './flood.ts';
import { apiOf, form, HttpClient } from './http-client.ts';
import { launchCourse } from './launch-course.ts';
import { attackerAddresses } from './open-connections.ts';
import type { Target } from './target.ts';
import { createTenant, type Tenant } from './tenant.ts';

const perSecond = 200;
const registrationCount = 20;
const addresses = attackerAddresses(4);

/** Postbacks of one provider application: valid ones, the same ones again and again, and forged ones. */
export const postbackFlood: Attack = {
  name: 'postback-flood',
  tried: `${perSecond} postbacks a second of one provider application: half of them valid for ${registrationCount} registrations, a quarter for one, a quarter forged`,
  async run(target, options) {
    const tenant = await createTenant(target, 'postback-flood');
    const calls = await callsOf(target, tenant);
    const generator = await startFlooding();
    const flood = floodOf(generator, { calls, addresses, offered: { perSecond } });
    try {
      const compared = await compareWithCalm(await bystanderOf(target), roundsOf(options), flood);
      return { violations: tooMuchTaken(compared), bystander: compared };
    } finally {
      generator.stop();
    }
  },
};

async function callsOf(target: Target, tenant: Tenant): Promise<Load['calls']> {
  const client = new HttpClient(target, '127.0.1.1');
  const registrations: string[] = [];
  for (let at = 0; at < registrationCount; at += 1) {
    registrations.push((await launchCourse(client, tenant, tenant.courseGuid)).registration);
  }
  client.close();
  const url = new URL(`/postbacks/${tenant.applicationId}`, apiOf(target)).href;
  const postback = (id: string, password: string) => ({
    url,
    body: form({ data: JSON.stringify({ id }), username: postbackUserName, password }).toString(),
  });
  const { sc_secret_key: secret } = tenant.providerPair;
  return registrations.flatMap((id, at) => [
    postback(id, secret),
    postback(id, secret),
    postback(registrations[0]!, secret),
    postback(id, `forged-${at}`),
  ]);
}
