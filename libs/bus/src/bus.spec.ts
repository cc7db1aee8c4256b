import { afterAll } from '@jest/globals';
import { brokerForTests, deleteNamespace, testLogger } from '#libs/testing';
import { randomBytes } from 'node:crypto';
import { describeBus } from './bus.fixture.ts';
import { inProcessTransport } from './in-process/in-process-transport.ts';
import { rabbitMqTransport } from './rabbitmq/rabbitmq-transport.ts';

describeBus('the in-process transport', () => inProcessTransport());

const url = await brokerForTests();
if (url) {
  const namespace = `test-${randomBytes(6).toString('hex')}`;
  const { logger } = testLogger('bus');
  describeBus('RabbitMQ', () => rabbitMqTransport({ url, namespace, logger }));
  afterAll(() => deleteNamespace(url, namespace));
}
