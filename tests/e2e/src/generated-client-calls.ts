/** The end of both programs: what the calls have returned. */
const report = `
console.log(JSON.stringify({
  course: courses[0]?.title,
  created: registration.complete,
  shown: shown.registration_guid === registration.registration_guid,
  listed: [listed.length === 1, listed[0]?.active],
  updated: updated.custom,
  launched: launch.launch_url.startsWith('http'),
  invitation: invitation.course_guids,
  learners: Object.keys(added.registration_guids).length,
  user: user.email === email,
  rows: rows.some((row) => Object.values(row).includes(learner_id)),
  missing,
}));
`;

const start = `
const course_guid = 'first-aid-basics';
const { LEARNER: learner_id = '', NAME: name = '', REALM_GUID = '', REALM_SECRET_KEY = '' } = process.env;
const email = \`user-\${learner_id}\`;

function take<T>({ data, response }: { data?: T; response?: Response }): NonNullable<T> {
  if (data == null) throw new Error(\`\${response?.url}: status \${response?.status}\`);
  return data;
}
`;

/** Ten calls with the types of openapi-typescript. */
export const fetchCalls = `
import createClient from 'openapi-fetch';
import { client } from './program.ts';
import type { components, paths } from './registrar.ts';
${start}
const withoutKey = createClient<paths>({ baseUrl: process.env['API'] ?? '' });
const key = take(await withoutKey.POST('/api_key.json', {
  params: {},
  body: { lifetime_hours: 1 },
  headers: { Authorization: \`Basic \${btoa(\`\${REALM_GUID}:\${REALM_SECRET_KEY}\`)}\` },
}));
if (!key.access_token.startsWith('rgk_')) throw new Error('the token has another prefix');

const courses = take(await client.GET('/course.json', { params: { query: { 'course_guid[]': [course_guid] } } }));
const registration: components['schemas']['Registration'] = take(
  await client.POST('/registration.json', { body: { course_guid, learner_id, dont_duplicate: false } }),
);
const { registration_guid } = registration;
const shown = take(await client.GET('/registration/{id}.json', { params: { path: { id: registration_guid } } }));
const listed = take(await client.GET('/registration.json', {
  params: { query: { learner_id, include_inactive: true, max_age: 3600, course_guid_re: ['^first', 'basics$'] } },
}));
const custom = { department: 'sales', levels: [1, 2] };
const updated = take(await client.PUT('/registration/{id}.json', {
  params: { path: { id: registration_guid } },
  body: { custom },
}));
const launch = take(await client.GET('/registration/{registration_guid}/launch_url.json', {
  params: { path: { registration_guid }, query: { review: true } },
}));
const invitation = take(await client.POST('/invitation.json', {
  body: { name, license: false, course_guids: [course_guid] },
}));
const added = take(await client.POST('/invitation/add_learners.json', {
  body: { name, learners: [\`one-\${learner_id}\`, \`two-\${learner_id}\`], skip_external_initialization: true, show_registration_guids: true },
}));
const user = take(await client.POST('/realm_user.json', { body: { email, realm_role_id: 2 } }));
const rows = take(await client.GET('/run.json', {
  params: { query: { name: 'bright_completion_matrix', query_scope: 'bright', parameters: { guid_prefix: 'first' } } },
}));
const { response: { status: missing } } = await client.GET('/course/{id}.json', { params: { path: { id: 'none' } } });

/** Calls that do not compile. */
export const refused = () => [
  // @ts-expect-error course_guid is required
  client.POST('/registration.json', { body: { learner_id } }),
  // @ts-expect-error the body is required
  client.POST('/registration.json', {}),
  // @ts-expect-error finished is no state
  registration.complete === 'finished',
];
${report}`;

/** Ten calls with the functions of Hey API. */
export const heyApiCalls = `
import './program.ts';
import * as registrar from './registrar/sdk.gen.ts';
import type { Registration } from './registrar/types.gen.ts';
${start}
const key = take(await registrar.apiKeysCreate({
  body: { lifetime_hours: 1 },
  auth: ({ scheme }) => (scheme === 'basic' ? \`\${REALM_GUID}:\${REALM_SECRET_KEY}\` : undefined),
}));
if (!key.access_token.startsWith('rgk_')) throw new Error('the token has another prefix');

const courses = take(await registrar.coursesList({ query: { 'course_guid[]': [course_guid] } }));
const registration: Registration = take(
  await registrar.registrationsCreate({ body: { course_guid, learner_id, dont_duplicate: false } }),
);
const { registration_guid } = registration;
const shown = take(await registrar.registrationsGet({ path: { id: registration_guid } }));
const listed = take(await registrar.registrationsList({
  query: { learner_id, include_inactive: true, max_age: 3600, course_guid_re: ['^first', 'basics$'] },
}));
const custom = { department: 'sales', levels: [1, 2] };
const updated = take(await registrar.registrationsUpdate({ path: { id: registration_guid }, body: { custom } }));
const launch = take(await registrar.registrationsLaunchUrl({ path: { registration_guid }, query: { review: true } }));
const invitation = take(await registrar.invitationsCreate({
  body: { name, license: false, course_guids: [course_guid] },
}));
const added = take(await registrar.invitationsAddLearners({
  body: { name, learners: [\`one-\${learner_id}\`, \`two-\${learner_id}\`], skip_external_initialization: true, show_registration_guids: true },
}));
const user = take(await registrar.realmUsersCreate({ body: { email, realm_role_id: 2 } }));
const rows = take(await registrar.storedQueriesRun({
  query: { name: 'bright_completion_matrix', query_scope: 'bright', parameters: { guid_prefix: 'first' } },
}));
const missing = (await registrar.coursesGet({ path: { id: 'none' } })).response?.status;

/** Calls that do not compile. */
export const refused = () => [
  // @ts-expect-error course_guid is required
  registrar.registrationsCreate({ body: { learner_id } }),
  // @ts-expect-error the body is required
  registrar.registrationsCreate({}),
  // @ts-expect-error finished is no state
  registration.complete === 'finished',
  // @ts-expect-error aliases are left out
  registrar.registrationsGcreate,
];
${report}`;
