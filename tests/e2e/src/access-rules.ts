import type { Item, ItemKind, RealmName } from './access-fixture.ts';

/** The resources of the contract: one for each page of docs/contract, and keys by whose they are. */
export type Resource =
  | 'keys'
  | 'the key of the request'
  | 'other keys'
  | 'providers'
  | 'courses'
  | 'registrations'
  | 'invitations'
  | 'realm users'
  | 'templates'
  | 'queries'
  | 'initialization';

export type Right = 'nothing' | 'reading' | 'changing' | 'deleting';

/** What a kind of access reaches, and what it may do there. */
export interface Rule {
  /** All provider applications of the realm, or one. */
  readonly reaches: 'realm' | 'application';
  /** Whether access is limited to the user of the key. */
  readonly user: boolean;
  /** What a key may be used for (contract/api-keys#permissions); everything if absent. */
  readonly permissions?: string;
  readonly rights: Readonly<Record<Resource, Right>>;
}

/** contract/access#reach and contract/access#realm-deletes. */
const ofRealm = {
  keys: 'nothing',
  'the key of the request': 'deleting',
  'other keys': 'deleting',
  providers: 'reading',
  courses: 'deleting',
  registrations: 'deleting',
  invitations: 'deleting',
  'realm users': 'changing',
  templates: 'deleting',
  queries: 'deleting',
  initialization: 'changing',
} as const;

/** contract/access#reach: courses and registrations of one application. */
const ofApplication = {
  ...ofRealm,
  'other keys': 'nothing',
  courses: 'changing',
  registrations: 'changing',
  queries: 'reading',
  invitations: 'nothing',
  'realm users': 'nothing',
  templates: 'nothing',
} as const;

/** contract/access#reach: registrations of the user, courses and templates of the realm, stored queries over the user's rows. */
const ofUser = {
  ...ofRealm,
  'other keys': 'nothing',
  registrations: 'changing',
  queries: 'reading',
  courses: 'reading',
  invitations: 'nothing',
  'realm users': 'nothing',
  templates: 'reading',
} as const;

/** contract/access#reach: one application, limited to the user. */
const ofUserInApplication = { ...ofUser, templates: 'nothing' } as const;

/** contract/api-keys#permission-read: nothing is changed but the key itself. */
const ofReader = {
  keys: 'nothing',
  'the key of the request': 'deleting',
  'other keys': 'nothing',
  providers: 'reading',
  courses: 'reading',
  registrations: 'reading',
  invitations: 'reading',
  'realm users': 'reading',
  templates: 'reading',
  queries: 'reading',
  initialization: 'nothing',
} as const;

/** The reach of every access mode and kind of key (contract/access#reach). */
export const rules = {
  'realm pair': {
    reaches: 'realm',
    user: false,
    rights: { ...ofRealm, keys: 'changing', 'the key of the request': 'nothing' },
  },
  'key of the realm': { reaches: 'realm', user: false, rights: ofRealm },
  'key of the realm that may only read': {
    reaches: 'realm',
    user: false,
    permissions: 'read',
    rights: ofReader,
  },
  'provider pair': {
    reaches: 'application',
    user: false,
    rights: { ...ofApplication, keys: 'changing', 'the key of the request': 'nothing' },
  },
  'key of the provider pair': { reaches: 'application', user: false, rights: ofApplication },
  'key of the realm for an application': {
    reaches: 'application',
    user: false,
    rights: ofApplication,
  },
  'key of the realm for a user': { reaches: 'realm', user: true, rights: ofUser },
  'key of the provider pair for a user': {
    reaches: 'application',
    user: true,
    rights: ofUserInApplication,
  },
  'key of the realm for an application and a user': {
    reaches: 'application',
    user: true,
    rights: ofUserInApplication,
  },
} as const satisfies Record<string, Rule>;

export type CallerKind = keyof typeof rules;
export const callerKinds = Object.keys(rules) as CallerKind[];

/** The reach of one caller. */
export interface Reach {
  readonly realm: RealmName;
  readonly applications: readonly number[];
  readonly user: string | null;
  readonly rights: Readonly<Record<Resource, Right>>;
}

/** Tells whether an item is in the caller's reach. */
export const isInReach = (reach: Reach, item: Item): boolean =>
  item.realm === reach.realm &&
  (item.application === null || reach.applications.includes(item.application)) &&
  (reach.user === null || item.learner === null || item.learner === reach.user);

/** Names an item's relation to the caller. The matrix tries one item of each relation. */
export function relationOf(reach: Reach, item: Item): string {
  if (isInReach(reach, item)) return 'own';
  if (item.realm !== reach.realm) return 'of another realm';
  return item.application !== null && !reach.applications.includes(item.application)
    ? 'of another application'
    : 'of another user';
}

const order: readonly Right[] = ['nothing', 'reading', 'changing', 'deleting'];

/** Tells whether the caller has a right to a resource; without it every request returns 401. */
export const isPermitted = (reach: Reach, resource: Resource, right: Right): boolean =>
  order.indexOf(reach.rights[resource]) >= order.indexOf(right);

/** The resource to which each kind of item belongs. */
export const resourceOf: Readonly<Record<ItemKind, Resource>> = {
  application: 'providers',
  course: 'courses',
  registration: 'registrations',
  invitation: 'invitations',
  'realm user': 'realm users',
  template: 'templates',
  query: 'queries',
  key: 'other keys',
};
