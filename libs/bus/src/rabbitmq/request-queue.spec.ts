import { afterAll, beforeAll, expect, it, jest } from '@jest/globals';
import { Controller, Inject } from '@nestjs/common';
import { Socket } from 'node:net';
import { greet, listenerHandlers, repeat, unanswered } from '../bus-apps.fixture.ts';
import { type BusSystem, failureOf, startBusSystem, until, within } from '../bus-system.fixture.ts';
import { BusClient } from '../client.ts';
import { HandleRequest } from '../handlers.ts';
import { describeWithBroker, openTestBroker, type TestBroker } from './broker.fixture.ts';

/** How many messages a request queue takes (topology.ts). */
const queueLength = 2_000;

const tooLarge = 16 * 1024 * 1024;

describeWithBroker('a request over RabbitMQ', (url) => {
  let broker: TestBroker;
  let system: BusSystem;
  const undelayed = jest.spyOn(Socket.prototype, 'setNoDelay');

  beforeAll(async () => {
    broker = await openTestBroker(url);
    system = await startBusSystem(broker.transport());
  });
  afterAll(async () => {
    undelayed.mockRestore();
    await system.stopAll();
    await broker.close();
  });

  it('is turned away at once by a full queue, and by one that nobody reads', async () => {
    const { channel, topology } = broker;
    const queue = await topology.declareRequestQueue(channel, unanswered.context);
    for (let message = 0; message < queueLength; message += 1) {
      channel.sendToQueue(queue, Buffer.from('[]'));
    }
    await until(async () => (await channel.checkQueue(queue)).messageCount === queueLength);
    expect(await failureOf(system.bus.request(unanswered, {}))).toMatchObject({
      code: 'overloaded',
      retriable: true,
    });
    await channel.deleteQueue(queue);
    expect(await failureOf(system.bus.request(unanswered, {}))).toMatchObject({
      code: 'unavailable',
    });
  });

  it('that waited for its context is answered with the help of others, at once', async () => {
    const { channel, topology } = broker;
    const queue = await topology.declareRequestQueue(channel, unanswered.context);
    const answered = system.bus.request(unanswered, {});
    await until(async () => (await channel.checkQueue(queue)).messageCount === 1);
    @Controller()
    class Asking {
      constructor(@Inject(BusClient) private readonly bus: BusClient) {}
      @HandleRequest(unanswered)
      async answer() {
        await this.bus.request(greet, { name: 'Ada' });
        return {};
      }
    }
    // Its listener is set up last, while the request is there already.
    const controllers = [Asking, listenerHandlers(system.stage, 'late')];
    const late = await system.start(unanswered.context, controllers, { databaseUrl: null });
    expect(await answered).toEqual({});
    await system.stop(late);
  });

  it('may have a deadline between two milliseconds', async () => {
    const reply = within(5_000.5, () => system.bus.request(greet, { name: 'Ada' }));
    expect(await reply).toMatchObject({ text: 'Hello Ada' });
  });

  it('is not disturbed by noise in its queue', async () => {
    const queue = broker.topology.requestQueue('catalog');
    for (const noise of ['noise', '{}', '[{"id": 1}]', '[null]', '']) {
      broker.channel.sendToQueue(queue, Buffer.from(noise));
    }
    expect(await system.bus.request(greet, { name: 'Ada' })).toMatchObject({ text: 'Hello Ada' });
  });

  it('fails alone when it or its reply is larger than a message may be', async () => {
    const { bus, log } = system;
    const beside = bus.request(greet, { name: 'Ada' });
    const asked = bus.request(repeat, { text: 'x'.repeat(tooLarge), times: 0 });
    expect(await failureOf(asked)).toMatchObject({ code: 'internal' });
    const replied = bus.request(repeat, { text: 'x', times: tooLarge });
    expect(await failureOf(replied)).toMatchObject({ code: 'internal' });
    expect(await beside).toMatchObject({ text: 'Hello Ada' });
    const large = await bus.request(repeat, { text: 'x', times: 1024 * 1024 });
    expect(large.text).toHaveLength(1024 * 1024);
    expect(JSON.stringify(log.lines())).not.toContain('was lost');
  });

  it('leaves at once: no connection of an app delays small packets', () => {
    const apps = 4;
    const sure = undelayed.mock.calls.filter(([noDelay]) => noDelay === true);
    expect(sure.length).toBeGreaterThanOrEqual(apps);
  });
});
