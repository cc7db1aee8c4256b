import type { JsonRecord } from '@registrar/conformance';
import type { Parameters } from '@registrar/conformance';
import type { Caller } from './access-callers.ts';
import type { Resource, Right } from './access-rules.ts';
import type { AccessFixture, Item, ItemKind } from './access-fixture.ts';
import type { DocumentedOperation } from './open-api-document.ts';

export type Route = readonly [method: 'GET' | 'POST' | 'PUT' | 'DELETE', path: string];

/** A request that the matrix sends on every route of an operation. */
export interface MatrixRequest {
  /** The name of a documented operation, followed by what distinguishes this request. */
  readonly name: string;
  readonly resource: Resource;
  readonly right: Right;
  /** The kind of item that the request names; null for a request that names none, which is sent once for each route. */
  readonly itemKind: ItemKind | null;
  /** The status for an item of the caller; `the item` for a list that contains only that item. */
  readonly expectedForOwn: number | 'the item';
  /** The status, or the empty list, for an item that does not exist or is out of reach. */
  readonly expectedForMissing: number | 'an empty list';
  /** Returns all parameters; they name `item` where the path does not. */
  parameters(item: Item, caller: Caller, world: AccessFixture): Parameters;
  /** The request deletes the API key that it carries: it is sent with a new one. */
  readonly deletesOwnKey?: true;
  /** Returns the segment of the path that names an item. */
  readonly pathPart?: (item: Item) => string;
  /** The user of a user-bound key is permitted too, without a right to the resource. */
  readonly reachesOwnUser?: boolean;
  /** Records the items that a successful request created. */
  onCreated?(record: JsonRecord, caller: Caller, world: AccessFixture): void;
}

const byName = ({ name }: Item) => name;
const byId = ({ id }: Item) => String(id);

const deletion = (
  word: string,
  resource: Resource,
  itemKind: ItemKind,
  pathPart: NonNullable<MatrixRequest['pathPart']>,
): MatrixRequest => ({
  name: `${word} delete`,
  resource,
  right: 'deleting',
  itemKind,
  pathPart,
  expectedForOwn: 200,
  expectedForMissing: 404,
  parameters: () => ({}),
});
const list = (
  resource: Resource,
  path: string,
  names: ItemKind,
  parameters: MatrixRequest['parameters'],
): MatrixRequest => ({
  name: `${path.slice(1)} index by ${Object.keys(parameters(anyItem, anyCaller, anyWorld)).join()}`,
  resource,
  right: 'reading',
  itemKind: names,
  expectedForOwn: 'the item',
  expectedForMissing: 'an empty list',
  parameters,
});
const anyItem = { id: 0, name: '' } as Item;
const anyCaller = {} as Caller;
const anyWorld = {} as AccessFixture;

/**
 * The requests whose parameters, statuses or effects the OpenAPI document does not describe.
 * {@link documentedRequests} adds all others.
 */
