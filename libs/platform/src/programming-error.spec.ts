import { describe, expect, it } from 'vitest';
import { AssertionError } from 'node:assert';
import { Failure } from '@registrar/contracts';
import { createContext, runInContext } from 'node:vm';
import { isProgrammingError } from './programming-error.ts';

function thrownBy(work: () => unknown): unknown {
  try {
    work();
  } catch (error) {
    return error;
  }
  throw new Error('nothing was thrown');
}

describe('a programming error', () => {
  it.each([
    ['a call of undefined', () => (undefined as unknown as () => void)()],
    ['an unknown name', () => void runInContext('unknownName', createContext())],
    ['a text that is not JSON', () => void JSON.parse('{')],
    ['an invalid argument of Node', () => Buffer.alloc(-1)],
    [
      'an endless recursion',
      function again(): unknown {
        return [again()];
      },
    ],
    [
      'a failed assertion',
      () => {
        throw new AssertionError({ message: 'not equal' });
      },
    ],
  ])('a programming error is the error of %s', (_what, work) => {
    expect(isProgrammingError(thrownBy(work))).toBe(true);
  });

  it('a programming error is a failure that was made from one', () => {
    expect(isProgrammingError(Failure.from(new TypeError('no function')))).toBe(true);
  });

  it.each([
    ['a failure of a dependency', new Failure('unavailable', 'the database is unavailable')],
    ['a plain error', new Error('the server is away')],
    ['a system error', Object.assign(new Error('refused'), { code: 'ECONNREFUSED' })],
    ['a value that is not an error', 'TypeError'],
  ])('a programming error is not %s', (_what, error) => {
    expect(isProgrammingError(error)).toBe(false);
  });

  it('a programming error is not the TypeError by which fetch reports a network failure', async () => {
    // Port 9 of this machine has no listener.
    const error: unknown = await fetch('http://127.0.0.1:9').catch((reason: unknown) => reason);
    expect(error).toMatchObject({ name: 'TypeError' });
    expect(isProgrammingError(error)).toBe(false);
  });
});
