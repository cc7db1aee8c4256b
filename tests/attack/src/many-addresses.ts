import type { Attack } from './attack.ts';
import { bystanderOf } from './bystander.ts';
import { compareWithCalm, roundsOf, tooMuchTaken } from './compare-with-calm.ts';
import { apiOf } from './http-client.ts';
import { openConnections } from './open-connections.ts';

/** Together more than a server has connections; no address has more than it may. */
const addressCount = 17;
const perAddress = 250;
const addresses = Array.from({ length: addressCount }, (_, at) => `127.0.3.${at + 1}`);

/** Clients without access hold idle connections from many addresses. */
export const manyAddresses: Attack = {
  name: 'many-addresses',
  tried: `${addressCount * perAddress} idle connections to the gateway from ${addressCount} addresses; the bystander opens a new connection for each request`,
  async run(target, options) {
    const bystander = await bystanderOf(target);
    await bystander.setKeepAlive(false);
    try {
      const compared = await compareWithCalm(bystander, roundsOf(options), async () => {
        const held = await openConnections(apiOf(target), { addresses, perAddress, bytes: '' });
        return () => held.close();
      });
      return { violations: tooMuchTaken(compared), bystander: compared };
    } finally {
      await bystander.setKeepAlive(true);
    }
  },
};
