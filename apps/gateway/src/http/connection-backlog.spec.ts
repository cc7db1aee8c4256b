import { afterAll, beforeAll, expect, it } from 'vitest';
import { execFileSync } from 'node:child_process';
import { type GatewayFixture, startGatewayFixture } from '../gateway.fixture.ts';

const clients = 2_000;
/** A client whose first packet is dropped repeats it as long as the gateway accepts none. */
const withinMs = 20_000;

/** Opens connections, and prints how many were established. */
const openAll = `
  const { connect } = require('node:net');
  const [port, clients, withinMs] = process.argv.slice(1).map(Number);
  let established = 0;
  const end = () => {
    process.stdout.write(String(established));
    process.exit();
  };
  for (let count = 0; count < clients; count += 1) {
    const socket = connect(port, '127.0.0.1', () => {
      established += 1;
      if (established === clients) end();
    });
    socket.on('error', end);
  }
  setTimeout(end, withinMs);`;

let gateway: GatewayFixture;
beforeAll(async () => {
  gateway = await startGatewayFixture();
});
afterAll(() => gateway.stop());

it.skipIf(process.platform !== 'linux')(
  'lets thousands of clients connect while the event loop is busy',
  () => {
    const { port } = new URL(gateway.base);
    // The gateway runs in this process, which waits for the clients' process.
    const established = execFileSync(
      process.execPath,
      ['-e', openAll, port, String(clients), String(withinMs)],
      { encoding: 'utf8' },
    );
    expect(established).toBe(String(clients));
  },
);
