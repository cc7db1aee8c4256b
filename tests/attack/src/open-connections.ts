import { once } from 'node:events';
import type { OpenedConnections } from './connections-process.ts';
import { forkAttacker, killAttacker } from './fork-attacker.ts';

/** Connections that an attacker holds. */
export interface HeldConnections {
  close(): Promise<void>;
}

/**
 * Opens connections to a server on this machine from several addresses, and sends the same bytes
 * on each of them. Nothing is read.
 *
 * @param url of the server
 */
export async function openConnections(
  url: string,
  connections: Omit<OpenedConnections, 'port'>,
): Promise<HeldConnections> {
  const attacker = await forkAttacker('connections-process');
  const opened = once(attacker, 'message');
  attacker.send({ port: Number(new URL(url).port), ...connections } satisfies OpenedConnections);
  await opened;
  return { close: () => killAttacker(attacker) };
}

/** So many addresses of the loopback interface. Attackers have those from 127.0.1.1 on. */
export const attackerAddresses = (count: number): string[] =>
  Array.from({ length: count }, (_, at) => `127.0.1.${at + 1}`);
