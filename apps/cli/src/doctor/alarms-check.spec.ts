import { afterAll, beforeAll, expect, it } from 'vitest';
import { DedicatedBroker, findBrokerInstallation } from '@registrar/testing';
import { describeWith } from '@registrar/testing/suites';
import { alarmsCheck } from './alarms-check.ts';
import { fail, ok } from './check.ts';

describeWith(findBrokerInstallation(), 'the check of alarms', () => {
  let broker: DedicatedBroker;
  beforeAll(async () => {
    broker = await DedicatedBroker.start();
  });
  afterAll(() => broker?.dispose());

  const remedy =
    'find the node with rabbitmq-diagnostics alarms, and give it more disk space or memory';

  it('names the resource that a blocking broker lacks', async () => {
    const { look } = alarmsCheck(broker.url);
    await broker.raiseDiskAlarm();
    expect(await look()).toEqual(fail('RabbitMQ blocks publishers: low on disk', remedy));
    await broker.endDiskAlarm();
    await broker.raiseMemoryAlarm();
    expect(await look()).toEqual(fail('RabbitMQ blocks publishers: low on memory', remedy));
    await broker.endMemoryAlarm();
    expect(await look()).toEqual(ok('it accepts messages'));
  });
});
