import { afterEach, expect, it } from 'vitest';
import { eventually, startTcpProxy, testLogger } from '@registrar/testing';
import { describeWithBroker } from './broker.fixture.ts';
import { RabbitMqConnection } from './connection.ts';
import type { ChannelOwner } from './owned-channel.ts';

describeWithBroker('the connection to RabbitMQ', (url) => {
  let connection: RabbitMqConnection;
  afterEach(() => connection.close());

  const callNothing = () => (undefined as unknown as () => never)();
  const connect = (address: string, openChannel: ChannelOwner['openChannel']) => {
    const log = testLogger('bus');
    connection = new RabbitMqConnection(address, 'gateway', 'registrar', log.logger);
    connection.add({ purpose: 'a suite', openChannel, channelLost: () => undefined });
    return log;
  };

  it('ends the start by an error of the program, and does not repeat it', async () => {
    const log = connect(url, async () => callNothing());
    await expect(connection.open()).rejects.toThrow(TypeError);
    expect(log.lines()).toEqual([]);
  });

  it('logs an error of the program during a reconnect with its stack, and tries again', async () => {
    const proxy = await startTcpProxy(url);
    let opened = 0;
    const log = connect(proxy.url, async () => {
      opened += 1;
      if (opened === 2) callNothing();
    });
    await connection.open();
    const reconnected = new Promise<void>((resolve) => connection.onReconnect(resolve));
    proxy.cut();
    await eventually('the loss is logged', () => log.lines().length > 0);
    proxy.restore();
    await reconnected;
    expect(log.lines().filter(({ level }) => level === 'error')).toMatchObject([
      { msg: 'a channel to RabbitMQ failed and will be opened again', err: { type: 'TypeError' } },
    ]);
    await proxy.close();
  });
});
