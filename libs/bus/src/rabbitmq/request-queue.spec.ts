import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { eventually } from '@registrar/testing';
import { Controller, Inject } from '@nestjs/common';
import { once } from 'node:events';
import { Socket } from 'node:net';
import { greet, listenerHandlers, repeat, unanswered, wait } from '../bus-apps.fixture.ts';
import { type BusSystem, failureOf, startBusSystem, within } from '../bus-system.fixture.ts';
import { BusClient } from '../bus-client.ts';
import { BusServer } from '../bus-server.ts';
import { HandleRequest } from '../handlers.ts';
import { describeWithBroker, openTestBroker, type TestBroker } from './broker.fixture.ts';
import { prefetch } from './request-queue-consumer.ts';

/** The maximum length of a request queue (topology.ts). */
const queueLength = 2_000;

const tooLarge = 16 * 1024 * 1024;

@Controller()
class Unanswered {
  constructor(@Inject(BusClient) private readonly bus: BusClient) {}
  @HandleRequest(unanswered)
  async answer() {
    await this.bus.request(greet, { name: 'Ada' });
    return {};
  }
}

describeWithBroker('requests over RabbitMQ', (url) => {
  let broker: TestBroker;
  let system: BusSystem;
  let undelayed = 0;

  beforeAll(async () => {
    const setNoDelay = vi.spyOn(Socket.prototype, 'setNoDelay');
    broker = await openTestBroker(url);
    system = await startBusSystem(broker.transport());
    undelayed = setNoDelay.mock.calls.filter(([noDelay]) => noDelay === true).length;
  });
  afterAll(async () => {
    await system.stopAll();
    await broker.close();
  });

  it('requests over RabbitMQ fail at once: overloaded with a full queue, unavailable without a queue', async () => {
    const { channel, topology } = broker;
    const queue = await topology.declareRequestQueue(channel, unanswered.context);
    for (let message = 0; message < queueLength; message += 1) {
      channel.sendToQueue(queue, Buffer.from('[]'));
    }
    await eventually('the queue is full', async () => {
      const { messageCount } = await channel.checkQueue(queue);
      return messageCount === queueLength;
    });
    expect(await failureOf(system.bus.request(unanswered, {}))).toMatchObject({
      code: 'overloaded',
      retriable: true,
    });
    await channel.deleteQueue(queue);
    expect(await failureOf(system.bus.request(unanswered, {}))).toMatchObject({
      code: 'unavailable',
    });
  });

  it('requests over RabbitMQ wait for a starting context, whose handler may send requests at once', async () => {
    const { channel, topology } = broker;
    const queue = await topology.declareRequestQueue(channel, unanswered.context);
    const answered = system.bus.request(unanswered, {});
    await eventually('the request is queued', async () => {
      const { messageCount } = await channel.checkQueue(queue);
      return messageCount === 1;
    });
    // Its broadcast listener opens its channel last, when the request is already queued.
    const controllers = [Unanswered, listenerHandlers(system.probe, 'late')];
    const late = await system.start(unanswered.context, controllers, { databaseUrl: null });
    expect(await answered).toEqual({});
    await system.stop(late);
    await channel.deleteQueue(queue);
  });

  it('an app knows how many messages wait in its request queue, and one without a queue knows nothing', async () => {
    const { catalog, gateway, bus, signals } = system;
    expect(await catalog.get(BusServer).waitingMessages()).toBe(0);
    expect(await gateway.get(BusServer).waitingMessages()).toBeNull();
    const running: Promise<unknown>[] = [];
    // One after the other, so that each is a message of its own.
    for (let message = 0; message < prefetch; message += 1) {
      const begun = once(signals, 'waiting held');
      running.push(bus.request(wait, { until: 'held' }));
      await begun;
    }
    const { channel, topology } = broker;
    for (let message = 0; message < 5; message += 1) {
      channel.sendToQueue(topology.requestQueue('catalog'), Buffer.from('[]'));
    }
    await eventually('five messages wait', async () => {
      return (await catalog.get(BusServer).waitingMessages()) === 5;
    });
    signals.emit('held');
    await Promise.all(running);
    await eventually('the queue is empty again', async () => {
      return (await catalog.get(BusServer).waitingMessages()) === 0;
    });
  });

  it('requests of the operator and of apps share the limit of 64 that run at a time', async () => {
    const { bus, operator, signals } = system;
    const begun = once(signals, 'waiting the last');
    const running = Array.from({ length: 64 }, (_request, index) =>
      bus.request(wait, { until: index === 63 ? 'the last' : 'the others' }),
    );
    await begun;
    const early = within(500, () => operator.request(greet, { name: 'Ada' }));
    expect(await failureOf(early)).toMatchObject({ code: 'expired' });
    const waiting = operator.request(greet, { name: 'Bob' });
    signals.emit('the others');
    expect(await waiting).toMatchObject({ text: 'Hello Bob' });
    signals.emit('the last');
    await Promise.all(running);
  });

  it('requests over RabbitMQ accept a deadline with a fraction of a millisecond', async () => {
    const reply = within(5_000.5, () => system.bus.request(greet, { name: 'Ada' }));
    expect(await reply).toMatchObject({ text: 'Hello Ada' });
  });

  it('requests over RabbitMQ are handled in spite of malformed messages in the queue', async () => {
    const queue = broker.topology.requestQueue('catalog');
    for (const noise of ['noise', '{}', '[{"id": 1}]', '[null]', '']) {
      broker.channel.sendToQueue(queue, Buffer.from(noise));
    }
    expect(await system.bus.request(greet, { name: 'Ada' })).toMatchObject({ text: 'Hello Ada' });
  });

  it('requests over RabbitMQ fail as internal when they or their replies are too large, without affecting others', async () => {
    const { bus, log } = system;
    const beside = bus.request(greet, { name: 'Ada' });
    const sent = bus.request(repeat, { text: 'x'.repeat(tooLarge), times: 0 });
    expect(await failureOf(sent)).toMatchObject({ code: 'internal' });
    const replied = bus.request(repeat, { text: 'x', times: tooLarge });
    expect(await failureOf(replied)).toMatchObject({ code: 'internal' });
    expect(await beside).toMatchObject({ text: 'Hello Ada' });
    const large = await bus.request(repeat, { text: 'x', times: 1024 * 1024 });
    expect(large.text).toHaveLength(1024 * 1024);
    expect(JSON.stringify(log.lines())).not.toContain('was lost');
  });

  it('requests over RabbitMQ are sent without delay: every connection of an app sets TCP_NODELAY', () => {
    const apps = 4;
    expect(undelayed).toBeGreaterThanOrEqual(apps);
  });
});
