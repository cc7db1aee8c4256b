import { expect, it } from 'vitest';
import { DedicatedBroker, findBrokerInstallation } from '@registrar/testing';
import { describeWith } from '@registrar/testing/suites';
import { connect } from 'amqplib';
import { countEvents, deleteQueues } from './empty-queues.ts';

const namespace = 'drill';
const contexts = ['identity', 'catalog', 'enrolment', 'crawler', 'provider'];

describeWith(findBrokerInstallation(), 'the deletion of queues before a restore', () => {
  it('the deletion goes on when a queue of requests expires between its listing and its deletion', async () => {
    const broker = await DedicatedBroker.start();
    const connection = await connect(broker.url);
    try {
      const channel = await connection.createChannel();
      for (const context of contexts) {
        await channel.assertQueue(`${namespace}.events.${context}`);
      }
      channel.sendToQueue(`${namespace}.events.enrolment`, Buffer.from('[]'));
      await channel.assertQueue('expired', { durable: true });
      const control = async (...words: string[]) => {
        const listed = await broker.control(...words);
        if (words[0] === 'list_queues') await channel.deleteQueue('expired');
        return listed;
      };
      expect(await countEvents(broker.url, namespace)).toBe(1);
      await deleteQueues({ url: broker.url, control });
      const names = ['list_queues', '--quiet', '--no-table-headers', 'name'] as const;
      expect(await broker.control(...names)).toBe('');
    } finally {
      await connection.close();
      await broker.dispose();
    }
  });
});
