import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  defineEvent,
  defineList,
  defineRequest,
  Failure,
  type Page,
  type RequestContract,
} from '#libs/contracts';
import { type ContextSchema, Database, encodeCursor, PersistenceModule } from '#libs/persistence';
import { currentOperation, remainingTime, runOperation } from '#libs/platform';
import { createTestDatabase, type TestDatabase, testLogger } from '#libs/testing';
import { Controller, Module } from '@nestjs/common';
import { EventEmitter, once } from 'node:events';
import * as z from 'zod';
import { BusClient } from './client.ts';
import { HandleBroadcast, HandleEvent, HandleRequest, type InputOf } from './handlers.ts';
import { busMigrations } from './migrations.ts';
import { Outbox } from './outbox.ts';
import { type BusApp, startApp } from './start-app.ts';
import type { BusTransport } from './transport.ts';

const greet = defineRequest('catalog.greet', {
  input: z.object({ name: z.string() }),
  reply: z.object({
    text: z.string(),
    requestId: z.string().optional(),
    key: z.string().optional(),
    remaining: z.number(),
  }),
  changes: true,
});
const refuse = defineRequest('catalog.refuse', { input: z.object({}), reply: z.object({}) });
const crash = defineRequest('catalog.crash', { input: z.object({}), reply: z.object({}) });
const wait = defineRequest('catalog.wait', {
  input: z.object({ until: z.string() }),
  reply: z.object({ released: z.boolean() }),
});
const unanswered = defineRequest('crawler.unanswered', {
  input: z.object({}),
  reply: z.object({}),
});
const count = defineList('catalog.count', { input: z.object({ to: z.int() }), item: z.int() });
const happened = defineEvent('catalog.happened', {
  payload: z.object({ what: z.string() }),
  subscribers: ['enrolment', 'identity'],
});

const detail = { error_code: '4', error_message: 'full', error_url: 'https://provider.example/' };

/** What the apps of the suite tell it. */
const told = new EventEmitter();
let askedPages: number[] = [];
const stubborn = new Map<string, number>();

@Controller()
class CatalogHandlers {
  @HandleRequest(greet)
  async greet({ name }: InputOf<typeof greet>) {
    return {
      text: `Hello ${name}`,
      requestId: currentOperation()?.requestId,
      key: currentOperation()?.idempotencyKey,
      remaining: remainingTime(),
    };
  }

  @HandleRequest(refuse)
  async refuse(): Promise<never> {
    throw new Failure('refused-by-provider', 'the provider is full', detail);
  }

  @HandleRequest(crash)
  async crash(): Promise<never> {
    throw new Error('a defect with password=hunter2');
  }

  @HandleRequest(wait)
  async wait({ until }: InputOf<typeof wait>) {
    told.emit(`waiting ${until}`);
    await once(told, until);
    return { released: true };
  }

  @HandleRequest(count)
  async count({ to, cursor, limit }: InputOf<typeof count>): Promise<Page<number>> {
    const from = cursor === null ? 0 : Number(Buffer.from(cursor, 'base64url').toString());
    askedPages.push(from);
    const items = Array.from(
      { length: Math.min(limit, to - from) },
      (_item, index) => from + index,
    );
    const end = from + items.length;
    return { items, next: end < to ? encodeCursor(end) : null };
  }
}

/** A subscriber: each event adds to a table, so that an effect that came twice would show. */
function subscriber(context: string) {
  @Controller()
  class Handlers {
    constructor(private readonly database: Database) {}

    @HandleEvent(happened)
    async happened({ what }: { what: string }): Promise<void> {
      await this.database.query('INSERT INTO effects (what) VALUES ($1)', [what]);
      const failures = stubborn.get(`${context} ${what}`) ?? 0;
      if (failures > 0) {
        stubborn.set(`${context} ${what}`, failures - 1);
        throw new Error('not yet');
      }
      this.database.afterCommit(() => told.emit(`${context} ${what}`));
    }
  }
  return Handlers;
}

