import type { Parameters } from '@registrar/conformance';
import type { Installation } from '@registrar/conformance';
import { onlyRecordOf, recordOf, textOf } from '@registrar/conformance';
import type { DocumentedOperation } from './open-api-document.ts';

/** Items that requests can name, and an API key that reaches them. */
export interface OpenApiFixture {
  readonly key: { readonly api_key: string };
  /** Returns a valid value of a parameter; an array is repeated, undefined is omitted. */
  value(operation: DocumentedOperation, parameter: string): Parameters[string];
  /** Returns the path segment that names an item: a new item for an operation that deletes it. */
  item(operation: DocumentedOperation): Promise<string>;
  /** Returns the access for an operation: a new API key for the delete of the own one. */
  access(operation: DocumentedOperation): Promise<Parameters>;
  /** Returns the parameters of a create whose item already exists. */
  existingItem(operation: DocumentedOperation): Parameters;
}

const title = 'A documented course';
const custom = '{"documented":true}';

/** Required parameters that the document cannot mark as required, because another may stand in their place. */
export const conditionallyRequired: Readonly<Record<string, readonly string[]>> = {
  'course create': ['course_guid', 'course_provider_id'],
  'registration create': ['learner_id'],
  'invitation create': ['name'],
  'realm_user gcustom': ['email', 'key'],
  'registration gcustom': ['key'],
};

/** Creates an item of each kind. */
export async function createOpenApiFixture(on: Installation): Promise<OpenApiFixture> {
  const key = (await on.realmKey()) as OpenApiFixture['key'];
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

  // A cursor before the first record.
  const page = { cursor: Buffer.from('0').toString('base64url') };
  const since = '2020-01-01T00:00:00Z';
  const registrationFilters = { id: registration_guid, registration_guid, course_guid, learner_id };
  const known: Record<string, () => Parameters> = {
    'api_key create': () => ({ user_email: on.learner(), course_provider_id }),
    'course index': () => ({
      id: course_guid,
      course_guid,
      title,
      custom,
      'course_guid[]': ['no-such-course', course_guid],
      id_re: ['^conf', course_guid],
      course_guid_re: ['.'],
      title_re: ['course$'],
      custom_re: ['"documented":', '^.'],
      ...page,
    }),
    'course create': () => ({ course_guid, course_provider_id, title, custom }),
    'course update': () => ({ title, custom }),
    'registration index': () => ({
      ...registrationFilters,
      'course_guid[]': [course_guid],
      id_re: ['.'],
      registration_guid_re: ['.'],
      course_guid_re: ['.'],
      learner_id_re: ['@', 'example'],
      complete: 'unknown',
      success: 'unknown',
      updated_since: since,
      created_since: since,
      sort: 'id',
      ...page,
    }),
    'registration create': () => ({ course_guid, learner_id: on.learner() }),
    'invitation index': () => ({
      id: String(invitation['id']),
      name: textOf(invitation, 'name'),
      ...page,
    }),
    'invitation create': () => ({ name: on.unique('invitation'), ...invitationText() }),
    'invitation update': () => ({ name: textOf(invitation, 'name'), ...invitationText() }),
    'invitation add_learners': () => ({
      name: textOf(invitation, 'name'),
      learners: JSON.stringify([on.learner(), on.learner()]),
      unlearners: JSON.stringify([on.learner()]),
    }),
    'course_provider index': () => page,
    'realm_user index': () => ({ email, ...page }),
    'realm_user create': () => ({ email: on.learner() }),
    'realm_user update': () => ({ email }),
    'realm_user gcustom': () => ({ email, id: undefined }),
    'realm_user autocomplete': () => ({ q: email }),
    'template index': () => ({
      name: textOf(template, 'name'),
      ...text,
      body: undefined,
      ...page,
    }),
    'template create': () => ({ name: on.unique('template') }),
    'template update': () => ({ name: textOf(template, 'name') }),
    'stored_query delete': () => ({ query_scope: 'provider', course_provider_id }),
  };
  const invitationText = () => ({
    license: 'false',
    no_updates_allowed: 'false',
    course_guids: JSON.stringify([course_guid]),
    invitation_template_id: String(template['id']),
  });
  const deletable: Record<string, () => Promise<string>> = {
    'course delete': () => on.importCourse('deletable'),
    'registration delete': () => on.register(course_guid),
    'invitation delete': async () =>
      String((await post('/invitation', { name: on.unique('invitation') }))['id']),
    'template delete': async () =>
      String((await post('/template', { name: on.unique('template') }))['id']),
    'api_key delete': async () => String((await post('/api_key', {}))['id']),
  };
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
        // The document has an example unless the value depends on the items of this fixture.
        const { example, schema } =
          operation.parameters.find(({ name }) => name === parameter) ?? {};
        const valid = example ?? (schema?.type === 'boolean' ? 'true' : undefined);
        if (valid !== undefined) return valid;
        throw new Error(`${operation.id}: the parameter ${parameter} has no documented example`);
      }
      // The path or the e-mail address names a realm user, not both.
      const namedByPath = operation.path.includes('{id}') && parameter === 'email';
      return namedByPath ? undefined : values[parameter];
    },
    existingItem: ({ name }) =>
      name === 'template create' ? { name: textOf(template, 'name') } : { email },
    item: async ({ name }) =>
      (await deletable[name]?.()) ?? items[name.split(' ')[0] ?? ''] ?? 'none',
    async access({ name, path }) {
      // An API key cannot create API keys.
      if (name === 'api_key create') return on.realm;
      return name === 'api_key delete' && !path.includes('{id}') ? on.key(on.realm) : key;
    },
  };
}
