import { describe, expect, it } from 'vitest';
import { providerRegistration } from '@registrar/contracts';
import { registrationResponse, toProviderRegistration } from './provider-registration.ts';

const answer = {
  id: 'registration-1',
  instance: 0,
  updated: '2026-03-01T10:20:30.456Z',
  registrationCompletion: 'COMPLETED',
  registrationSuccess: 'PASSED',
  score: { scaled: 87.5 },
  totalSecondsTracked: 61.2,
  firstAccessDate: '2026-03-01T10:00:00.000Z',
  lastAccessDate: '2026-03-01T10:20:30.456Z',
  completedDate: '2026-03-01T10:20:29Z',
  createdDate: '2026-02-28T23:59:59.999Z',
  course: { id: 'course-1', title: 'First steps', version: 2 },
  learner: { id: 'ann@example.com', email: 'ann@example.com', firstName: 'Ann', lastName: 'A.' },
  tags: [],
  activityDetails: { id: 'item', attempts: 3, runtime: { suspendData: 'x' }, children: [] },
};
const result = (changes: object, crawlType: 'course' | 'full' = 'course') =>
  toProviderRegistration(registrationResponse.parse({ ...answer, ...changes }), crawlType);

describe('toProviderRegistration', () => {
  it('translates every field of the contract', () => {
    expect(result({})).toEqual({
      registrationGuid: 'registration-1',
      courseGuid: 'course-1',
      courseTitle: 'First steps',
      courseVersion: 2,
      instance: 0,
      learner: {
        id: 'ann@example.com',
        email: 'ann@example.com',
        firstName: 'Ann',
        lastName: 'A.',
      },
      completion: 'complete',
      success: 'succeeded',
      score: 87.5,
      totalSeconds: 61.2,
      attempts: 3,
      createdAt: '2026-02-28T23:59:59Z',
      updatedAt: '2026-03-01T10:20:30Z',
      completedAt: '2026-03-01T10:20:29Z',
      accessedAt: '2026-03-01T10:20:30Z',
      hasOpenLaunch: null,
      activity: null,
    });
  });

  it('keeps whether a launch is open, where the provider tells', () => {
    expect(result({ hasOpenLaunch: true }).hasOpenLaunch).toBe(true);
    expect(result({ hasOpenLaunch: false }).hasOpenLaunch).toBe(false);
  });

  it.each([
    ['UNKNOWN', 'unknown'],
    ['INCOMPLETE', 'incomplete'],
    ['COMPLETED', 'complete'],
    ['SOMETHING_NEW', 'unknown'],
  ])('translates the completion %s to %s', (word, ours) => {
    expect(result({ registrationCompletion: word }).completion).toBe(ours);
  });

  it.each([
    ['UNKNOWN', 'unknown'],
    ['FAILED', 'failed'],
    ['PASSED', 'succeeded'],
    [null, 'unknown'],
  ])('translates the success %s to %s', (word, ours) => {
    expect(result({ registrationSuccess: word }).success).toBe(ours);
  });

  it('returns a null score when none was reported, and keeps a score of 0', () => {
    expect(result({ score: undefined }).score).toBeNull();
    expect(result({ score: {} }).score).toBeNull();
    expect(result({ score: { scaled: 0 } }).score).toBe(0);
  });

  it('derives attempts from the instance when the activity has no attempts', () => {
    expect(result({ instance: 2, activityDetails: undefined }).attempts).toBe(3);
    expect(result({ instance: 2, activityDetails: { attempts: 0 } }).attempts).toBe(0);
  });

  it('returns the activity tree unchanged, in full results only', () => {
    expect(result({}, 'full').activity).toEqual(answer.activityDetails);
    expect(result({ activityDetails: undefined }, 'full').activity).toBeNull();
  });

  it('parses dates in any time zone, UTC by default, and returns null for an unreadable date', () => {
    expect(result({ createdDate: '2026-03-01T12:00:00+02:00' }).createdAt).toBe(
      '2026-03-01T10:00:00Z',
    );
    expect(result({ createdDate: '2026-03-01T12:00:00.5' }).createdAt).toBe('2026-03-01T12:00:00Z');
    expect(result({ createdDate: 'yesterday' }).createdAt).toBeNull();
    expect(result({ createdDate: null }).createdAt).toBeNull();
  });

  it('accepts a registration that has only ids', () => {
    const bare = toProviderRegistration(
      registrationResponse.parse({ id: 'r', course: { id: 'c' }, novelty: true }),
      'full',
    );
    expect(bare).toEqual(providerRegistration.parse(bare));
    expect(bare).toMatchObject({ completion: 'unknown', attempts: 1, createdAt: null });
    expect(registrationResponse.safeParse({ id: 'r' }).success).toBe(false);
  });
});
