import { once } from 'node:events';
import { createServer } from 'node:net';
import { expect, it } from 'vitest';
import { freePort } from './free-port.ts';

it('free ports are below those that the system chooses, and none is returned twice', async () => {
  const chosen = createServer().listen(0, '127.0.0.1');
  await once(chosen, 'listening');
  const address = chosen.address();
  const ports = await Promise.all(Array.from({ length: 100 }, freePort));
  expect(new Set(ports).size).toBe(100);
  expect(Math.max(...ports)).toBeLessThan(
    typeof address === 'object' && address ? address.port : 0,
  );
  const server = createServer().listen(ports[0], '127.0.0.1');
  await once(server, 'listening');
  server.close();
  chosen.close();
});
