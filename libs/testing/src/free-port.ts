import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:net';

/**
 * Ports below those that systems choose for connections, and for servers that leave the choice to them (Linux,
 * `net.ipv4.ip_local_port_range`): until its server has started, nobody else is given the port.
 */
const ports = { first: 20_000, last: 32_767 } as const;

/** Those that were used, or that this process has returned and may not use yet. */
const taken = new Set<number>();

/** Returns an unused TCP port of the loopback interface, and each one once. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(ports.first, ports.last + 1);
    if (taken.has(port)) continue;
    taken.add(port);
    if (await isFree(port)) return port;
  }
}

async function isFree(port: number): Promise<boolean> {
  const probe = createServer();
  try {
    await once(probe.listen(port, '127.0.0.1'), 'listening');
  } catch {
    return false;
  }
  probe.close();
  await once(probe, 'close');
  return true;
}
