import { afterAll, beforeAll, expect, it } from 'vitest';
import { connect } from 'amqplib';
import { once } from 'node:events';
import { DedicatedBroker } from './dedicated-broker.ts';
import { findBrokerInstallation } from './external-services.ts';
import { describeWith } from './suites.ts';

describeWith(findBrokerInstallation(), 'a dedicated RabbitMQ broker', () => {
  let broker: DedicatedBroker;
  beforeAll(async () => {
    broker = await DedicatedBroker.start();
  });
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

  it('blocks publishers during a memory alarm, and accepts messages after it', async () => {
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

  it('keeps confirmed messages when it is stopped or killed', async () => {
    await broker.stopApp();
    await expect(connect(broker.url)).rejects.toThrow();
    await broker.startApp();
    await broker.killNode();
    await broker.startNode();
    const connection = await connected();
    const channel = await connection.createChannel();
    expect(await channel.checkQueue('kept')).toMatchObject({ messageCount: 1 });
    await connection.close();
  });
});