export const matrixRequests: readonly MatrixRequest[] = [
  {
    name: 'api_key create for an application',
    resource: 'keys',
    right: 'changing',
    itemKind: 'application',
    expectedForOwn: 201,
    expectedForMissing: 404,
    parameters: ({ id }) => ({ course_provider_id: String(id) }),
  },

  {
    name: 'api_key renew',
    resource: 'the key of the request',
    right: 'changing',
    itemKind: null,
    expectedForOwn: 200,
    expectedForMissing: 200,
    parameters: () => ({}),
  },
  {
    name: 'api_key delete',
    resource: 'the key of the request',
    right: 'deleting',
    itemKind: null,
    deletesOwnKey: true,
    expectedForOwn: 200,
    expectedForMissing: 200,
    parameters: () => ({}),
  },
  deletion('api_key', 'other keys', 'key', byId),
  deletion('course', 'courses', 'course', byName),
  deletion('registration', 'registrations', 'registration', byName),
  deletion('invitation', 'invitations', 'invitation', byId),
  deletion('template', 'templates', 'template', byId),
  deletion('stored_query', 'queries', 'query', byName),

  list('courses', '/course', 'course', ({ name }) => ({ course_guid: name })),
  list('courses', '/course', 'course', ({ name }) => ({ id: name })),
  list('courses', '/course', 'course', ({ name }) => ({ id_re: `^${name}$` })),
  {
    name: 'course create in an application',
    // An application out of reach is no valid access to it (contract/access#provider-pair-beside).
    resource: 'courses',
    right: 'changing',
    itemKind: 'application',
    expectedForOwn: 201,
    expectedForMissing: 401,
    parameters: ({ id }, _caller, world) => ({
      course_provider_id: String(id),
      course_guid:
        world.itemsOfKind('course').find(({ application }) => application === id)?.name ?? 'none',
    }),
  },
  {
    name: 'course create of a course that the provider has',
    resource: 'courses',
    right: 'changing',
    itemKind: 'course',
    expectedForOwn: 201,
    expectedForMissing: 404,
    parameters: ({ name, application }, { applications }) => {
      const named = applications.find((id) => id === application) ?? applications[0];
      return { course_guid: name, course_provider_id: String(named) };
    },
  },
  {
    name: 'course update',
    resource: 'courses',
    right: 'changing',
    itemKind: 'course',
    expectedForOwn: 200,
    expectedForMissing: 404,
    pathPart: byName,
    parameters: (_item, { signature }) => ({ custom: signature }),
  },

  {
    name: 'course check without a package',
    resource: 'courses',
    right: 'changing',
    itemKind: null,
    expectedForOwn: 500,
    expectedForMissing: 500,
    parameters: () => ({}),
  },

  {
    name: 'course_provider index',
    resource: 'providers',
    right: 'reading',
    itemKind: null,
    expectedForOwn: 200,
    expectedForMissing: 200,
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
    resource: 'registrations',
    right: 'changing',
    itemKind: 'course',
    expectedForOwn: 201,
    expectedForMissing: 404,
    parameters: ({ name }, _caller, { learners }) => ({
      course_guid: name,
      learner_id: learners[0],
    }),
    onCreated: (record, { realm }, world) => world.addRegistration(realm, record),
  },
  {
    name: 'registration update',
    resource: 'registrations',
    right: 'changing',
    itemKind: 'registration',
    expectedForOwn: 200,
    expectedForMissing: 404,
    pathPart: byName,
    parameters: (_item, { signature }) => ({ custom: JSON.stringify({ signature }) }),
  },
  {
    name: 'registration gcustom',
    resource: 'registrations',
    right: 'changing',
    itemKind: 'registration',
    expectedForOwn: 200,
    expectedForMissing: 404,
    pathPart: byName,
    parameters: () => ({ key: 'matrix', 'seen[by]': 'a caller' }),
  },
  {
    name: 'registration launch_url',
    resource: 'registrations',
    right: 'changing',
    itemKind: 'registration',
    expectedForOwn: 200,
    expectedForMissing: 404,
    pathPart: byName,
    parameters: () => ({}),
  },

  list('invitations', '/invitation', 'invitation', ({ id }) => ({ id: String(id) })),
  list('invitations', '/invitation', 'invitation', ({ name }) => ({ name })),
  {
    name: 'invitation create with a course',
    resource: 'invitations',
    right: 'changing',
    itemKind: 'course',
    expectedForOwn: 201,
    expectedForMissing: 404,
    parameters: ({ name }, _caller, world) => ({
      name: world.uniqueName('made'),
      course_guids: JSON.stringify([name]),
    }),
    onCreated: (record, { realm }, world) =>
      void world.addRealmItem('invitation', realm, record, String(record['name'])),
  },
  {
    name: 'invitation update by id',
    resource: 'invitations',
    right: 'changing',
    itemKind: 'invitation',
    expectedForOwn: 200,
    expectedForMissing: 404,
    pathPart: byId,
    parameters: (_item, { signature }) => ({ description: signature }),
  },
  {
    name: 'invitation update by name',
    resource: 'invitations',
    right: 'changing',
    itemKind: 'invitation',
    expectedForOwn: 200,
    expectedForMissing: 404,
    parameters: ({ name }, { signature }) => ({ name, description: signature }),
  },
  {
    name: 'invitation update with a course',
    resource: 'invitations',
    right: 'changing',
    itemKind: 'course',
    expectedForOwn: 200,
    expectedForMissing: 404,
    parameters: ({ name }, _caller, { run }) => ({
      name: `spring-${run}`,
      course_guids: JSON.stringify([name]),
    }),
  },
  {
    name: 'invitation add_learners',
    resource: 'invitations',
    right: 'changing',
    itemKind: 'invitation',
    expectedForOwn: 200,
    expectedForMissing: 404,
    parameters: ({ name }, _caller, { learners }) => ({
      name,
      learners: JSON.stringify(learners),
      skip_external_initialization: 't',
      api_template: 'extended',
    }),
    onCreated: (record, { realm }, world) => world.addInvitedRegistrations(realm, record),
  },

  list('realm users', '/realm_user', 'realm user', ({ name }) => ({ email: name })),
  {
    name: 'realm_user create',
    resource: 'realm users',
    right: 'changing',
    itemKind: 'realm user',
    expectedForOwn: 302,
    expectedForMissing: 201,
    parameters: ({ name }, { signature }) => ({
      email: name,
      custom: JSON.stringify({ signature }),
    }),
    onCreated: (record, { realm }, world) =>
      void world.addRealmItem('realm user', realm, record, String(record['email'])),
  },
  {
    name: 'realm_user update by id',
    resource: 'realm users',
    right: 'changing',
    itemKind: 'realm user',
    expectedForOwn: 200,
    expectedForMissing: 404,
    pathPart: byId,
    parameters: (_item, { signature }) => ({ custom: JSON.stringify({ signature }) }),
  },
  {
    name: 'realm_user update by address',
    resource: 'realm users',
    right: 'changing',
    itemKind: 'realm user',
    expectedForOwn: 200,
    expectedForMissing: 404,
    parameters: ({ name }, { signature }) => ({
      email: name,
      custom: JSON.stringify({ signature }),
    }),
  },

  {
    name: 'realm_user gcustom by address',
    resource: 'realm users',
    right: 'changing',
    itemKind: 'realm user',
    expectedForOwn: 200,
    expectedForMissing: 404,
    reachesOwnUser: true,
    parameters: ({ name }) => ({ email: name, key: 'matrix', seen: 't' }),
  },
  {
    name: 'realm_user gcustom by id',
    resource: 'realm users',
    right: 'changing',
    itemKind: 'realm user',
    expectedForOwn: 200,
    expectedForMissing: 404,
    reachesOwnUser: true,
    parameters: ({ id }) => ({ id: String(id), key: 'matrix', seen: 't' }),
  },
  {
    name: 'realm_user autocomplete',
    resource: 'realm users',
    right: 'reading',
    itemKind: 'realm user',
    expectedForOwn: 200,
    expectedForMissing: 'an empty list',
    parameters: ({ name }) => ({ q: name }),
  },

  list('templates', '/template', 'template', ({ name }) => ({ name })),
  {
    name: 'template create',
    resource: 'templates',
    right: 'changing',
    itemKind: 'template',
    expectedForOwn: 302,
    expectedForMissing: 201,
    parameters: ({ name }, { signature }) => ({ name, body: signature }),
    onCreated: (record, { realm }, world) =>
      void world.addRealmItem('template', realm, record, String(record['name'])),
  },
  {
    name: 'template update by id',
    resource: 'templates',
    right: 'changing',
    itemKind: 'template',
    expectedForOwn: 200,
    expectedForMissing: 404,
    pathPart: byId,
    parameters: (_item, { signature }) => ({ body: signature }),
  },
  {
    name: 'template update by name',
    resource: 'templates',
    right: 'changing',
    itemKind: 'template',
    expectedForOwn: 200,
    expectedForMissing: 404,
    parameters: ({ name }, { signature }) => ({ name, body: signature }),
  },

  {
    name: 'initialize',
    resource: 'initialization',
    right: 'changing',
    itemKind: null,
    expectedForOwn: 200,
    expectedForMissing: 200,
    parameters: () => ({}),
  },
  {
    name: 'run',
    resource: 'queries',
    right: 'reading',
    itemKind: 'query',
    expectedForOwn: 200,
    expectedForMissing: 404,
    parameters: ({ name }) => ({ name }),
  },
  {
    name: 'stored_query run',
    resource: 'queries',
    right: 'reading',
    itemKind: 'query',
    expectedForOwn: 200,
    expectedForMissing: 404,
    parameters: ({ name }) => ({ name, query_scope: 'bright', host_url: 'https://client.example' }),
  },
];

