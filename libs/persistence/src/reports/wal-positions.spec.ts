import { expect, it } from 'vitest';
import { WalPositions } from './wal-positions.ts';

const primaryAt = (position: number, history = 'a/1') => ({ position, history, isStandby: false });
const standbyAt = (position: number, history = 'a/1') => ({ position, history, isStandby: true });

it('takes the data of a standby to be as old as the newest position that it has replayed', () => {
  const positions = new WalPositions();
  expect(positions.ageMs(standbyAt(100), 0)).toBeNull();
  positions.note(primaryAt(100), 1_000);
  positions.note(primaryAt(200), 2_000);
  positions.note(primaryAt(200), 3_000);
  expect(positions.ageMs(standbyAt(99), 4_000)).toBeNull();
  expect(positions.ageMs(standbyAt(199), 4_000)).toBe(3_000);
  expect(positions.ageMs(standbyAt(200), 4_000)).toBe(1_000);
  expect(positions.ageMs(standbyAt(500), 4_000)).toBe(1_000);
});

it('takes the data of a standby to be too old after a minute without a new position', () => {
  const positions = new WalPositions();
  positions.note(primaryAt(100), 0);
  expect(positions.ageMs(standbyAt(100), 60_000)).toBe(60_000);
  expect(positions.ageMs(standbyAt(100), 60_001)).toBeNull();
  positions.note(primaryAt(200), 60_001);
  expect(positions.ageMs(standbyAt(199), 60_001)).toBeNull();
});

it('drops a position that is noted within half a second of another one', () => {
  const positions = new WalPositions();
  positions.note(primaryAt(100), 0);
  positions.note(primaryAt(200), 499);
  expect(positions.ageMs(standbyAt(200), 1_000)).toBe(1_000);
  positions.note(primaryAt(200), 500);
  expect(positions.ageMs(standbyAt(200), 1_000)).toBe(500);
});

it('takes no server of another history for a standby, nor one that is in no recovery', () => {
  const positions = new WalPositions();
  expect(positions.isStandby(standbyAt(0))).toBe(false);
  positions.note(primaryAt(100), 0);
  expect(positions.isStandby(standbyAt(0))).toBe(true);
  expect(positions.isStandby(standbyAt(0, 'a/2'))).toBe(false);
  expect(positions.isStandby(primaryAt(100))).toBe(false);
});

it('forgets the positions of the history before a failover', () => {
  const positions = new WalPositions();
  positions.note(primaryAt(100), 0);
  positions.note(primaryAt(300, 'a/2'), 1_000);
  expect(positions.isStandby(standbyAt(0))).toBe(false);
  expect(positions.ageMs(standbyAt(200, 'a/2'), 1_000)).toBeNull();
  expect(positions.ageMs(standbyAt(300, 'a/2'), 1_000)).toBe(0);
});
