import { once } from 'node:events';
import { connect, type Socket } from 'node:net';

/** Connections that an attacker holds. */
export interface HeldConnections {
  readonly sockets: readonly Socket[];
  /** How many of them the server has not closed. */
  open(): number;
  close(): void;
}

/**
 * Opens connections to a server on this machine from several addresses, and sends the same bytes
 * on each of them. Nothing is read.
 *
 * @param addresses of the loopback interface, such as 127.0.0.3
 */
export async function openConnections(
  url: string,
  {
    addresses,
    perAddress,
    bytes,
  }: {
    readonly addresses: readonly string[];
    readonly perAddress: number;
    readonly bytes: string;
  },
): Promise<HeldConnections> {
  const port = Number(new URL(url).port);
  const sockets = await Promise.all(
    addresses.flatMap((localAddress) =>
      Array.from({ length: perAddress }, async () => {
        const socket = connect({ port, host: '127.0.0.1', localAddress });
        socket.pause();
        socket.on('error', () => undefined);
        await Promise.race([once(socket, 'connect'), once(socket, 'close')]);
        if (!socket.destroyed) socket.write(bytes);
        return socket;
      }),
    ),
  );
  return {
    sockets,
    open: () =>
      sockets.filter(({ destroyed, readableEnded }) => !destroyed && !readableEnded).length,
    close: () => sockets.forEach((socket) => socket.destroy()),
  };
}

/** So many addresses of the loopback interface. Attackers have those from 127.0.1.1 on. */
export const attackerAddresses = (count: number): string[] =>
  Array.from({ length: count }, (_, at) => `127.0.1.${at + 1}`);
