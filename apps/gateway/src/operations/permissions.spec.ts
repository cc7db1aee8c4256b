import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import * as contracts from '@registrar/contracts';
import * as z from 'zod';
import { type GatewayFixture, startGatewayFixture } from '../gateway.fixture.ts';
import { operations } from './operation-table.ts';

const { accessScope, permission } = contracts;
type Permission = contracts.Permission;

/** The operations that need another permission than `write` (contract/api-keys#permissions). */
const withoutPermission = ['api_key renew', 'api_key delete'];
const launching = ['registration launch_url'];
const reading = [
  ...['course index', 'course show', 'course_provider index'],
  ...['registration index', 'registration show', 'invitation index', 'invitation show'],
  ...['realm_user index', 'realm_user autocomplete', 'template index'],
  ...['run', 'stored_query run', 'util reportage_urls'],
];

function requiredBy(operation: string): Permission | null {
  if (withoutPermission.includes(operation)) return null;
  if (launching.includes(operation)) return 'launch';
  return reading.includes(operation) ? 'read' : 'write';
}

const permissionSets = Array.from({ length: 2 ** permission.options.length }, (_, bits) =>
  permission.options.filter((_, position) => bits & (1 << position)),
);

type Contract = contracts.RequestContract | contracts.ListContract;
const takesAccessScope = (exported: unknown): exported is Contract =>
  typeof exported === 'object' &&
  exported !== null &&
  'permission' in exported &&
  'input' in exported &&
  exported.input instanceof z.ZodObject &&
  'scope' in exported.input.shape;

describe('the permissions of an API key', () => {
  let gateway: GatewayFixture;
  const tokenOf = (permissions: readonly Permission[]) => `key-to-${permissions.join('-')}`;

  beforeAll(async () => {
    gateway = await startGatewayFixture();
    const { scopes } = gateway.contexts;
    for (const permissions of permissionSets) {
      const limited = accessScope.parse({ ...scopes.get('key-of-realm'), permissions });
      scopes.set(tokenOf(permissions), limited);
    }
  });
  afterAll(() => gateway.stop());

  // Only realm and provider pairs create keys, and they have all permissions.
  const ofKeys = operations.filter(({ name }) => name !== 'api_key create');

  it.each(ofKeys)(
    'The permissions that $name requires are checked on each of its routes before the parameters',
    async ({ name, routes, requiredItem }) => {
      const required = requiredBy(name);
      for (const permissions of permissionSets) {
        const isPermitted = required === null || permissions.includes(required);
        for (const { method, path } of routes) {
          // The value of `_method` is malformed, and a required item missing: the check of access precedes both.
          const query = `_method=turn&api_key=${tokenOf(permissions)}`;
          const url = `${path.replace(/:\w+/, '7')}?${query}`;
          const status = await gateway.statusOf(url, { method });
          expect({ method, path, permissions, status }).toEqual({
            method,
            path,
            permissions,
            status: !isPermitted ? 401 : requiredItem === undefined ? 500 : 404,
          });
        }
      }
    },
  );

  it('the permissions of an API key are required by the contexts that do the work too', () => {
    const exported: readonly unknown[] = Object.values(contracts);
    const scoped = exported.filter(takesAccessScope);
    const names = (required: Permission | null) =>
      scoped
        .filter(({ permission }) => permission === required)
        .map(({ name }) => name)
        .sort();
    expect(names('launch')).toEqual(['catalog.preview-course', 'enrolment.launch-registration']);
    expect(names(null)).toEqual(['identity.delete-api-key', 'identity.renew-api-key']);
    expect(names('read')).toEqual([
      'catalog.index-courses',
      'catalog.index-templates',
      'catalog.list-course-versions',
      'catalog.read-course-settings',
      'enrolment.count-registrations-by-day',
      'enrolment.find-registration-details',
      'enrolment.index-invitations',
      'enrolment.index-registrations',
      'enrolment.latest-registrations',
      'enrolment.list-invitation-courses',
      'enrolment.list-invitation-learners',
      'enrolment.list-invitation-summaries',
      'enrolment.list-runnable-queries',
      'enrolment.read-query-result',
      'enrolment.recrawl-registrations',
      'enrolment.run-query',
      'identity.autocomplete-realm-users',
      'identity.index-course-providers',
      'identity.index-realm-users',
    ]);
  });

  it('the permissions of an API key are of operations that exist', () => {
    const names = operations.map(({ name }) => name);
    expect(names).toEqual(expect.arrayContaining([...withoutPermission, ...launching, ...reading]));
  });

  it('the permissions of an API key are named in the log when one is missing', async () => {
    await gateway.get(`/registration/reg-9/launch_url?api_key=${tokenOf(['read', 'write'])}`);
    expect(gateway.reasons().at(-1)).toBe('the API key has no permission to launch');
  });

  it('the permissions of an API key allow launches alone to a key that may only launch', async () => {
    const key = `api_key=${tokenOf(['launch'])}`;
    expect((await gateway.get(`/registration/reg-9/launch_url?${key}`)).status).toBe(200);
    expect(await gateway.statusOf(`/registration?${key}`)).toBe(401);
  });
});
