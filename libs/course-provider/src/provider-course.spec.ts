import { describe, expect, it } from 'vitest';
import { providerCourse } from '@registrar/contracts';
import { courseResponse, toProviderCourse } from './provider-course.ts';

describe('toProviderCourse', () => {
  it('translates every field of the contract', () => {
    const answer = courseResponse.parse({
      id: 'course-1',
      title: 'First steps',
      xapiActivityId: 'urn:x',
      created: '2026-01-02T03:04:05.678Z',
      updated: '2026-01-03T03:04:05.678Z',
      version: 2,
      size: 4711,
      courseLearningStandard: 'SCORM_2004_4TH_EDITION',
      metadata: {
        title: 't',
        description: 'd',
        duration: 'PT1H',
        typicalTime: 'PT2H',
        keywords: ['k'],
      },
      parserWarnings: ['Not obeyed\0', 'x'.repeat(600), ...Array<string>(40).fill('more')],
    });
    expect(toProviderCourse(answer)).toEqual({
      courseGuid: 'course-1',
      title: 'First steps',
      version: 2,
      size: 4711,
      learningStandard: 'SCORM_2004_4TH_EDITION',
      metadata: {
        title: 't',
        description: 'd',
        duration: 'PT1H',
        typicaltime: 'PT2H',
        keywords: ['k'],
      },
      warnings: ['Not obeyed', 'x'.repeat(500), ...Array<string>(28).fill('more')],
      createdAt: '2026-01-02T03:04:05Z',
      updatedAt: '2026-01-03T03:04:05Z',
    });
  });

  it('accepts a course that has only an id', () => {
    const bare = toProviderCourse(courseResponse.parse({ id: 'c', metadata: {} }));
    expect(bare).toEqual(providerCourse.parse(bare));
    expect(bare).toMatchObject({ title: '', size: 0, metadata: { keywords: [] }, warnings: null });
  });
});
