import { expect } from 'vitest';
import type { JsonRecord } from '@registrar/conformance';
import type { ApiResponse } from '@registrar/conformance';
import type { Caller } from './access-callers.ts';
import { itemsInReach } from './access-lists.ts';
import type { MatrixRequest } from './access-requests.ts';
import { isInReach, isPermitted, relationOf, resourceOf } from './access-rules.ts';
import type { AccessFixture, Item } from './access-fixture.ts';

export const emptyError = (status: number) => ({ status, text: '' });

/** Returns the parts of a response that must be equal in two responses to the same request. */
export function comparable({ status, text, headers }: ApiResponse) {
  const { date: _, 'x-request-id': __, ratelimit: ___, ...others } = Object.fromEntries(headers);
  // Every created record has its own id and timestamps.
  return status === 201 ? { status } : { status, text, headers: others };
}

/** An id that no record has. */
const unknownId = 2_147_483_647;

export function nonexistentItem(
  { itemKind }: MatrixRequest,
  { realm }: Caller,
  world: AccessFixture,
): Item {
  const name =
    itemKind === 'realm user'
      ? `${world.uniqueName('none')}@example.com`
      : world.uniqueName('none');
  const kind = itemKind ?? 'course';
  return { kind, realm, application: null, learner: null, id: unknownId, name, marks: [] };
}

/** Returns one item for each relation to the caller, and one of each of its own applications. */
export async function targetItems(
  operation: MatrixRequest,
  caller: Caller,
  world: AccessFixture,
): Promise<[relation: string, item: Item][]> {
  const { itemKind, expectedForMissing, pathPart } = operation;
  if (itemKind === null) return [];
  const items = world.itemsOfKind(itemKind).filter(({ deleted }) => !deleted);
  const own = items.filter((item) => isInReach(caller, item));
  const chosen = new Map<string, Item>();
  for (const item of items) {
    const relation = relationOf(caller, item);
    const isOwn = relation === 'own';
    // A name that the caller's own item has as well does not identify another caller's item.
    if (!isOwn && !isIdOf(pathPart, item) && own.some(({ name }) => name === item.name)) continue;
    const key = isOwn ? `own of ${String(item.application)}` : relation;
    if (!chosen.has(key)) chosen.set(key, item);
  }
  // A create with an unused name creates the record, so each attempt needs a new name.
  if (expectedForMissing === 201 && (itemKind === 'template' || itemKind === 'realm user')) {
    const realm = caller.realm === 'a' ? 'b' : 'a';
    const name = world.uniqueName('elsewhere') + (itemKind === 'template' ? '' : '@example.com');
    chosen.set('of another realm', await world.create(itemKind, realm, name));
  }
  return [...chosen];
}

const isIdOf = (part: MatrixRequest['pathPart'], item: Item) => part?.(item) === String(item.id);

export function expectMissing(
  operation: MatrixRequest,
  caller: Caller,
  answer: ApiResponse,
  world: AccessFixture,
): void {
  const { resource, right, expectedForMissing } = operation;
  if (!isPermitted(caller, resource, right)) {
    expect(comparable(answer)).toMatchObject(emptyError(401));
  } else if (expectedForMissing === 'an empty list') {
    expect(comparable(answer)).toMatchObject({ status: 200, text: '[]' });
  } else if (expectedForMissing >= 300) {
    expect(comparable(answer)).toMatchObject(emptyError(expectedForMissing));
  } else {
    expect(answer.status).toBe(expectedForMissing);
    recordCreated(operation, caller, answer, world);
  }
}

export function expectOwn(
  operation: MatrixRequest,
  caller: Caller,
  answer: ApiResponse,
  item: Item,
  world: AccessFixture,
): void {
  const { resource, right, expectedForOwn, name } = operation;
  const { request } = answer;
  const isOwnUser = operation.reachesOwnUser === true && item.name.toLowerCase() === caller.user;
  if (!isPermitted(caller, resource, right) && !isOwnUser) {
    expect({ request, ...comparable(answer) }).toMatchObject(emptyError(401));
    return;
  }
  expect({ request, status: answer.status }).toEqual({
    request,
    status: expectedForOwn === 'the item' ? 200 : expectedForOwn,
  });
  if (answer.text === '') return;
  const value = JSON.parse(answer.text) as JsonRecord | JsonRecord[];
  if (expectedForOwn === 'the item') {
    expect((value as JsonRecord[]).map(nameIn)).toEqual([
      item.kind === 'registration' ? item.name : item.id,
    ]);
  } else if (name === 'run') {
    const guids = (value as JsonRecord[]).map((row) => String(row['registration_guid']));
    expect(guids.sort()).toEqual(registrationsOf(caller, world));
  } else if (
    name.includes('update') &&
    operation.itemKind === item.kind &&
    !name.includes('with')
  ) {
    expect(nameIn(value as JsonRecord)).toEqual(item.kind === 'registration' ? item.name : item.id);
  }
  recordCreated(operation, caller, answer, world);
}

const nameIn = (record: JsonRecord) => record['registration_guid'] ?? record['id'];

/** Records the items that a request created. */
export function recordCreated(
  operation: MatrixRequest,
  caller: Caller,
  answer: ApiResponse,
  world: AccessFixture,
): void {
  if (answer.text !== '')
    operation.onCreated?.(JSON.parse(answer.text) as JsonRecord, caller, world);
}

const registrationsOf = (caller: Caller, world: AccessFixture) =>
  itemsInReach(caller, world, 'registration')
    .map(({ name }) => name)
    .sort();

/** Returns the texts in a response that this caller must not see. */
export function leaksIn({ text }: ApiResponse, caller: Caller, world: AccessFixture): string[] {
  const hidden = world.items.filter(
    (item) => !isInReach(caller, item) || !isPermitted(caller, resourceOf[item.kind], 'reading'),
  );
  const marks = [
    ...hidden.flatMap((item) => item.marks),
    ...world.secrets,
    ...(caller.user === null ? [] : world.learners.filter((learner) => learner !== caller.user)),
  ];
  return text === '' ? [] : marks.filter((mark) => text.includes(mark));
}
