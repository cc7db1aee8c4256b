import type { Item, ItemKind, RealmName } from './access-world.ts';

/** What there is to reach, by the sections of api-v2.md. */
export type Resource =
  | 'keys'
  | 'providers'
  | 'courses'
  | 'registrations'
  | 'invitations'
  | 'realm users'
  | 'templates'
  | 'queries';

export type Right = 'nothing' | 'reading' | 'changing';

interface Rule {
  /** All applications of the realm, or one. */
  readonly reaches: 'realm' | 'application';
  /** Cut down to the user that the key is bound to. */
  readonly user: boolean;
  readonly rights: Readonly<Record<Resource, Right>>;
}

const ofRealm = {
  keys: 'nothing',
  providers: 'reading',
  courses: 'changing',
  registrations: 'changing',
  invitations: 'changing',
  'realm users': 'changing',
  templates: 'changing',
  queries: 'reading',
} as const;

/** "That application's courses and registrations only." */
const ofApplication = {
  ...ofRealm,
  invitations: 'nothing',
  'realm users': 'nothing',
  templates: 'nothing',
} as const;

/** "Their own registrations, the realm's courses and templates, stored queries over their own rows." */
const ofUser = {
  ...ofRealm,
  courses: 'reading',
  invitations: 'nothing',
  'realm users': 'nothing',
  templates: 'reading',
} as const;

/** "The same, cut down to that user." */
const ofUserInApplication = { ...ofUser, templates: 'nothing' } as const;

/** What every access mode and kind of key reaches: decisions 14 and 15, as a table. */
export const rules = {
  'realm pair': { reaches: 'realm', user: false, rights: { ...ofRealm, keys: 'changing' } },
  'key of the realm': { reaches: 'realm', user: false, rights: ofRealm },
  'provider pair': {
    reaches: 'application',
    user: false,
    rights: { ...ofApplication, keys: 'changing' },
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

/** What a caller reaches. */
export interface Reach {
  readonly realm: RealmName;
  readonly applications: readonly number[];
  readonly user: string | null;
  readonly rights: Readonly<Record<Resource, Right>>;
}

/** Whether an item is the caller's to see. */
export const isWithin = (reach: Reach, item: Item): boolean =>
  item.realm === reach.realm &&
  (item.application === null || reach.applications.includes(item.application)) &&
  (reach.user === null || item.learner === null || item.learner === reach.user);

/** How an item is out of reach: named for the tests, one of each is tried. */
export function placeOf(reach: Reach, item: Item): string {
  if (isWithin(reach, item)) return 'own';
  if (item.realm !== reach.realm) return 'of another realm';
  return item.application !== null && !reach.applications.includes(item.application)
    ? 'of another application'
    : 'of another user';
}

const order: readonly Right[] = ['nothing', 'reading', 'changing'];

/** Whether the caller may do that at all; 401 if not, whatever the request names. */
export const may = (reach: Reach, resource: Resource, right: Right): boolean =>
  order.indexOf(reach.rights[resource]) >= order.indexOf(right);

/** What an item is part of. */
export const resourceOf: Readonly<Record<ItemKind, Resource>> = {
  application: 'providers',
  course: 'courses',
  registration: 'registrations',
  invitation: 'invitations',
  'realm user': 'realm users',
  template: 'templates',
  query: 'queries',
};