/** Returns the routes of a request's operation: those with an item in the path if the request has a `pathPart`. */
export const routesOf = (
  { name, pathPart }: MatrixRequest,
  documented: readonly DocumentedOperation[],
): Route[] =>
  documented
    .filter((each) => isRequestOf(name, each) && (pathPart !== undefined) === hasItem(each))
    .map(({ method, path }) => [method, path.replace('.{format}', '')]);

/** Tells whether a request belongs to an operation: `template update by id` to `template update`, `run` to `run index`. */
const isRequestOf = (name: string, operation: DocumentedOperation) =>
  `${name} `.startsWith(`${operation.name.replace(/^(initialize|run) index$/, '$1')} `);

const hasItem = ({ path }: DocumentedOperation) => /\{(?!format)/.test(path);

/** The resource, and the kind of item that its paths name, by the first word of the operation's name. */
const resources: Readonly<Record<string, readonly [Resource, ItemKind]>> = {
  api_key: ['keys', 'application'],
  course: ['courses', 'course'],
  course_provider: ['providers', 'application'],
  registration: ['registrations', 'registration'],
  invitation: ['invitations', 'invitation'],
  realm_user: ['realm users', 'realm user'],
  template: ['templates', 'template'],
  initialize: ['queries', 'query'],
  util: ['queries', 'query'],
  run: ['queries', 'query'],
};

/**
 * Derives a request for every documented route that {@link matrixRequests} does not cover. Its
 * parameters are the documented examples, and it must succeed only on items of the caller. An
 * operation whose routes are all GET counts as reading.
 */
export function documentedRequests(documented: readonly DocumentedOperation[]): MatrixRequest[] {
  const covered = new Set(
    matrixRequests.flatMap((tried) => routesOf(tried, documented)).map(String),
  );
  const rest = documented.filter(
    ({ method, path }) => !covered.has(String([method, path.replace('.{format}', '')])),
  );
  const requests = new Map<string, MatrixRequest>();
  for (const operation of rest) {
    const found = resources[operation.name.split(' ')[0] ?? ''];
    if (!found) throw new Error(`${operation.name}: its resource is not in access-requests.ts`);
    const [resource, kind] = found;
    const sameName = documented.filter(({ name }) => name === operation.name);
    const status = Number(Object.keys(operation.responses).find((each) => each.startsWith('2')));
    const parameters = Object.fromEntries(
      operation.parameters.flatMap((each) =>
        each.in === 'path' || each.example === undefined ? [] : [[each.name, each.example]],
      ),
    );
    requests.set(`${operation.name} ${hasItem(operation)}`, {
      name: operation.name,
      resource,
      itemKind: hasItem(operation) ? kind : null,
      expectedForOwn: status,
      right: sameName.every(({ method }) => method === 'GET') ? 'reading' : 'changing',
      expectedForMissing: hasItem(operation) ? 404 : status,
      ...(hasItem(operation) && {
        pathPart: kind === 'course' || kind === 'registration' ? byName : byId,
      }),
      parameters: () => parameters,
    });
  }
  return [...requests.values()];
}
