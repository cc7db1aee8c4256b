import { setTimeout as pause } from 'node:timers/promises';
import { median } from '../measure.ts';
import type { Round } from '../results.ts';
import type { ApiAccess } from './api-access.ts';

/** Between two creates: milliseconds. */
const createPauseMs = 400;

let learners = 0;

/** Creates registrations of the course `course-1` one after another, and measures how long each takes. */
export async function measureCreates(access: ApiAccess, durationMs: number): Promise<Round> {
  const durations: number[] = [];
  const until = performance.now() + durationMs;
  while (performance.now() < until) {
    learners += 1;
    const begun = performance.now();
    const response = await fetch(access.url('registration.json'), {
      method: 'POST',
      body: new URLSearchParams({
        course_guid: 'course-1',
        learner_id: `learner-${learners}@bench.example`,
      }),
    });
    if (response.status !== 201) throw new Error(`create returned ${response.status}`);
    await response.arrayBuffer();
    durations.push(performance.now() - begun);
    await pause(createPauseMs);
  }
  const sorted = durations.toSorted((one, other) => one - other);
  return { p50Ms: median(sorted), p99Ms: sorted[Math.ceil(sorted.length * 0.99) - 1] ?? NaN };
}
