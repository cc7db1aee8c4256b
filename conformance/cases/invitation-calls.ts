import { check, type JsonRecord, recordOf, recordsOf } from '../checks.ts';
import type { Answer, Parameters } from '../client.ts';
import type { Installation } from '../installation.ts';

/** Makes an invitation to these courses. */
export async function invite(
  on: Installation,
  courses: readonly string[],
  more: Parameters = {},
): Promise<{ name: string; id: string }> {
  const name = on.unique('invitation');
  const parameters = { ...on.realm, name, course_guids: JSON.stringify(courses), ...more };
  const record = recordOf(await on.api.post('/invitation.json', parameters), 201);
  return { name, id: String(record['id']) };
}

/** Makes a licence with that many seats for one course. */
export const license = (on: Installation, course: string, seats: number, more: Parameters = {}) => {
  const license_data = { [course]: { seats_available: seats } };
  const custom = JSON.stringify({ license: true, course_guids: [course], license_data });
  return invite(on, [course], { license: 't', custom, ...more });
};

/** Calls add_learners; arrays are sent as JSON. */
export function addLearners(
  on: Installation,
  parameters: Readonly<Record<string, string | readonly string[]>>,
): Promise<Answer> {
  const texts = Object.entries(parameters).map(([name, value]) => [
    name,
    typeof value === 'string' ? value : JSON.stringify(value),
  ]);
  const query = { ...on.realm, ...(Object.fromEntries(texts) as Parameters) };
  return on.api.get('/invitation/add_learners.json', query);
}

/** The learners of an invitation, sorted. */
export function learnersOf(invitation: JsonRecord): unknown[] {
  const { learners } = invitation;
  check(Array.isArray(learners), 'learners is no array');
  return (learners as unknown[]).toSorted();
}

/** The active registrations of a learner. */
export const registrationsOf = async (on: Installation, learner_id: string) =>
  recordsOf(await on.api.get('/registration.json', { ...on.realm, learner_id }));
