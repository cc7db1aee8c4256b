import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { connect } from 'amqplib';
import { once } from 'node:events';
import { OwnBroker } from './own-broker.ts';
import { canStartBroker } from './services.ts';

const installed = canStartBroker();

describe('a broker of a suite’s own', () => {
  if (!installed) {
    it('is left out where no RabbitMQ is installed', () => expect(installed).toBe(false));
    return;
  }
  let broker: OwnBroker;
  beforeAll(async () => {
    broker = await OwnBroker.start();
  }, 90_000);
  afterAll(() => broker?.dispose());

  const connected = async () => {
    const connection = await connect(broker.url);
    connection.on('error', () => undefined);
    return connection;
  };

  it('closes all connections', async () => {
    const closed = once(await connected(), 'close');
    await broker.closeAllConnections();
    await closed;
  });

  it('blocks whoever publishes, and takes messages again', async () => {
    const connection = await connected();
    const channel = await connection.createConfirmChannel();
    await channel.assertQueue('kept', { durable: true });
    await broker.raiseMemoryAlarm();
    const blocked = once(connection, 'blocked');
    const unblocked = once(connection, 'unblocked');
    channel.sendToQueue('kept', Buffer.from('one'), { persistent: true });
    await blocked;
    await broker.endMemoryAlarm();
    await unblocked;
    await channel.waitForConfirms();
    await connection.close();
  });

  it('keeps what it has confirmed when it is stopped, and when it is killed', async () => {
    await broker.stopApp();
    await expect(connect(broker.url)).rejects.toThrow();
    await broker.startApp();
    await broker.killNode();
    await broker.startNode();
    const connection = await connected();
    const channel = await connection.createChannel();
    expect(await channel.checkQueue('kept')).toMatchObject({ messageCount: 1 });
    await connection.close();
  }, 90_000);
});
