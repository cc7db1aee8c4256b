import { describe, expect, it } from 'vitest';
import { Turns } from './turns.ts';

describe('Turns', () => {
  it('an application has four of the 32 places at most', () => {
    const turns = new Turns();
    for (const application of [1, 2, 1, 1, 1]) turns.begin(application);
    expect([turns.free, turns.busy]).toEqual([27, [1]]);
    turns.end(1);
    turns.end(2);
    expect([turns.free, turns.busy]).toEqual([29, []]);
  });

  it('applications are in the order of their last turn', () => {
    const turns = new Turns();
    for (const application of [1, 2, 3, 1]) turns.begin(application);
    turns.end(3);
    expect(turns.served).toEqual([2, 3, 1]);
  });

  it('the last turns of 1,000 applications are remembered', () => {
    const turns = new Turns();
    for (let application = 0; application <= 1_000; application += 1) {
      turns.begin(application);
      turns.end(application);
    }
    expect([turns.served.length, turns.served[0], turns.free]).toEqual([1_000, 1, 32]);
  });
});
