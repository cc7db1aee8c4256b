import type { Caller } from './access-callers.ts';
import { isWithin } from './access-rules.ts';
import type { AccessWorld, Item, ItemKind } from './access-world.ts';

/** What a caller reaches of a kind. */
export const within = (caller: Caller, world: AccessWorld, kind: ItemKind): Item[] =>
  world.ofKind(kind).filter((item) => isWithin(caller, item));

/** The lists, by what names a record in them. */
export const lists: Readonly<
  Record<
    string,
    {
      readonly kind: ItemKind;
      readonly field: string;
      own(caller: Caller, world: AccessWorld): string[];
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
  return (caller: Caller, world: AccessWorld) =>
    within(caller, world, kind).map(({ id }) => String(id));
}

function namesOf(kind: ItemKind) {
  return (caller: Caller, world: AccessWorld) =>
    within(caller, world, kind).map(({ name }) => name.toLowerCase());
}
