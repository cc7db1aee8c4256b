import type { SeededRandom } from '@registrar/testing';
import type { FuzzRealm, ItemKind } from './fuzz-realm.ts';
import type { FuzzOperation, FuzzParameter } from './operations.ts';

/** The kind of item that the path or the name of a resource's operation means. */
const kindOf: Readonly<Record<string, ItemKind>> = {
  api_key: 'key',
  course: 'course',
  registration: 'registration',
  invitation: 'invitation',
  realm_user: 'realm user',
  template: 'template',
  run: 'query',
  stored_query: 'query',
};

/** Parameters that name an item of one kind, whatever the operation is. */
const kindOfParameter: Readonly<Record<string, ItemKind>> = {
  course_guid: 'course',
  courseId: 'course',
  registration_guid: 'registration',
  registrationId: 'registration',
  learner_id: 'learner',
  learnerId: 'learner',
  user_email: 'learner',
  email: 'realm user',
  q: 'learner',
};

/** Chooses a value that the operation accepts. */
export function validValue(
  operation: FuzzOperation,
  parameter: FuzzParameter,
  realm: FuzzRealm,
  random: SeededRandom,
): string {
  const { name, values } = parameter;
  const composed = composedValue(name, realm, random);
  if (composed !== undefined) return composed;
  if (name.endsWith('_re'))
    return random.pick(['^.', '[a-z]+', 'first', '^(a|b)', '\\d{2,4}', '$']);
  if (name === 'registrationId' && parameter.in === 'body') return `new-${random.integer(0, 1e9)}`;
  const kind =
    kindOfParameter[name] ??
    (['id', 'name'].includes(name) ? kindOf[operation.resource] : undefined);
  if (kind) return itemOf(kind, operation, parameter, realm, random);
  if (values.length > 0) return random.pick(values);
  return random.pick(['t', 'a text', 'Straße 5', '{"a":1}']);
}

/** Items to delete are spares; a name that an operation creates may be new. */
function itemOf(
  kind: ItemKind,
  { method, resource, path }: FuzzOperation,
  { name, in: place }: FuzzParameter,
  { items, spares }: FuzzRealm,
  random: SeededRandom,
): string {
  if (method === 'DELETE' && place === 'path') {
    const spare = /progress|launches|tags/.test(path) ? items[kind] : spares[kind];
    return spare.length > 0 ? random.pick(spare) : 'none';
  }
  const creates = (method === 'POST' && place === 'body') || path.endsWith('gcreate');
  const isOwnName =
    kindOf[resource] === kind || (kind === 'learner' && resource === 'registration');
  if (creates && isOwnName && random.next() < 0.8) {
    const unique = `new-${random.integer(0, 1e9)}`;
    return name === 'email' || kind === 'learner' ? `${unique}@example.com` : unique;
  }
  const known = [...items[kind], ...spares[kind].slice(-5)];
  const wanted = known.filter((each) => /^\d+$/.test(each) === (name === 'id'));
  return random.pick(
    name === 'id' || name === 'name' || name === 'email' ? orAll(wanted, known) : known,
  );
}

const orAll = (some: string[], all: string[]) => (some.length > 0 ? some : all);

/** Values that are made of several items, or that need no item; undefined for all others. */
function composedValue(name: string, realm: FuzzRealm, random: SeededRandom): string | undefined {
  const { items, applicationId, window, jobs } = realm;
  const pickLearners = () =>
    JSON.stringify([random.pick(items.learner), `new-${random.integer(0, 99)}@example.com`]);
  const makers: Readonly<Record<string, () => string>> = {
    course_provider_id: () => applicationId,
    learners: pickLearners,
    unlearners: pickLearners,
    course_guids: () => JSON.stringify([random.pick(items.course)]),
    license_data: () => JSON.stringify({ [random.pick(items.course)]: { seats_available: 1_000 } }),
    invitation_template_id: () => items.template.at(-1) ?? '1',
    title: () => `Title ${random.integer(0, 99)}`,
    custom: () => `{"n":${random.integer(0, 99)},"text":"=1+1"}`,
    body: () => 'Welcome {{name}}!',
    key: () => random.pick(['client', 'notes', 'x']),
    fields: () => random.pick(['id', 'id', 'id', 'id,created_at', 'name']),
    template: () => random.pick(['public', 'public_minimum', 'extended']),
    api_template: () => random.pick(['public', 'public_minimum', 'extended']),
    callback: () => random.pick(['show', 'app.show', '$', '_a1']),
    'Idempotency-Key': () => `key-${random.integer(0, 500)}`,
    'idempotency-key': () => `key-${random.integer(0, 500)}`,
    since: () => '2024-01-01T00:00:00Z',
    until: () => '2030-01-01',
    datetimeFilter: () => 'updated',
    filter: () => 'a',
    filterBy: () => random.pick(['course_id', 'title', 'registration_id']),
    orderBy: () => random.pick(['created_asc', 'updated_desc']),
    tags: () => '["a","b"]',
    registrationTags: () => '["a"]',
    more: () =>
      Buffer.from(
        '{"query":{"datetimeFilter":"updated"},"after":{"at":"2024-01-01T00:00:00.000Z","id":5}}',
      ).toString('base64url'),
    learner: () =>
      JSON.stringify({ id: random.pick(items.learner), firstName: 'Robin', lastName: 'Learner' }),
    expiry: () => '120',
    permissions: () => random.pick(['read', 'read,write', 'launch']),
    redirectOnExitUrl: () => 'https://client.example/back',
    tracking: () => 'true',
    command: () => random.pick(['start', 'choice', 'continue', 'previous']),
    target: () => window.activity,
    current: () => window.activity,
    activityId: () => window.activity,
    sitting: () => '1',
    sequence: () => String(random.integer(1, 1_000)),
    seconds: () => '12.5',
    runtime: () => '{"cmi":{"completion_status":"incomplete"},"suspend_data":"a"}',
    ended: () => 'false',
    closing: () => 'false',
    jobId: () => jobs.at(-1) ?? '1',
    token: () => window.token,
    contentRegistration: () => window.contentRegistration,
    contentKey: () => window.contentKey,
    release: () => 'any',
    file: () => random.pick(['player.js', 'player.css', 'none.js']),
    path: () => random.pick(['imsmanifest.xml', 'index.html', 'shared/launchpage.html', 'none']),
  };
  if (/^(includes?[A-Z]|mayCreate)/.test(name)) return random.pick(['true', 'false', 'True']);
  return makers[name]?.();
}
