import { check, type JsonRecord, recordOf, recordsOf } from '../checks.ts';
import type { ApiResponse, Parameters } from '../client.ts';
import type { Installation } from '../installation.ts';

/** Creates an invitation for these courses. */
export async function invite(
  target: Installation,
  courses: readonly string[],
  more: Parameters = {},
): Promise<{ name: string; id: string }> {
  const name = target.unique('invitation');
  const parameters = { ...target.realm, name, course_guids: JSON.stringify(courses), ...more };
  const record = recordOf(await target.api.post('/invitation.json', parameters), 201);
  return { name, id: String(record['id']) };
}

/** Creates a license with this number of seats for one course. */
export const license = (
  target: Installation,
  course: string,
  seats: number,
  more: Parameters = {},
) => {
  const license_data = { [course]: { seats_available: seats } };
  const custom = JSON.stringify({ license: true, course_guids: [course], license_data });
  return invite(target, [course], { license: 't', custom, ...more });
};

/** Calls add_learners; arrays are sent as JSON. */
export function addLearners(
  target: Installation,
  parameters: Readonly<Record<string, string | readonly string[]>>,
): Promise<ApiResponse> {
  const texts = Object.entries(parameters).map(([name, value]) => [
    name,
    typeof value === 'string' ? value : JSON.stringify(value),
  ]);
  const query = { ...target.realm, ...(Object.fromEntries(texts) as Parameters) };
  return target.api.get('/invitation/add_learners.json', query);
}

/** The learners of an invitation, sorted. */
export function learnersOf(invitation: JsonRecord): unknown[] {
  const { learners } = invitation;
  check(Array.isArray(learners), 'learners is no array');
  return (learners as unknown[]).toSorted();
}

/** The active registrations of a learner. */
export const registrationsOf = async (target: Installation, learner_id: string) =>
  recordsOf(await target.api.get('/registration.json', { ...target.realm, learner_id }));
