import type { Attack } from './attack.ts';
import { bystanderOf } from './bystander.ts';
import { compareWithCalm, roundsOf, tooMuchTaken } from './compare-with-calm.ts';
import { apiOf } from './http-client.ts';
import { attackerAddresses, openConnections } from './open-connections.ts';

/** Together more than the bodies that a server lets arrive at a time, and no address has too many connections. */
const addresses = attackerAddresses(5);
const perAddress = 130;

/** The head of a POST, and the first byte of its body. */
const stalled = (path: string) =>
  `POST ${path} HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/x-www-form-urlencoded\r\n` +
  'content-length: 60000\r\n\r\na';

/** Clients without access hold connections whose bodies never end. */
export const stalledBodies: Attack = {
  name: 'stalled-bodies',
  tried: `${addresses.length * perAddress} bodies of one byte at the gateway and at the provider, from ${addresses.length} addresses`,
  async run(target, options) {
    const bystander = await bystanderOf(target);
    const compared = await compareWithCalm(bystander, roundsOf(options), async () => {
      const held = await Promise.all(
        [
          { url: apiOf(target), path: new URL(`${apiOf(target)}/course.json`).pathname },
          { url: target.providerUrl, path: '/api/v2/courses/importJobs/upload?courseId=x' },
        ].map(({ url, path }) =>
          openConnections(url, { addresses, perAddress, bytes: stalled(path) }),
        ),
      );
      return async () => void (await Promise.all(held.map((connections) => connections.close())));
    });
    return { violations: tooMuchTaken(compared), bystander: compared };
  },
};
