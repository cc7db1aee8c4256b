import { once } from 'node:events';
import { connect } from 'node:net';

/** Connections to a server on this machine, and what is sent on each of them. */
export interface OpenedConnections {
  readonly port: number;
  /** Of the loopback interface, such as 127.0.0.3. */
  readonly addresses: readonly string[];
  readonly perAddress: number;
  readonly bytes: string;
}

/** Opens connections, reads nothing of them, and holds them until it is killed. */
process.on('message', (opened: OpenedConnections) => {
  void open(opened).then(() => process.send?.('open'));
});
process.once('disconnect', () => process.exit());
process.send?.('ready');

async function open({ port, addresses, perAddress, bytes }: OpenedConnections): Promise<void> {
  await Promise.all(
    addresses.flatMap((localAddress) =>
      Array.from({ length: perAddress }, async () => {
        const socket = connect({ port, host: '127.0.0.1', localAddress });
        socket.pause();
        socket.on('error', () => undefined);
        await Promise.race([once(socket, 'connect'), once(socket, 'close')]);
        if (!socket.destroyed) socket.write(bytes);
      }),
    ),
  );
}
