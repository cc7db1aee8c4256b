import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type BusApp, listCrawls } from '@registrar/contracts';
import { clock, currentRequestContext, runInRequestContext } from '@registrar/platform';
import { testLogger } from '@registrar/testing';
import { BusClient } from './bus-client.ts';
import { inProcessTransport } from './in-process/in-process-transport.ts';
import { startBusApp, type TestBusApp } from './testing/start-bus-app.ts';
import { startStubContext, stubReply } from './testing/stub-context.ts';

describe('the user of the console in a request', () => {
  const { logger } = testLogger('bus');
  const transport = inProcessTransport();
  const running: TestBusApp[] = [];
  const received: (string | undefined)[] = [];
  beforeAll(async () => {
    const reply = stubReply(listCrawls, async () => {
      received.push(currentRequestContext()?.consoleUser);
      return { items: [], next: null };
    });
    running.push(await startStubContext('crawler', [reply], { transport, logger }));
  });
  afterAll(async () => {
    for (const app of running) await app.stop();
  });

  const receivedFrom = async (name: BusApp) => {
    const app = await startBusApp({ name, module: class Sender {}, transport, logger });
    running.push(app);
    const context = { requestId: 'r', deadline: clock.now() + 10_000, consoleUser: 'ada' };
    await runInRequestContext(context, () =>
      app.get(BusClient).page(listCrawls, { applications: null }, { cursor: null, limit: 1 }),
    );
    return received.at(-1);
  };

  it('the name arrives from the console, and from no other app', async () => {
    expect(await receivedFrom('console')).toBe('ada');
    expect(await receivedFrom('operator')).toBeUndefined();
  });
});
