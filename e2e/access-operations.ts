import type { JsonRecord } from '../conformance/checks.ts';
import type { Parameters } from '../conformance/client.ts';
import type { Caller } from './access-callers.ts';
import type { Resource, Right } from './access-rules.ts';
import type { AccessWorld, Item, ItemKind } from './access-world.ts';

export type Route = readonly [method: 'GET' | 'POST' | 'PUT', path: string];

/** An operation as the matrix tries it; the statuses are those of api-v2.md. */
export interface TriedOperation {
  readonly name: string;
  readonly routes: readonly Route[];
  readonly resource: Resource;
  readonly right: Right;
  /** What a request names, beside its access; one without names is sent once a route. */
  readonly names: ItemKind | null;
  /** When what is named is the caller's own; a list of records is the item alone. */
  readonly own: number | 'the item';
  /** When there is no such thing: for this caller, or for anyone. */
  readonly missing: number | 'an empty list';
  /** The parameters that name `item`, where the path does not, and all others. */
  parameters(item: Item, caller: Caller, world: AccessWorld): Parameters;
  /** The part of the path. */
  readonly part?: (item: Item) => string;
  /** Takes note of what a successful request made. */
  made?(record: JsonRecord, caller: Caller, world: AccessWorld): void;
}

const byName = ({ name }: Item) => name;
const byId = ({ id }: Item) => String(id);

const list = (
  resource: Resource,
  path: string,
  names: ItemKind,
  parameters: TriedOperation['parameters'],
): TriedOperation => ({
  name: `${path.slice(1)} index by ${Object.keys(parameters(anyItem, anyCaller, anyWorld)).join()}`,
  routes: [['GET', path]],
  ...{ resource, right: 'reading', names, own: 'the item', missing: 'an empty list', parameters },
});
const anyItem = { id: 0, name: '' } as Item;
const anyCaller = {} as Caller;
const anyWorld = {} as AccessWorld;

