import { afterAll } from 'vitest';
import { deleteNamespace } from './testing/index.ts';
import { findBroker, testLogger } from '@registrar/testing';
import { describeWith } from '@registrar/testing/suites';
import { randomBytes } from 'node:crypto';
import { describeBus } from './bus.fixture.ts';
import { inProcessTransport } from './in-process/in-process-transport.ts';
import { rabbitMqTransport } from './rabbitmq/rabbitmq-transport.ts';

describeBus('the in-process transport', () => inProcessTransport());

describeWith(await findBroker(), 'the bus in a namespace of a RabbitMQ', (url) => {
  const namespace = `test-${randomBytes(6).toString('hex')}`;
  const { logger } = testLogger('bus');
  describeBus('RabbitMQ', () => rabbitMqTransport({ url, namespace, logger, accounts: 'shared' }));
  afterAll(() => deleteNamespace(url, namespace));
});
