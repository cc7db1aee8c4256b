import { describe, expect, it } from 'vitest';
import { beginAttempt } from './attempt.ts';

const runtime = { suspend_data: 'kept' };

describe('beginAttempt', () => {
  it('begins the first attempt with empty data', () => {
    const first = { attempts: 1, entry: 'ab-initio', runtime: {} };
    expect(beginAttempt('SCORM12', undefined)).toEqual(first);
    expect(beginAttempt('SCORM20044THEDITION', undefined)).toEqual(first);
    const unreported = { attempts: 1, suspended: true, runtime: {} };
    expect(beginAttempt('SCORM12', unreported)).toEqual(first);
  });

  it('resumes a suspended attempt', () => {
    const suspended = { attempts: 2, suspended: true, runtime };
    const resumed = { attempts: 2, entry: 'resume', runtime };
    expect(beginAttempt('SCORM12', suspended)).toEqual(resumed);
    expect(beginAttempt('SCORM20043RDEDITION', suspended)).toEqual(resumed);
  });

  it('begins a new attempt after one that ended: SCORM 1.2 keeps its data, SCORM 2004 does not', () => {
    const ended = { attempts: 2, suspended: false, runtime };
    expect(beginAttempt('SCORM12', ended)).toEqual({ attempts: 3, entry: '', runtime });
    expect(beginAttempt('SCORM20042NDEDITION', ended)).toEqual({
      attempts: 3,
      entry: 'ab-initio',
      runtime: {},
    });
  });
});
