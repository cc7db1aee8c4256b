import { afterEach, describe, expect, it, vi } from 'vitest';
import { BusClient, HandleRequest, inProcessTransport, type InputOf } from '@registrar/bus';
import { defineRequest } from '@registrar/contracts';
import { activity, clock, currentRequestContext, PeriodicTask } from '@registrar/platform';
import { eventually, testLogger } from '@registrar/testing';
import { Controller, Injectable, type Type } from '@nestjs/common';
import { AsyncLocalStorage } from 'node:async_hooks';
import { EventEmitter, once } from 'node:events';
import { setImmediate as nextTurn } from 'node:timers/promises';
import * as z from 'zod';
import { type StartedApp, startApp } from './start-app.ts';

const wait = defineRequest('catalog.wait', {
  callers: [],
  input: z.object({ until: z.string() }),
  reply: z.object({ released: z.boolean() }),
});

describe('an app', () => {
  const log = testLogger('catalog');
  const signals = new EventEmitter();
  const apps: StartedApp[] = [];
  afterEach(async () => {
    for (const app of apps.splice(0)) await app.stop();
  });

  @Controller()
  class Waits {
    @HandleRequest(wait)
    async wait({ until }: InputOf<typeof wait>) {
      signals.emit('waiting');
      await once(signals, until);
      return { released: true };
    }
  }

  const start = async (...providers: Type[]) => {
    const app = await startApp({
      name: 'catalog',
      module: { module: class {}, providers, controllers: [Waits] },
      transport: inProcessTransport(),
      logger: log.logger,
      managementPort: 0,
    });
    apps.push(app);
    return app;
  };

  it('an app is not ready while it stops, and live until its requests are completed', async () => {
    const app = await start();
    const path = (name: string) => fetch(`${app.managementUrl}/health/${name}`);
    expect((await path('ready')).status).toBe(200);
    const isWaiting = once(signals, 'waiting');
    const running = app.get(BusClient).request(wait, { until: 'released' });
    await isWaiting;
    const stopped = app.stop();
    const readiness = await path('ready');
    expect([readiness.status, await readiness.json()]).toMatchObject([503, { ok: false }]);
    expect((await path('live')).status).toBe(200);
    signals.emit('released');
    expect(await running).toEqual({ released: true });
    await stopped;
    await expect(path('live')).rejects.toThrow();
  });

  it('runs a periodic task from its start, and repeats it at once while there is more to do', async () => {
    const contexts: unknown[] = [];
    @Injectable()
    class Task {
      @PeriodicTask({ name: 'count', everyMs: 3_600_000, timeoutMs: 1_000 })
      async count() {
        contexts.push(currentRequestContext());
        if (contexts.length === 3) signals.emit('counted');
        return 3 - contexts.length;
      }
    }
    const counted = once(signals, 'counted');
    const app = await start(Task);
    await counted;
    await app.stop();
    expect(contexts).toHaveLength(3);
    expect(contexts[0]).toMatchObject({ deadline: expect.any(Number) });
    expect(contexts[0]).not.toEqual(contexts[1]);
  });

  it('ends the rest of a periodic task with a message, and runs the task outside of the message', async () => {
    const context = new AsyncLocalStorage<string>();
    const contexts: unknown[] = [];
    @Injectable()
    class Task {
      @PeriodicTask({ name: 'rest', everyMs: 10, restMs: 3_600_000, timeoutMs: 1_000 })
      async rest() {
        contexts.push(context.getStore());
        signals.emit('looked');
      }
    }
    // Ten seconds without a message: the process is at rest.
    clock.step(10_000);
    const first = once(signals, 'looked');
    await start(Task);
    await first;
    await nextTurn();
    const second = once(signals, 'looked');
    context.run('message', () => activity.note());
    await second;
    expect(contexts).toEqual([undefined, undefined]);
  });

  it('runs one round of a periodic task at a time', async () => {
    let running = 0;
    let rounds = 0;
    @Injectable()
    class Task {
      @PeriodicTask({ name: 'tick', everyMs: 5, timeoutMs: 1_000 })
      async tick() {
        running += 1;
        expect(running).toBe(1);
        await new Promise((resolve) => setTimeout(resolve, 20));
        running -= 1;
        if ((rounds += 1) === 3) signals.emit('ticked');
      }
    }
    const ticked = once(signals, 'ticked');
    await start(Task);
    await ticked;
  });

  it('logs a round that failed and repeats it sooner', async () => {
    let rounds = 0;
    @Injectable()
    class Task {
      @PeriodicTask({ name: 'fail', everyMs: 10, timeoutMs: 1_000 })
      async fail() {
        if ((rounds += 1) === 1) throw new Error('the table is hidden');
        signals.emit('repeated');
      }
    }
    const repeated = once(signals, 'repeated');
    await start(Task);
    await repeated;
    const lines = log.lines().filter(({ work }) => work === 'fail');
    expect(lines).toMatchObject([
      {
        level: 'warn',
        msg: 'a periodic task failed and will be repeated',
        code: 'internal',
        again_in_ms: 10,
      },
    ]);
  });

  it('logs a round that failed by an error of the program with its stack', async () => {
    let rounds = 0;
    @Injectable()
    class Task {
      @PeriodicTask({ name: 'call nothing', everyMs: 10, timeoutMs: 1_000 })
      async callNothing() {
        if ((rounds += 1) === 1) (undefined as unknown as () => void)();
        signals.emit('repeated');
      }
    }
    const repeated = once(signals, 'repeated');
    await start(Task);
    await repeated;
    expect(log.lines().filter(({ work }) => work === 'call nothing')).toMatchObject([
      { level: 'error', err: { type: 'TypeError', stack: expect.stringContaining('callNothing') } },
    ]);
  });

  it('stops while a round waits that does not end', async () => {
    const began = once(signals, 'began');
    @Injectable()
    class Task {
      @PeriodicTask({ name: 'endless', everyMs: 1, timeoutMs: 30_000 })
      async work() {
        signals.emit('began');
        await once(signals, 'never');
      }
    }
    const app = await start(Task);
    await began;
    const sleep = vi.spyOn(clock, 'sleep');
    const stopped = app.stop();
    await eventually('the stop waits for the round', async () =>
      sleep.mock.calls.some(([ms]) => ms === 5_000),
    );
    clock.step(5_000);
    await stopped;
    sleep.mockRestore();
  });

  it('waits for the running round of a periodic task when it stops, and starts no other', async () => {
    const began = once(signals, 'began');
    let ended = 0;
    @Injectable()
    class Task {
      @PeriodicTask({ name: 'slow', everyMs: 1, timeoutMs: 1_000 })
      async work() {
        signals.emit('began');
        await new Promise((resolve) => setTimeout(resolve, 50));
        ended += 1;
        return true;
      }
    }
    const app = await start(Task);
    await began;
    await app.stop();
    expect(ended).toBe(1);
  });
});
