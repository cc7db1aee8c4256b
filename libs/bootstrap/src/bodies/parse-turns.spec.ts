import { describe, expect, it } from 'vitest';
import { ParseTurns } from './parse-turns.ts';

const large = 64 * 1024;
const of = (realmId: number, key = 'a') => ({ realmId, key });

describe('the turns in which bodies are parsed', () => {
  /** Holds the event loop, as a parser does. */
  const hold = (ms: number) => {
    const until = performance.now() + ms;
    while (performance.now() < until);
  };

  it('bodies of one key wait for each other, and not for those of other realms and keys', async () => {
    const turns = new ParseTurns();
    const order: string[] = [];
    const parse = (name: string, realmId: number, key?: string) =>
      turns.parse(of(realmId, key), large, () => {
        hold(2);
        order.push(name);
      });
    await Promise.all([
      ...['1a', '1a', '1a', '1a'].map((name) => parse(name, 1)),
      parse('1b', 1, 'b'),
      parse('2a', 2),
    ]);
    expect(order.slice(0, 3).sort()).toEqual(['1a', '1b', '2a']);
  });

  it('other work has three quarters of the event loop while bodies wait', async () => {
    const turns = new ParseTurns();
    const begun: number[] = [];
    const bodies = Array.from({ length: 4 }, () =>
      turns.parse(of(1), large, () => {
        begun.push(performance.now());
        hold(10);
      }),
    );
    await Promise.all(bodies);
    const pauses = begun.slice(1).map((at, index) => at - begun[index]!);
    for (const pause of pauses) expect(pause).toBeGreaterThanOrEqual(39);
  });

  it('small bodies are parsed at once, and bodies beyond those that may wait are refused', async () => {
    const turns = new ParseTurns();
    const parse = (owner: ReturnType<typeof of>, bytes: number) =>
      turns.parse(owner, bytes, () => hold(1));
    const waiting = Array.from({ length: 34 }, () => parse(of(1), large));
    const results = Promise.allSettled(waiting);
    await parse(of(1), 8 * 1024);
    const refused = (await results).filter(({ status }) => status === 'rejected');
    expect(refused).toMatchObject([{ reason: { code: 'over-limit', retryAfterSeconds: 5 } }]);
  });

  it('a body that cannot be parsed is refused, and the next one is parsed', async () => {
    const turns = new ParseTurns();
    const failing = turns.parse(of(1), large, () => {
      throw new Error('not valid');
    });
    await expect(failing).rejects.toThrow('not valid');
    expect(await turns.parse(of(1), large, () => 'parsed')).toBe('parsed');
  });
});
