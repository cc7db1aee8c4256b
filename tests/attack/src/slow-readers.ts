import type { Attack } from './attack.ts';
import { bystanderOf } from './bystander.ts';
import { compareWithCalm, roundsOf, tooMuchTaken } from './compare-with-calm.ts';
import { longListTenant } from './long-list-tenant.ts';
import { apiOf, form } from './http-client.ts';
import { attackerAddresses, openConnections } from './open-connections.ts';

const addresses = attackerAddresses(4);
const perAddress = 40;

/** Clients of one realm request long lists, and do not read them. */
export const slowReaders: Attack = {
  name: 'slow-readers',
  tried: `${addresses.length * perAddress} lists of one realm that nobody reads, from ${addresses.length} addresses`,
  async run(target, options) {
    const tenant = await longListTenant(target);
    const path = `${new URL(apiOf(target)).pathname}/registration.json?${form(tenant.pair).toString()}`;
    const bytes = `GET ${path} HTTP/1.1\r\nhost: localhost\r\n\r\n`;
    const bystander = await bystanderOf(target);
    const compared = await compareWithCalm(bystander, roundsOf(options), async () => {
      const held = await openConnections(apiOf(target), { addresses, perAddress, bytes });
      return () => held.close();
    });
    return { violations: tooMuchTaken(compared), bystander: compared };
  },
};
