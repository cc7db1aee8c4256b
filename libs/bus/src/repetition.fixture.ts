import { describe, expect, it } from '@jest/globals';
import { Database } from '#libs/persistence';
import { runOperation } from '#libs/platform';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { type BusSystem, failureOf } from './bus-system.fixture.ts';
import { changed, changeInSteps, changeOnce } from './change-apps.fixture.ts';
import { pruneOutcomes } from './outcomes.ts';

/** What becomes of changing requests that are repeated, over every transport. */
export function describeRepetition(system: () => BusSystem): void {
  /** Asks as part of an operation that is repeated under the same key. */
  const under = <T>(idempotencyKey: string, ask: () => Promise<T>): Promise<T> =>
    runOperation({ requestId: 'suite', deadline: Date.now() + 10_000, idempotencyKey }, ask);
  const effectsOf = (what: string) => system().effects(system().catalog, what);
  const kept = () =>
    system().catalog.get(Database).query<{ outcome: string }>('SELECT outcome FROM outcomes');

  describe.each([
    ['once', changeOnce],
    ['in steps', changeInSteps],
  ])('a change that is made %s', (how, change) => {
    const named = (what: string) => `${what} ${how}`;
    const ask = (key: string, input: { what: string; until?: string }) =>
      under(key, () => system().bus.request(change, input));

    it('is answered alike when it is repeated, and has one effect', async () => {
      const [key, what] = [randomUUID(), named('a change')];
      const first = await ask(key, { what });
      expect(await ask(key, { what })).toEqual(first);
      const elsewhere = { what, scope: { reach: 2 } };
      expect(await under(key, () => system().bus.request(change, elsewhere))).toEqual(first);
      expect(await effectsOf(what)).toHaveLength(1);
    });

    it('is another one with another input, and in another operation', async () => {
      const [key, what, other] = [randomUUID(), named('one'), named('another')];
      await ask(key, { what });
      await ask(key, { what: other });
      await ask(randomUUID(), { what });
      await system().bus.request(change, { what });
      expect(await effectsOf(what)).toHaveLength(3);
      expect(await effectsOf(other)).toHaveLength(1);
    });

    it('fails alike when it is repeated, if its failure lasts, and leaves nothing', async () => {
      const [key, what] = [randomUUID(), named('refused')];
      system().endings.set(what, ['unchanged']);
      for (const _attempt of ['first', 'second']) {
        const failure = await failureOf(ask(key, { what }));
        expect(failure).toMatchObject({ code: 'unchanged', message: 'it ends with unchanged' });
      }
      expect(await effectsOf(what)).toEqual([]);
    });

    it.each(['unavailable', 'crash'] as const)(
      'may succeed when it is repeated after a failure that does not last: %s',
      async (ending) => {
        const [key, what] = [randomUUID(), named(ending)];
        system().endings.set(what, [ending]);
        await failureOf(ask(key, { what }));
        expect(await effectsOf(what)).toEqual([]);
        await ask(key, { what });
        expect(await effectsOf(what)).toHaveLength(1);
      },
    );

    it('leaves neither its key nor its secrets to whoever reads the database', async () => {
      const [key, what] = [randomUUID(), named('secret')];
      const { secret } = await ask(key, { what });
      const text = JSON.stringify(
        await system().catalog.get(Database).query('SELECT * FROM outcomes'),
      );
      expect(secret).toContain('the secret');
      expect(text).not.toContain(secret);
      expect(text).not.toContain(key);
    });
  });

  it('of a change that runs already wait for it, and have its outcome', async () => {
    const { told, bus } = system();
    const key = randomUUID();
    const [what, until] = ['a slow change', 'changed slowly'];
    const begun = once(told, `changing ${what}`);
    const ask = () => under(key, () => bus.request(changeOnce, { what, until }));
    const first = ask();
    await begun;
    const repetitions = [ask(), ask()];
    told.emit(until);
    expect(await Promise.all(repetitions)).toEqual([await first, await first]);
    expect(await effectsOf(what)).toHaveLength(1);
  });

  it('make no event twice, and none of a change that failed', async () => {
    const { endings, bus, told } = system();
    const key = randomUUID();
    const [what, until] = ['eventful', 'now'];
    endings.set(what, ['unchanged']);
    const begun = once(told, `changing ${what}`);
    const failing = failureOf(under(key, () => bus.request(changeOnce, { what, until })));
    await begun;
    told.emit(until);
    await failing;
    const events = await system()
      .catalog.get(Database)
      .query(`SELECT payload FROM outbox WHERE name = $1 AND payload ->> 'what' = $2`, [
        changed.name,
        what,
      ]);
    expect(events).toEqual([]);
  });

  it('are known for 24 hours', async () => {
    const database = system().catalog.get(Database);
    await database.query('DELETE FROM outcomes');
    const change = (what: string) => under(what, () => system().bus.request(changeOnce, { what }));
    await change('long ago');
    await database.query(`UPDATE outcomes SET kept_at = now() - interval '25 hours'`);
    await change('lately');
    await database.query(
      `UPDATE outcomes SET kept_at = now() - interval '23 hours'
       WHERE kept_at > now() - interval '1 hour'`,
    );
    await pruneOutcomes(database);
    expect(await kept()).toHaveLength(1);
    await change('lately');
    expect(await effectsOf('lately')).toHaveLength(1);
  });
}
