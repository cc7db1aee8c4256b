import type { Parameters } from '../conformance/client.ts';
import type { Installation } from '../conformance/installation.ts';
import { onlyRecordOf, recordOf, textOf } from '../conformance/checks.ts';
import type { DocumentedOperation } from './open-api-document.ts';

/** Items that requests can name, and the key that reaches them. */
export interface Facts {
  readonly key: { readonly api_key: string };
  /** A valid value for a parameter; an array is given several times, undefined not at all. */
  value(operation: DocumentedOperation, parameter: string): Parameters[string];
  /** The part of a path. */
  item(operation: DocumentedOperation): string;
  /** What makes a create find that the item is there already. */
  taken(operation: DocumentedOperation): Parameters;
}

const title = 'A documented course';
const custom = '{"documented":true}';

/** What a request must have beside what the document can say: one of several ways to name an item. */
export const alsoNeeded: Readonly<Record<string, readonly string[]>> = {
  'course create': ['course_guid', 'course_provider_id'],
  'registration create': ['course_guid', 'learner_id'],
  'registration update': ['custom'],
  'invitation create': ['name'],
  'invitation update': ['name'],
  'invitation add_learners': ['name'],
  'realm_user create': ['email'],
  'realm_user update': ['email'],
  'template create': ['name'],
  'template update': ['name'],
  'run index': ['name'],
};

/** Makes an item of each kind. */
export async function prepareFacts(on: Installation): Promise<Facts> {
  const key = (await on.realmKey()) as Facts['key'];
  const post = async (path: string, more: Record<string, string>) =>
    recordOf(await on.api.post(`${path}.json`, { ...on.realm, ...more }), 201);
  const course_guid = await on.importCourse('documented', { title, custom });
  const courses = await on.api.get('/course.json', { ...on.realm, course_guid });
  const course_provider_id = String(onlyRecordOf(courses)['course_provider_id']);
  const learner_id = on.learner();
  const registration_guid = await on.register(course_guid, learner_id);
  const text = { body: 'Welcome!', markup: 'mustache', mimetype: 'text/plain' };
  const template = await post('/template', { name: on.unique('template'), ...text });
  const invitation = await post('/invitation', { name: on.unique('invitation') });
  const email = on.learner();
  const realmUser = await post('/realm_user', { email });

  const registrationFilters = { id: registration_guid, registration_guid, course_guid, learner_id };
  const known: Record<string, () => Parameters> = {
    'api_key create': () => ({ user_email: on.learner(), course_provider_id }),
    'course index': () => ({
      ...{ id: course_guid, course_guid, title, custom },
      ...{ id_re: ['^conf', course_guid], course_guid_re: ['.'], title_re: ['course$'] },
      ...{ custom_re: ['"documented":', '^.'], include_registrations: 't' },
    }),
    'course create': () => ({ course_guid, course_provider_id, title, custom }),
    'course update': () => ({ title, custom }),
    'registration index': () => ({
      ...registrationFilters,
      ...{ last_only: 't', crawl: 't', refresh_if_launched: 't', include_inactive: 't' },
      ...{ id_re: ['.'], registration_guid_re: ['.'], course_guid_re: ['.'] },
      ...{ learner_id_re: ['@', 'example'] },
    }),
    'registration create': () => ({
      ...{ course_guid, learner_id: on.learner(), dont_duplicate: 't', check_hosted: 't' },
      ...{ fname: 'Robin', lname: 'Learner' },
    }),
    'registration update': () => ({ custom }),
    'registration launch_url': () => ({
      ...{ review: 't', redirect_url: 'https://client.example/back?a=1', tags: '[]' },
      launching: 't',
    }),
    'invitation index': () => ({ id: String(invitation['id']), name: textOf(invitation, 'name') }),
    'invitation create': () => ({ name: on.unique('invitation'), ...invitationText() }),
    'invitation update': () => ({ name: textOf(invitation, 'name'), ...invitationText() }),
    'invitation add_learners': () => ({
      name: textOf(invitation, 'name'),
      learners: JSON.stringify([on.learner(), on.learner()]),
      unlearners: JSON.stringify([on.learner()]),
      ...{ nodelay: 't', skip_external_initialization: 't', show_registration_guids: 't' },
    }),
    'realm_user index': () => ({ email }),
    'realm_user create': () => ({ email: on.learner(), custom, realm_role_id: '1' }),
    'realm_user update': () => ({ email, custom, realm_role_id: '1' }),
    'template index': () => ({ name: textOf(template, 'name'), ...text, body: undefined }),
    'template create': () => ({ name: on.unique('template'), ...text }),
    'template update': () => ({ name: textOf(template, 'name'), ...text }),
    'run index': () => ({ name: 'completion_by_course', query_scope: 'bright' }),
  };
  const invitationText = () => ({
    ...{ description: 'For the tests', enabled: 't', license: 'f', custom },
    ...{ avoid_duplicate_registrations: 't', no_updates_allowed: 'f' },
    ...{
      course_guids: JSON.stringify([course_guid]),
      invitation_template_id: String(template['id']),
    },
  });
  const items: Record<string, string> = {
    course: course_guid,
    registration: registration_guid,
    invitation: String(invitation['id']),
    realm_user: String(realmUser['id']),
    template: String(template['id']),
  };

  return {
    key,
    value(operation, parameter) {
      const values = known[operation.name]?.() ?? {};
      if (!(parameter in values)) {
        throw new Error(`no value is known for ${parameter} of ${operation.id}`);
      }
      // A realm user is named by the path or by the address, never by both.
      const namedByPath = operation.path.includes('{id}') && parameter === 'email';
      return namedByPath ? undefined : values[parameter];
    },
    taken: ({ name }) =>
      name === 'template create' ? { name: textOf(template, 'name') } : { email },
    item: ({ name }) => items[name.split(' ')[0] ?? ''] ?? 'none',
  };
}
