import type { Attack } from './attack.ts';
import { Bystander } from './bystander.ts';
import { compareWithCalm, roundsOf, tooMuchTaken } from './compare-with-calm.ts';
import { createKeys } from './create-keys.ts';
import { floodOf, startFlooding } from './flood.ts';
import { apiOf, form } from './http-client.ts';
import { attackerAddresses } from './open-connections.ts';
import { createTenant } from './tenant.ts';

/** Requests per second of the realm, and what the user sends: much more than the realm may. */
const realmPerSecond = 100;
const floodPerSecond = 300;

const clients = 200;

/**
 * A user sends as much as they can with two keys; the rest of their realm goes on. First without a limit
 * of the realm, then with one.
 */
export const selfCompetition: Attack = {
  name: 'self-competition',
  tried: `${clients} clients with two keys of one user, and ${floodPerSecond} requests a second of them in a realm that may send ${realmPerSecond}; the bystander is the rest of the realm`,
  async run(target, options) {
    const realm = await createTenant(target, 'self-competition');
    const keys = await createKeys(target, realm, 2, { user_email: 'greedy@example.com' });
    const calls = keys.flatMap((key) => {
      const given = form(key).toString();
      return [
        { url: `${apiOf(target)}/registration.json?${given}&last_only=t` },
        { url: `${apiOf(target)}/course.json?${given}` },
      ];
    });
    const rest = await Bystander.start(target, realm);
    const generator = await startFlooding();
    const addresses = attackerAddresses(4);
    const compareDuring = (offered: { clients: number } | { perSecond: number }) =>
      compareWithCalm(rest, roundsOf(options), floodOf(generator, { calls, addresses, offered }));
    try {
      const places = await compareDuring({ clients });
      await target.registrar(
        ...['realm', 'limits', realm.realmGuid],
        ...['--requests-per-second', String(realmPerSecond)],
      );
      const rate = await compareDuring({ perSecond: floodPerSecond });
      const share = ({ successes, requests }: typeof rate) =>
        `${((100 * successes) / requests).toFixed(1)} %`;
      return {
        violations: [...tooMuchTaken(places), ...tooMuchTaken(rate)],
        bystander: places,
        detail: `with a limit of the realm, ${share(rate)} of its other requests succeeded, p95 ${rate.p95Ms.toFixed(0)} (${rate.calmP95Ms.toFixed(0)}) ms`,
      };
    } finally {
      generator.stop();
    }
  },
};
