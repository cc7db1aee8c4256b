import {
  type AccessScope,
  autocompleteRealmUsers,
  createRealmUser,
  type EmailAddress,
  emailAddress,
  Failure,
  indexRealmUsers,
  mergeRealmUserCustom,
  realmUserRecord,
  requireOwnUserOrRealm,
  requireRealmAccess,
  requireRealmUserUpdate,
  textLimits,
  updateRealmUser,
} from '@registrar/contracts';
import { defineRecord } from '@registrar/formats';
import * as z from 'zod';
import { listParameters, readList, singlePage } from '../lists/paging.ts';
import { defineOperation, type Operation } from '../operations/operation.ts';
import { customMergeParameters, customMergeValues } from '../parameters/custom-merge.ts';
import { exactFilter, idParameter, optionalText } from '../parameters/parameter-types.ts';

/** The realm user record (contract/realm-users#record). */
const realmUserDefinition = defineRecord('realm-user', 'realm-users', realmUserRecord, {
  sets: { public_minimum: ['id', 'user_id', 'email'] },
});

/** The address of a user, a text in JSON (contract/realm-users#autocomplete-response). */
const emailRecord = realmUserRecord.pick({ email: true });
const emailDefinition = defineRecord('email', 'emails', emailRecord, { plain: true });

const exampleEmail = 'teacher@example.com';
const custom = optionalText(textLimits.custom).meta({
  description: 'Any text, usually JSON.',
  example: '{"badge":7}',
});
const realmRoleId = idParameter.optional().meta({
  description: '1 for a learner, 2 for a subscriber; other numbers are roles of your own.',
  example: 1,
});

/** The operations on realm users (contract/realm-users). */
export const realmUserOperations: readonly Operation[] = [
  // contract/realm-users#index
  defineOperation({
    name: 'realm_user index',
    summary: "Lists the realm's users.",
    routes: [{ method: 'GET', path: '/realm_user' }],
    parameters: z.object({
      email: exactFilter.describe('The user with this e-mail address.'),
      ...listParameters,
    }),
    record: realmUserDefinition,
    list: true,
    requireAccess: requireRealmAccess,
    execute: async ({ bus, scope, parameters: { email, ...range } }) => ({
      pages: readList(bus, indexRealmUsers, { scope, filters: { email } }, range),
    }),
  }),

  // contract/realm-users#create
  defineOperation({
    name: 'realm_user create',
    summary: 'Creates a user of the realm.',
    routes: [
      { method: 'POST', path: '/realm_user' },
      { method: 'GET', path: '/realm_user/gcreate' },
    ],
    parameters: z.object({
      email: emailAddress.meta({
        description: "The user's e-mail address.",
        example: exampleEmail,
      }),
      custom,
      realm_role_id: realmRoleId,
    }),
    record: realmUserDefinition,
    status: 201,
    errorStatuses: [302],
    requireAccess: requireRealmAccess,
    execute: async ({ bus, scope, parameters: { email, custom, realm_role_id } }) => ({
      record: await bus.request(createRealmUser, {
        scope,
        email,
        custom,
        realmRoleId: realm_role_id ?? null,
      }),
    }),
  }),

  // contract/realm-users#update
  defineOperation({
    name: 'realm_user update',
    summary: 'Changes a user of the realm.',
    routes: [
      { method: 'PUT', path: '/realm_user/:id' },
      { method: 'POST', path: '/realm_user/:id' },
      { method: 'PUT', path: '/realm_user' },
      { method: 'GET', path: '/realm_user/gupdate' },
      { method: 'GET', path: '/realm_user/gupdate/:id' },
    ],
    namedBy: 'email',
    parameters: z.object({
      email: emailAddress.optional().meta({
        description: 'Without an id in the path: the user to change.',
        example: exampleEmail,
      }),
      custom,
      realm_role_id: realmRoleId,
    }),
    record: realmUserDefinition,
    requireAccess: requireRealmUserUpdate,
    execute: async ({ bus, scope, path, parameters: { email, custom, realm_role_id } }) => ({
      record: await bus.request(updateRealmUser, {
        scope,
        user: selectUser(scope, path['id'], email),
        custom,
        realmRoleId: realm_role_id ?? null,
      }),
    }),
  }),

  // contract/realm-users#gcustom
  defineOperation({
    name: 'realm_user gcustom',
    summary: "Merges parameters into a realm user's custom data.",
    routes: [
      { method: 'GET', path: '/realm_user/gcustom' },
      { method: 'POST', path: '/realm_user/gcustom' },
    ],
    parameters: z.object({
      email: emailAddress
        .optional()
        .meta({ description: 'The user with this e-mail address.', example: exampleEmail }),
      id: idParameter.optional().describe('The user with this id, instead of `email`.'),
      ...customMergeParameters,
    }),
    acceptsExtraParameters: true,
    record: realmUserDefinition,
    errorStatuses: [404],
    requireAccess: requireOwnUserOrRealm,
    execute: async ({ bus, scope, parameters, extraParameters }) => {
      return {
        record: await bus.request(mergeRealmUserCustom, {
          scope,
          user: selectUser(scope, parameters.id, parameters.email),
          key: parameters.key,
          values: customMergeValues(parameters, extraParameters),
        }),
      };
    },
  }),

  // contract/realm-users#autocomplete
  defineOperation({
    name: 'realm_user autocomplete',
    summary: 'Lists e-mail addresses of users that match a text.',
    routes: [{ method: 'GET', path: '/realm_user/autocomplete' }],
    parameters: z.object({
      q: z.string().max(255).default('').describe('The text to find. Also named `term`.'),
    }),
    formerNames: { term: 'q' },
    record: emailDefinition,
    list: true,
    requireAccess: requireRealmAccess,
    execute: async ({ bus, scope, parameters: { q } }) => {
      const { emails } = await bus.request(autocompleteRealmUsers, { scope, text: q });
      return { pages: singlePage(emails.map((email) => ({ email }))) };
    },
  }),
];

/**
 * Identifies a user by id or address (contract/realm-users#update-routes); a user-bound key need not name its own.
 *
 * @param id a number, or the text of `:id`
 * @throws {Failure} `invalid` with both an id and an address, `not-found` with neither
 */
function selectUser(
  scope: AccessScope,
  id: number | string | undefined,
  given: EmailAddress | undefined,
) {
  if (id !== undefined && given !== undefined) {
    throw new Failure('invalid', 'both an id and an e-mail address are given');
  }
  const email = given ?? (id === undefined ? scope.user?.email : undefined);
  if (email !== undefined) return { by: 'email' as const, email };
  const number = typeof id === 'string' ? idParameter.safeParse(id).data : id;
  if (number === undefined) throw new Failure('not-found', 'no id or e-mail address is given');
  return { by: 'id' as const, id: number };
}