/** Everything that the API does, request by request. */
export const triedOperations: readonly TriedOperation[] = [
  {
    name: 'api_key create for an application',
    routes: [
      ['POST', '/api_key'],
      ['GET', '/api_key/gcreate'],
      ['GET', '/api_key/create'],
      ['POST', '/api_key/create'],
    ],
    ...{ resource: 'keys', right: 'changing', names: 'application', own: 201, missing: 404 },
    parameters: ({ id }) => ({ course_provider_id: String(id) }),
  },

  list('courses', '/course', 'course', ({ name }) => ({ course_guid: name })),
  list('courses', '/course', 'course', ({ name }) => ({ id: name })),
  list('courses', '/course', 'course', ({ name }) => ({ id_re: `^${name}$` })),
  {
    name: 'course create in an application',
    routes: [
      ['POST', '/course'],
      ['GET', '/course/gcreate'],
    ],
    // An application out of reach is no valid access to it (decision 13).
    ...{ resource: 'courses', right: 'changing', names: 'application', own: 201, missing: 401 },
    parameters: ({ id }, _caller, world) => ({
      course_provider_id: String(id),
      course_guid:
        world.ofKind('course').find(({ application }) => application === id)?.name ?? 'none',
    }),
  },
  {
    name: 'course create of what the provider holds',
    routes: [
      ['POST', '/course'],
      ['GET', '/course/gcreate'],
    ],
    ...{ resource: 'courses', right: 'changing', names: 'course', own: 201, missing: 404 },
    parameters: ({ name, application }, { applications }) => {
      const named = applications.find((id) => id === application) ?? applications[0];
      return { course_guid: name, course_provider_id: String(named) };
    },
  },
  {
    name: 'course update',
    routes: [
      ['PUT', '/course/{id}'],
      ['POST', '/course/{id}'],
      ['GET', '/course/gupdate/{id}'],
    ],
    ...{ resource: 'courses', right: 'changing', names: 'course', own: 200, missing: 404 },
    part: byName,
    parameters: (_item, { signature }) => ({ custom: signature }),
  },

  {
    name: 'course_provider index',
    routes: [['GET', '/course_provider']],
    ...{ resource: 'providers', right: 'reading', names: null, own: 200, missing: 200 },
    parameters: () => ({}),
  },

  list('registrations', '/registration', 'registration', ({ name }) => ({
    registration_guid: name,
  })),
  list('registrations', '/registration', 'registration', ({ name }) => ({ id: name, crawl: 't' })),
  list('registrations', '/registration', 'registration', ({ name }) => ({
    id_re: `^${name}$`,
    include_inactive: 't',
  })),
  list('registrations', '/registration', 'registration', ({ name }) => ({
    id: name,
    last_only: 't',
    refresh_if_launched: 't',
  })),
  {
    name: 'registration create',
    routes: [
      ['POST', '/registration'],
      ['GET', '/registration/gcreate'],
    ],
    ...{ resource: 'registrations', right: 'changing', names: 'course', own: 201, missing: 404 },
    parameters: ({ name }, _caller, { learners }) => ({
      course_guid: name,
      learner_id: learners[0],
    }),
    made: (record, { realm }, world) => world.addRegistration(realm, record),
  },
  {
    name: 'registration update',
    routes: [
      ['PUT', '/registration/{id}'],
      ['POST', '/registration/{id}'],
      ['GET', '/registration/gupdate/{id}'],
    ],
    ...{ resource: 'registrations', right: 'changing', names: 'registration' },
    ...{ own: 200, missing: 404, part: byName },
    parameters: (_item, { signature }) => ({ custom: JSON.stringify(signature) }),
  },
  {
    name: 'registration launch_url',
    routes: [['GET', '/registration/{registration_guid}/launch_url']],
    ...{ resource: 'registrations', right: 'changing', names: 'registration' },
    ...{ own: 200, missing: 404, part: byName },
    parameters: () => ({}),
  },

  list('invitations', '/invitation', 'invitation', ({ id }) => ({ id: String(id) })),
  list('invitations', '/invitation', 'invitation', ({ name }) => ({ name })),
  {
    name: 'invitation create with a course',
    routes: [
      ['POST', '/invitation'],
      ['GET', '/invitation/gcreate'],
    ],
    ...{ resource: 'invitations', right: 'changing', names: 'course', own: 201, missing: 404 },
    parameters: ({ name }, _caller, world) => ({
      name: world.fresh('made'),
      course_guids: JSON.stringify([name]),
    }),
    made: (record, { realm }, world) =>
      void world.addOwn('invitation', realm, record, String(record['name'])),
  },
  {
    name: 'invitation update by id',
    routes: [
      ['PUT', '/invitation/{id}'],
      ['POST', '/invitation/{id}'],
      ['GET', '/invitation/gupdate/{id}'],
    ],
    ...{ resource: 'invitations', right: 'changing', names: 'invitation' },
    ...{ own: 200, missing: 404, part: byId },
    parameters: (_item, { signature }) => ({ description: signature }),
  },
  {
    name: 'invitation update by name',
    routes: [['GET', '/invitation/gupdate']],
    ...{ resource: 'invitations', right: 'changing', names: 'invitation', own: 200, missing: 404 },
    parameters: ({ name }, { signature }) => ({ name, description: signature }),
  },
  {
    name: 'invitation update with a course',
    routes: [['GET', '/invitation/gupdate']],
    ...{ resource: 'invitations', right: 'changing', names: 'course', own: 200, missing: 404 },
    parameters: ({ name }, _caller, { run }) => ({
      name: `spring-${run}`,
      course_guids: JSON.stringify([name]),
    }),
  },
  {
    name: 'invitation add_learners',
    routes: [
      ['GET', '/invitation/add_learners'],
      ['POST', '/invitation/add_learners'],
    ],
    ...{ resource: 'invitations', right: 'changing', names: 'invitation', own: 200, missing: 404 },
    parameters: ({ name }, _caller, { learners }) => ({
      ...{ name, learners: JSON.stringify(learners), skip_external_initialization: 't' },
      api_template: 'extended',
    }),
    made: (record, { realm }, world) => world.addInvited(realm, record),
  },

  list('realm users', '/realm_user', 'realm user', ({ name }) => ({ email: name })),
  {
    name: 'realm_user create',
    routes: [
      ['POST', '/realm_user'],
      ['GET', '/realm_user/gcreate'],
    ],
    ...{ resource: 'realm users', right: 'changing', names: 'realm user', own: 302, missing: 201 },
    parameters: ({ name }, { signature }) => ({ email: name, custom: signature }),
    made: (record, { realm }, world) =>
      void world.addOwn('realm user', realm, record, String(record['email'])),
  },
  {
    name: 'realm_user update by id',
    routes: [
      ['PUT', '/realm_user/{id}'],
      ['POST', '/realm_user/{id}'],
      ['GET', '/realm_user/gupdate/{id}'],
    ],
    ...{ resource: 'realm users', right: 'changing', names: 'realm user' },
    ...{ own: 200, missing: 404, part: byId },
    parameters: (_item, { signature }) => ({ custom: signature }),
  },
  {
    name: 'realm_user update by address',
    routes: [
      ['PUT', '/realm_user'],
      ['GET', '/realm_user/gupdate'],
    ],
    ...{ resource: 'realm users', right: 'changing', names: 'realm user', own: 200, missing: 404 },
    parameters: ({ name }, { signature }) => ({ email: name, custom: signature }),
  },

  list('templates', '/template', 'template', ({ name }) => ({ name })),
  {
    name: 'template create',
    routes: [
      ['POST', '/template'],
      ['GET', '/template/gcreate'],
    ],
    ...{ resource: 'templates', right: 'changing', names: 'template', own: 302, missing: 201 },
    parameters: ({ name }, { signature }) => ({ name, body: signature }),
    made: (record, { realm }, world) =>
      void world.addOwn('template', realm, record, String(record['name'])),
  },
  {
    name: 'template update by id',
    routes: [
      ['PUT', '/template/{id}'],
      ['POST', '/template/{id}'],
      ['GET', '/template/gupdate/{id}'],
    ],
    ...{ resource: 'templates', right: 'changing', names: 'template' },
    ...{ own: 200, missing: 404, part: byId },
    parameters: (_item, { signature }) => ({ body: signature }),
  },
  {
    name: 'template update by name',
    routes: [['GET', '/template/gupdate']],
    ...{ resource: 'templates', right: 'changing', names: 'template', own: 200, missing: 404 },
    parameters: ({ name }, { signature }) => ({ name, body: signature }),
  },

  {
    name: 'initialize',
    routes: [['GET', '/initialize']],
    ...{ resource: 'queries', right: 'reading', names: null, own: 200, missing: 200 },
    parameters: () => ({}),
  },
  {
    name: 'run',
    routes: [['GET', '/run']],
    ...{ resource: 'queries', right: 'reading', names: 'query', own: 200, missing: 404 },
    parameters: ({ name }) => ({ name }),
  },
];
