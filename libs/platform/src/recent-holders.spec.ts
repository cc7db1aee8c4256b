import { describe, expect, it } from 'vitest';
import { clock } from './clock.ts';
import { RecentHolders } from './recent-holders.ts';

describe('who is alone', () => {
  it('somebody is alone until another one asks, and again a second after that', () => {
    const recent = new RecentHolders();
    expect(recent.isAlone('a')).toBe(true);
    recent.note('a');
    recent.note('a');
    expect(recent.isAlone('a')).toBe(true);
    expect(recent.isAlone('b')).toBe(false);
    recent.note('b');
    recent.note('a');
    expect(recent.isAlone('a')).toBe(false);
    clock.step(1_001);
    recent.note('a');
    expect(recent.isAlone('a')).toBe(true);
  });

  it('a third one counts after two others have asked', () => {
    const recent = new RecentHolders();
    for (const name of ['a', 'b', 'c']) recent.note(name);
    for (const name of ['a', 'b', 'c']) expect(recent.isAlone(name)).toBe(false);
  });
});
