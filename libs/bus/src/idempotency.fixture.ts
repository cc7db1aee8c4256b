import { describe, expect, it } from 'vitest';
import { Failure } from '@registrar/contracts';
import { Database, sql } from '@registrar/persistence';
import { clock, runInRequestContext } from '@registrar/platform';
import { createHash, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import * as z from 'zod';
import { type BusSystem, failureOf, longTimeMs } from './bus-system.fixture.ts';
import { changed, changeInSteps, changeOnce } from './change-apps.fixture.ts';
import { PruneBusTables } from './prune-bus-tables.ts';

const outcomeRow = z.object({
  key_hash: z.instanceof(Buffer),
  outcome: z.string(),
  kept_at: z.date(),
});

/** Repeated requests under one idempotency key, over every transport. */
export function describeIdempotency(system: () => BusSystem): void {
  /** Runs `send` in a request context with an idempotency key. */
  const under = <T>(idempotencyKey: string, ask: () => Promise<T>): Promise<T> =>
    runInRequestContext(
      { requestId: 'suite', deadline: clock.now() + longTimeMs, idempotencyKey },
      ask,
    );
  /** Runs `send` as the gateway does for a client's key. */
  const asClient = async <T>(
    idempotencyKey: string,
    parameters: string,
    send: () => Promise<T>,
  ) => {
    const hash = (text: string) => createHash('sha256').update(text).digest('base64url');
    const keyUse = { key: hash(idempotencyKey), parameters: hash(parameters) };
    let replays = 0;
    const onReplay = () => void (replays += 1);
    const deadline = clock.now() + longTimeMs;
    const context = { requestId: 'suite', deadline, idempotencyKey, keyUse, onReplay };
    const outcome = await runInRequestContext(context, () =>
      send().catch((error: unknown) => Failure.from(error)),
    );
    return { outcome, isReplay: replays > 0 };
  };
  const effectsOf = (what: string) => system().effects(system().catalog, what);
  const kept = () =>
    system()
      .catalog.get(Database)
      .many(outcomeRow, sql`SELECT * FROM outcomes`);

  describe.each([
    ['transactional', changeOnce],
    ['resumable', changeInSteps],
  ])('a %s request', (how, change) => {
    const named = (what: string) => `${what} ${how}`;
    const ask = (key: string, input: { what: string; until?: string }) =>
      under(key, () => system().bus.request(change, input));

    it('gets the same reply when repeated, and takes effect once', async () => {
      const [key, what] = [randomUUID(), named('a change')];
      const first = await ask(key, { what });
      expect(await ask(key, { what })).toEqual(first);
      const elsewhere = { what, scope: { reach: 2 } };
      expect(await under(key, () => system().bus.request(change, elsewhere))).toEqual(first);
      expect(await effectsOf(what)).toHaveLength(1);
    });

    it('takes effect again with another input or another key', async () => {
      const [key, what, other] = [randomUUID(), named('one'), named('another')];
      await ask(key, { what });
      await ask(key, { what: other });
      await ask(randomUUID(), { what });
      await system().bus.request(change, { what });
      expect(await effectsOf(what)).toHaveLength(3);
      expect(await effectsOf(other)).toHaveLength(1);
    });

    it('gets the same cacheable failure when repeated, and has no effect', async () => {
      const [key, what] = [randomUUID(), named('refused')];
      system().failures.set(what, ['unchanged']);
      for (const _attempt of ['first', 'second']) {
        const failure = await failureOf(ask(key, { what }));
        expect(failure).toMatchObject({ code: 'unchanged', message: 'it ends with unchanged' });
      }
      expect(await effectsOf(what)).toEqual([]);
    });

    it('says when its reply or its failure is that of an earlier request', async () => {
      for (const ending of ['ok', 'unchanged'] as const) {
        const [key, what] = [randomUUID(), named(`repeated, ${ending}`)];
        if (ending === 'unchanged') system().failures.set(what, [ending]);
        const send = () => system().bus.request(change, { what });
        const first = await asClient(key, what, send);
        const second = await asClient(key, what, send);
        expect([first.isReplay, second.isReplay]).toEqual([false, true]);
        if (ending === 'ok') expect(second.outcome).toEqual(first.outcome);
        else expect(second.outcome).toMatchObject({ code: ending });
        expect((await asClient(randomUUID(), what, send)).isReplay).toBe(false);
      }
    });

    it('a request under the key of a client with other parameters is refused, and has no effect', async () => {
      const [key, what, other] = [randomUUID(), named('mine'), named('not mine')];
      await asClient(key, 'one', () => system().bus.request(change, { what }));
      const refused = await asClient(key, 'two', () =>
        system().bus.request(change, { what: other }),
      );
      expect(refused).toMatchObject({ outcome: { code: 'invalid' }, isReplay: false });
      expect(await effectsOf(other)).toEqual([]);
      const again = await asClient(key, 'one', () => system().bus.request(change, { what }));
      expect(again.isReplay).toBe(true);
    });

    it.each(['unavailable', 'crash'] as const)(
      'a request can succeed when repeated after a transient failure: %s',
      async (ending) => {
        const [key, what] = [randomUUID(), named(ending)];
        system().failures.set(what, [ending]);
        await failureOf(ask(key, { what }));
        expect(await effectsOf(what)).toEqual([]);
        await ask(key, { what });
        expect(await effectsOf(what)).toHaveLength(1);
      },
    );

    it('leaves neither its key nor its secrets readable in the database', async () => {
      const [key, what] = [randomUUID(), named('secret')];
      const { secret } = await ask(key, { what });
      const text = JSON.stringify(await kept());
      expect(secret).toContain('the secret');
      expect(text).not.toContain(secret);
      expect(text).not.toContain(key);
    });
  });

  it('a repetition of a running request waits for it and gets its reply', async () => {
    const { signals, bus } = system();
    const key = randomUUID();
    const [what, until] = ['a slow change', 'changed slowly'];
    const begun = once(signals, `changing ${what}`);
    const ask = () => under(key, () => bus.request(changeOnce, { what, until }));
    const first = ask();
    await begun;
    const repetitions = [ask(), ask()];
    signals.emit(until);
    expect(await Promise.all(repetitions)).toEqual([await first, await first]);
    expect(await effectsOf(what)).toHaveLength(1);
  });

  it('a failed request publishes no event', async () => {
    const { failures, bus, signals } = system();
    const key = randomUUID();
    const [what, until] = ['eventful', 'now'];
    failures.set(what, ['unchanged']);
    const begun = once(signals, `changing ${what}`);
    const failing = failureOf(under(key, () => bus.request(changeOnce, { what, until })));
    await begun;
    signals.emit(until);
    await failing;
    const events = await system()
      .catalog.get(Database)
      .execute(
        sql`SELECT 1 FROM outbox WHERE name = ${changed.name} AND payload ->> 'what' = ${what}`,
      );
    expect(events).toBe(0);
  });

  it('outcomes are kept for 24 hours', async () => {
    const database = system().catalog.get(Database);
    await database.execute(sql`DELETE FROM outcomes`);
    const change = (what: string) => under(what, () => system().bus.request(changeOnce, { what }));
    await change('long ago');
    await database.execute(sql`UPDATE outcomes SET kept_at = now() - interval '25 hours'`);
    await change('lately');
    await database.execute(
      sql`UPDATE outcomes SET kept_at = now() - interval '23 hours'
          WHERE kept_at > now() - interval '1 hour'`,
    );
    await system().catalog.get(PruneBusTables).pruneIdempotencyStore();
    expect(await kept()).toHaveLength(1);
    await change('lately');
    expect(await effectsOf('lately')).toHaveLength(1);
  });
}
