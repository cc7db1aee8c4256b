import { clock } from '@registrar/platform';
import { bareActivity } from '../packages/course-structure.ts';
import type { RegistrationDetails } from '../registrations/registration-details.ts';
import {
  type RegistrationRecord,
  toRegistrationRecord,
} from '../registrations/registration-record.ts';

const title = 'Test of postbacks';
const part = bareActivity({
  id: 'part',
  title,
  resource: { id: 'part', href: 'index.html', type: 'SCO' },
});

/** Returns a result that no learner has, in the form of others. */
export function testRecord(details: RegistrationDetails): RegistrationRecord {
  const now = clock.date();
  const completed = {
    completion: 'COMPLETED',
    success: 'PASSED',
    score: 100,
    progress: 1,
  } as const;
  const state = {
    ...completed,
    activity_id: 'part',
    attempts: 1,
    suspended: false,
    seconds: 60,
    runtime: {},
    opened_at: now,
  };
  const row = {
    ...completed,
    id: 0,
    registration_id: 'postback-test',
    instance: 0,
    is_former: false,
    course_version: 0,
    course_id: 'postback-test',
    course_title: 'Test of postbacks',
    version: 0,
    learner_id: 'postback-test',
    tags: [],
    email: null,
    first_name: 'Test',
    last_name: 'Learner',
    total_seconds: 60,
    global_objectives: {},
    shared_data: {},
    sequencing: null,
    created_at: now,
    updated_at: now,
    first_access_at: now,
    last_access_at: now,
    completed_at: now,
    has_open_launch: false,
  };
  const metadata = { title: '', description: '', duration: '', typicalTime: '', keywords: [] };
  const structure = {
    standard: 'SCORM12',
    root: bareActivity({ id: 'course', title, children: [part] }),
    metadata,
  } as const;
  return toRegistrationRecord(row, structure, [state], details);
}