@Controller()
class GatewayHandlers {
  @HandleBroadcast(happened)
  heard({ what }: { what: string }): void {
    told.emit(`heard ${what}`);
  }
}

class Effects1700000000001 {
  name = 'Effects1700000000001';
  async up(runner: { query(sql: string): Promise<unknown> }): Promise<void> {
    await runner.query('CREATE TABLE effects (id serial PRIMARY KEY, what text NOT NULL)');
  }
  async down(): Promise<void> {
    throw new Error('forward only');
  }
}

/**
 * What every transport of the bus must do before it carries anything (design of the conformance
 * suites: docs/architecture.md). `connect` makes a transport as one process would have it.
 */
export function describeBus(
  name: string,
  connect: () => Promise<BusTransport> | BusTransport,
): void {
  describe(`the bus over ${name}`, () => {
    const log = testLogger('bus');
    let server: TestDatabase;
    let apps: BusApp[];
    let catalog: BusApp;
    let enrolment: BusApp;
    let gateway: BusApp;
    let bus: BusClient;

    const start = async (
      app: string,
      controllers: (new (...given: never[]) => object)[],
      context: boolean,
      transport: BusTransport,
    ) => {
      const schema: ContextSchema = {
        name: app,
        entities: [],
        migrations: [...busMigrations, Effects1700000000001],
      };
      const imports = context ? [PersistenceModule.forContext(schema, server.url)] : [];
      const module = class {};
      Module({ imports, controllers })(module);
      const started = await startApp({ name: app, module, transport, logger: log.logger });
      apps.push(started);
      return started;
    };

    beforeAll(async () => {
      server = await createTestDatabase();
      apps = [];
      const transport = await connect();
      catalog = await start('catalog', [CatalogHandlers], true, transport);
      enrolment = await start('enrolment', [subscriber('enrolment')], true, transport);
      await start('identity', [subscriber('identity')], true, transport);
      gateway = await start('gateway', [GatewayHandlers], false, transport);
      bus = gateway.get(BusClient);
    });
    afterAll(async () => {
      for (const app of apps.reverse()) await app.stop();
      await server.drop();
    });

    const within = <T>(milliseconds: number, work: () => Promise<T>) =>
      runOperation({ requestId: 'suite', deadline: Date.now() + milliseconds }, work);
    const failureOf = (request: Promise<unknown>): Promise<Failure> =>
      request.then(
        () => {
          throw new Error('it did not fail');
        },
        (error: unknown) => error as Failure,
      );
    const publish = async (what: string) => {
      const heard = ['enrolment', 'identity'].map((context) => once(told, `${context} ${what}`));
      const database = catalog.get(Database);
      await database.transaction(() => catalog.get(Outbox).publish(happened, { what }));
      await Promise.all(heard);
    };
    const effects = (app: BusApp, what: string) =>
      app.get(Database).query('SELECT id FROM effects WHERE what = $1', [what]);

    it('answers a request, inside the operation of its caller', async () => {
      const reply = await within(5_000, () => bus.request(greet, { name: 'Ada' }));
      expect(reply).toMatchObject({ text: 'Hello Ada', requestId: 'suite' });
      expect(reply.key).toMatch(/^[0-9a-f-]{36}$/);
      expect(reply.remaining).toBeGreaterThan(0);
      expect(reply.remaining).toBeLessThanOrEqual(5_000);
    });

    it('hands a failure on with its code and detail', async () => {
      const failure = await failureOf(bus.request(refuse, {}));
      expect(failure).toBeInstanceOf(Failure);
      expect(failure).toMatchObject({ code: 'refused-by-provider', detail });
    });

    it('keeps the cause of a defect at home', async () => {
      const failure = await failureOf(bus.request(crash, {}));
      expect(failure).toMatchObject({ code: 'internal' });
      expect(failure.message).not.toContain('hunter2');
      expect(JSON.stringify(log.lines())).toContain('a request handler failed');
    });

    it('refuses malformed input before the handler, without repeating it', async () => {
      const failure = await failureOf(bus.request(greet, { name: 42 as unknown as string }));
      expect(failure).toMatchObject({ code: 'invalid' });
      expect(failure.message).toContain('name');
      expect(failure.message).not.toContain('42');
    });

    it('says at once that nobody answers', async () => {
      const failure = await failureOf(bus.request(unanswered, {}));
      expect(failure).toMatchObject({ code: 'unavailable', retriable: true });
      const unknown = { ...greet, name: 'catalog.unknown' } as RequestContract;
      expect(await failureOf(bus.request(unknown, {}))).toMatchObject({ code: 'unavailable' });
    });

    it('does not begin what has expired, and gives up at the deadline', async () => {
      const late = within(-1, () => bus.request(greet, { name: 'late' }));
      expect(await failureOf(late)).toMatchObject({ code: 'expired' });
      const slow = within(50, () => bus.request(wait, { until: 'released late' }));
      expect(await failureOf(slow)).toMatchObject({ code: 'expired' });
      told.emit('released late');
    });

    it('answers a storm of requests', async () => {
      const names = Array.from({ length: 1_000 }, (_item, index) => String(index));
      const replies = await Promise.all(names.map((each) => bus.request(greet, { name: each })));
      expect(replies.map((reply) => reply.text)).toEqual(names.map((each) => `Hello ${each}`));
    });

    it('reads a list page by page, one page ahead of its reader', async () => {
      askedPages = [];
      const read: number[] = [];
      for await (const page of bus.pages(count, { to: 25 }, 10)) read.push(...page);
      expect(read).toEqual(Array.from({ length: 25 }, (_item, index) => index));
      expect(askedPages).toEqual([0, 10, 20]);

      askedPages = [];
      for await (const page of bus.pages(count, { to: 1_000 }, 10)) {
        expect(page).toHaveLength(10);
        break;
      }
      expect(askedPages.length).toBeLessThanOrEqual(2);
    });

    it('tells the reader of a list that a page failed', async () => {
      const read = within(200, async () => {
        for await (const page of bus.pages(count, { to: 1_000_000 }, 1))
          expect(page).toHaveLength(1);
      });
      expect(await failureOf(read)).toMatchObject({ code: 'expired' });
    });

    it('brings an event to each subscriber once, and to every listener', async () => {
      const heard = once(told, 'heard opening');
      await publish('opening');
      await heard;
      expect(await effects(enrolment, 'opening')).toHaveLength(1);
    });

    it('forgets an event whose transaction was undone, and wants one', async () => {
      const outbox = catalog.get(Outbox);
      await expect(outbox.publish(happened, { what: 'nothing' })).rejects.toThrow('transaction');
      const undone = catalog.get(Database).transaction(async () => {
        await outbox.publish(happened, { what: 'undone' });
        throw new Error('change of mind');
      });
      await expect(undone).rejects.toThrow('change of mind');
      await publish('after the undone');
      expect(await effects(enrolment, 'undone')).toHaveLength(0);
    });

    it('repeats an event whose handler failed, and keeps one effect', async () => {
      stubborn.set('enrolment stubborn', 1);
      await publish('stubborn');
      expect(await effects(enrolment, 'stubborn')).toHaveLength(1);
    });

    it('finishes a running request before it stops, and turns later ones away', async () => {
      const waiting = once(told, 'waiting released last');
      const running = bus.request(wait, { until: 'released last' });
      await waiting;
      const stopped = catalog.stop();
      apps = apps.filter((app) => app !== catalog);
      told.emit('released last');
      expect(await running).toEqual({ released: true });
      await stopped;
      // Over a broker the request waits for a restart, for a while.
      const late = await failureOf(within(500, () => bus.request(greet, { name: 'x' })));
      expect(['unavailable', 'expired']).toContain(late.code);
    });
  });
}
