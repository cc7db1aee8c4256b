import { expect } from '@jest/globals';
import type { JsonRecord } from '../conformance/checks.ts';
import type { Answer } from '../conformance/client.ts';
import type { Caller } from './access-callers.ts';
import { within } from './access-lists.ts';
import type { TriedOperation } from './access-operations.ts';
import { isWithin, may, placeOf, resourceOf } from './access-rules.ts';
import type { AccessWorld, Item } from './access-world.ts';

export const refused = (status: number) => ({ status, text: '' });

/** An answer as its reader can compare it with another one. */
export function shown({ status, text, headers }: Answer) {
  const { date: _, 'x-request-id': __, ...others } = Object.fromEntries(headers);
  // What is made has an id and a time of its own.
  return status === 201 ? { status } : { status, text, headers: others };
}

/** What a name is that nothing has. */
const unknownId = 2_147_483_647;

export function missingItem(
  { names }: TriedOperation,
  { realm }: Caller,
  world: AccessWorld,
): Item {
  const name = names === 'realm user' ? `${world.fresh('none')}@example.com` : world.fresh('none');
  const kind = names ?? 'course';
  return { kind, realm, application: null, learner: null, id: unknownId, name, marks: [] };
}

/** One item of each place that there is for the caller, and of each application of its own. */
export async function targets(
  operation: TriedOperation,
  caller: Caller,
  world: AccessWorld,
): Promise<[place: string, item: Item][]> {
  const { names, missing, part } = operation;
  if (names === null) return [];
  const items = world.ofKind(names);
  const own = items.filter((item) => isWithin(caller, item));
  const chosen = new Map<string, Item>();
  for (const item of items) {
    const place = placeOf(caller, item);
    const isOwn = place === 'own';
    // A name that means something of the caller's own does not name another's.
    if (!isOwn && !isIdOf(part, item) && own.some(({ name }) => name === item.name)) continue;
    const key = isOwn ? `own of ${String(item.application)}` : place;
    if (!chosen.has(key)) chosen.set(key, item);
  }
  // Where a create finds nothing of that name it makes it, so the name is another each time.
  if (missing === 201 && (names === 'template' || names === 'realm user')) {
    const realm = caller.realm === 'a' ? 'b' : 'a';
    const name = world.fresh('elsewhere') + (names === 'template' ? '' : '@example.com');
    chosen.set('of another realm', await world.make(names, realm, name));
  }
  return [...chosen];
}

const isIdOf = (part: TriedOperation['part'], item: Item) => part?.(item) === String(item.id);

export function expectMissing(
  operation: TriedOperation,
  caller: Caller,
  answer: Answer,
  world: AccessWorld,
): void {
  const { resource, right, missing } = operation;
  if (!may(caller, resource, right)) {
    expect(shown(answer)).toMatchObject(refused(401));
  } else if (missing === 'an empty list') {
    expect(shown(answer)).toMatchObject({ status: 200, text: '[]' });
  } else if (missing >= 300) {
    expect(shown(answer)).toMatchObject(refused(missing));
  } else {
    expect(answer.status).toBe(missing);
    take(operation, caller, answer, world);
  }
}

export function expectOwn(
  operation: TriedOperation,
  caller: Caller,
  answer: Answer,
  item: Item,
  world: AccessWorld,
): void {
  const { resource, right, own, name } = operation;
  const { request } = answer;
  if (!may(caller, resource, right)) {
    expect({ request, ...shown(answer) }).toMatchObject(refused(401));
    return;
  }
  expect({ request, status: answer.status }).toEqual({
    request,
    status: own === 'the item' ? 200 : own,
  });
  if (answer.text === '') return;
  const value = JSON.parse(answer.text) as JsonRecord | JsonRecord[];
  if (own === 'the item') {
    expect((value as JsonRecord[]).map(nameIn)).toEqual([
      item.kind === 'registration' ? item.name : item.id,
    ]);
  } else if (name === 'run') {
    const guids = (value as JsonRecord[]).map((row) => String(row['registration_guid']));
    expect(guids.sort()).toEqual(registrationsOf(caller, world));
  } else if (name.includes('update') && operation.names === item.kind && !name.includes('with')) {
    expect(nameIn(value as JsonRecord)).toEqual(item.kind === 'registration' ? item.name : item.id);
  }
  take(operation, caller, answer, world);
}

const nameIn = (record: JsonRecord) => record['registration_guid'] ?? record['id'];

/** Takes note of what was made. */
export function take(
  operation: TriedOperation,
  caller: Caller,
  answer: Answer,
  world: AccessWorld,
): void {
  if (answer.text !== '') operation.made?.(JSON.parse(answer.text) as JsonRecord, caller, world);
}

const registrationsOf = (caller: Caller, world: AccessWorld) =>
  within(caller, world, 'registration')
    .map(({ name }) => name)
    .sort();

/** What stands in an answer and is not for this caller. */
export function leaksIn({ text }: Answer, caller: Caller, world: AccessWorld): string[] {
  const hidden = world.items.filter(
    (item) => !isWithin(caller, item) || !may(caller, resourceOf[item.kind], 'reading'),
  );
  const marks = [
    ...hidden.flatMap((item) => item.marks),
    ...world.secrets,
    ...(caller.user === null ? [] : world.learners.filter((learner) => learner !== caller.user)),
  ];
  return text === '' ? [] : marks.filter((mark) => text.includes(mark));
}
