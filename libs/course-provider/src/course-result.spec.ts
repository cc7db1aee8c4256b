import { describe, expect, it } from '@jest/globals';
import { providerCourse } from '#libs/contracts';
import { courseAnswer, courseResult } from './course-result.ts';

describe('a course in our words', () => {
  it('holds all that the contract names', () => {
    const answer = courseAnswer.parse({
      id: 'course-1',
      title: 'First steps',
      xapiActivityId: 'urn:x',
      created: '2026-01-02T03:04:05.678Z',
      updated: '2026-01-03T03:04:05.678Z',
      version: 2,
      size: 4711,
      registrationCount: 12,
      courseLearningStandard: 'SCORM_2004_4TH_EDITION',
      metadata: {
        title: 't',
        description: 'd',
        duration: 'PT1H',
        typicalTime: 'PT2H',
        keywords: ['k'],
      },
    });
    expect(courseResult(answer)).toEqual({
      courseGuid: 'course-1',
      title: 'First steps',
      version: 2,
      size: 4711,
      registrationCount: 12,
      learningStandard: 'SCORM_2004_4TH_EDITION',
      metadata: {
        title: 't',
        description: 'd',
        duration: 'PT1H',
        typicaltime: 'PT2H',
        keywords: ['k'],
      },
      createdAt: '2026-01-02T03:04:05Z',
      updatedAt: '2026-01-03T03:04:05Z',
    });
  });

  it('needs no more than its id', () => {
    const bare = courseResult(courseAnswer.parse({ id: 'c', metadata: {} }));
    expect(bare).toEqual(providerCourse.parse(bare));
    expect(bare).toMatchObject({ title: '', size: 0, metadata: { keywords: [] }, createdAt: null });
  });
});
