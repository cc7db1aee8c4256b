import type { Caller } from './access-callers.ts';
import { isInReach } from './access-rules.ts';
import type { AccessFixture, Item, ItemKind } from './access-fixture.ts';

/** Returns the items of a kind that are in the caller's reach. */
export const itemsInReach = (caller: Caller, world: AccessFixture, kind: ItemKind): Item[] =>
  world.itemsOfKind(kind).filter((item) => isInReach(caller, item));

/** The indexes of the API, with the field that identifies a record in each. */
export const resourceLists: Readonly<
  Record<
    string,
    {
      readonly kind: ItemKind;
      readonly field: string;
      own(caller: Caller, world: AccessFixture): string[];
    }
  >
> = {
  '/course_provider': { kind: 'application', field: 'id', own: idsOf('application') },
  '/course': { kind: 'course', field: 'id', own: idsOf('course') },
  '/registration': {
    kind: 'registration',
    field: 'registration_guid',
    own: namesOf('registration'),
  },
  '/invitation': { kind: 'invitation', field: 'name', own: namesOf('invitation') },
  '/template': { kind: 'template', field: 'name', own: namesOf('template') },
  '/realm_user': {
    kind: 'realm user',
    field: 'email',
    own: ({ realm }, { users }) => [...users[realm]],
  },
};

function idsOf(kind: ItemKind) {
  return (caller: Caller, world: AccessFixture) =>
    itemsInReach(caller, world, kind).map(({ id }) => String(id));
}

function namesOf(kind: ItemKind) {
  return (caller: Caller, world: AccessFixture) =>
    itemsInReach(caller, world, kind).map(({ name }) => name.toLowerCase());
}
