import { beforeAll, describe, expect, it } from 'vitest';
import type { RunningSystem } from '@registrar/standalone/testing';
import { type JsonRecord, recordsOf } from '@registrar/conformance';
import type { Parameters } from '@registrar/conformance';
import { type Caller, createCaller, createCallers } from './access-callers.ts';
import {
  documentedRequests,
  type Route,
  routesOf,
  type MatrixRequest,
  matrixRequests,
} from './access-requests.ts';
import {
  expectMissing,
  expectOwn,
  leaksIn,
  nonexistentItem,
  emptyError,
  comparable,
  recordCreated,
  targetItems,
} from './access-expectations.ts';
import { resourceLists, itemsInReach } from './access-lists.ts';
import { callerKinds, isInReach, isPermitted, resourceOf } from './access-rules.ts';
import { AccessFixture, type Item, realmNames } from './access-fixture.ts';
import { type DocumentedOperation, OpenApiDocument } from './open-api-document.ts';

type Callers = Awaited<ReturnType<typeof createCallers>>;

/**
 * Tries every operation with every access mode and kind of key on the caller's own items, on items
 * of others and on items that do not exist (contract/access#reach). Items of another realm,
 * application or user are not revealed: not by a response's text, its status or a count.
 */
export function describeAccessMatrix(running: () => RunningSystem): void {
  describe('access', () => {
    let world: AccessFixture;
    let callers: Callers;
    let documented: readonly DocumentedOperation[];
    beforeAll(async () => {
      world = await AccessFixture.prepare(running());
      callers = await createCallers(world);
      documented = (await OpenApiDocument.read(world.api)).operations;
    });

    const send = async ([method, path]: Route, caller: Caller, parameters: Parameters) => {
      const query = { ...caller.access, ...parameters };
      const answer = await world.api.send(method, `${path}.json`, { query });
      expect({ request: answer.request, leaks: leaksIn(answer, caller, world) }).toEqual({
        request: answer.request,
        leaks: [],
      });
      return answer;
    };
    const sendFor = (operation: MatrixRequest, route: Route, caller: Caller, item: Item) => {
      const path = route[1].replace(/\{\w+\}/, operation.pathPart?.(item) ?? '');
      return send([route[0], path], caller, operation.parameters(item, caller, world));
    };

    const tryOperation = async (operation: MatrixRequest, kind: (typeof callerKinds)[number]) => {
      const routes = routesOf(operation, documented);
      expect({ operation: operation.name, routes }).not.toMatchObject({ routes: [] });
      for (const realm of realmNames) {
        const caller = operation.deletesOwnKey
          ? await createCaller(world, kind, realm)
          : callers[kind][realm];
        const deletes = operation.right === 'deleting';
        for (const route of routes) {
          const missing = nonexistentItem(operation, caller, world);
          const forNonexistent = await sendFor(operation, route, caller, missing);
          expectMissing(operation, caller, forNonexistent, world);
          for (const [relation, item] of await targetItems(operation, caller, world)) {
            const isOwn = relation.startsWith('own');
            const isDeleted =
              deletes && isOwn && isPermitted(caller, operation.resource, 'deleting');
            const target = isDeleted ? await world.createDeletable(item) : item;
            const answer = await sendFor(operation, route, caller, target);
            if (isOwn) {
              expectOwn(operation, caller, answer, target, world);
            } else {
              expect({ relation, ...comparable(answer) }).toEqual({
                relation,
                ...comparable(forNonexistent),
              });
              if (answer.status === 201) recordCreated(operation, caller, answer, world);
            }
          }
        }
      }
    };

    describe.each(callerKinds)('a %s', (kind) => {
      it.each(matrixRequests)('reaches only its own items by $name', (operation) =>
        tryOperation(operation, kind),
      );

      it('reaches only its own items by every other documented operation', async () => {
        for (const operation of documentedRequests(documented)) {
          await tryOperation(operation, kind);
        }
      });

      it.each(Object.entries(resourceLists))('lists exactly its own at %s', async (path, list) => {
        for (const realm of realmNames) {
          const caller = callers[kind][realm];
          const answer = await send(['GET', path], caller, {});
          if (!isPermitted(caller, resourceOf[list.kind], 'reading')) {
            expect(comparable(answer)).toMatchObject(emptyError(401));
            continue;
          }
          const names = recordsOf(answer).map((record) => String(record[list.field]).toLowerCase());
          expect(names.sort()).toEqual(list.own(caller, world).sort());
        }
      });

      it('counts only its own registrations', async () => {
        for (const realm of realmNames) {
          const caller = callers[kind][realm];
          const courses = recordsOf(await send(['GET', '/course'], caller, {}));
          const wrong = courses.filter(({ course_guid, course_provider_id, registrations }) => {
            const { length: own } = itemsInReach(caller, world, 'registration').filter(
              ({ course, application }) =>
                course === course_guid && application === course_provider_id,
            );
            // The provider's count comes with the crawl and excludes registrations that the provider does not have.
            return caller.user === null ? Number(registrations) > own : registrations !== own;
          });
          expect(wrong).toEqual([]);

          const query = { name: 'completion_by_course', query_scope: 'bright' };
          const rows = recordsOf(await send(['GET', '/run'], caller, query));
          const sum = rows.reduce((total, row) => total + Number(row['registrations']), 0);
          const current = itemsInReach(caller, world, 'registration').filter(
            (item) => !item.deleted,
          );
          expect(sum).toBe(current.length);
        }
      });

      it('reaches another learner only with access that is not bound to a user', async () => {
        for (const realm of realmNames) {
          const caller = callers[kind][realm];
          for (const learner of [...world.learners, `nobody-${world.run}@example.com`]) {
            const filter = { learner_id: learner };
            const answer = await send(['GET', '/registration'], caller, filter);
            if (caller.user !== null && caller.user !== learner) {
              expect(comparable(answer)).toMatchObject(emptyError(401));
              const course_guid = itemsInReach(caller, world, 'course')[0]?.name;
              const create = { learner_id: learner, course_guid };
              const made = await send(['POST', '/registration'], caller, create);
              expect(comparable(made)).toMatchObject(emptyError(401));
              continue;
            }
            const own = itemsInReach(caller, world, 'registration').filter(
              (item) => item.learner === learner,
            );
            expect(
              recordsOf(answer)
                .map((record) => record['registration_guid'])
                .sort(),
            ).toEqual(own.map(({ name }) => name).sort());
          }
        }
      });
    });

    it('include_registrations nests only registrations of the user of the key', async () => {
      for (const caller of Object.values(callers).flatMap(({ a, b }) => [a, b])) {
        const parameters = { include_registrations: 't' };
        const courses = recordsOf(await send(['GET', '/course'], caller, parameters));
        const nested = courses.map(({ registrations }) => registrations as JsonRecord | number);
        if (caller.user === null) {
          expect(nested.every((each) => typeof each === 'number')).toBe(true);
          continue;
        }
        const own = itemsInReach(caller, world, 'registration').map(({ name }) => name);
        for (const each of nested as JsonRecord[]) {
          expect(each['learner_id']).toBe(caller.user);
          expect(own).toContain(each['registration_guid']);
        }
      }
    });

    it('registration create accepts a provider pair beside another access mode only within the reach of both', async () => {
      const beside = Object.values(callers).flatMap(({ a, b }) => [a, b]);
      const others = beside.filter(
        (caller) =>
          caller.kind !== 'provider pair' && isPermitted(caller, 'registrations', 'changing'),
      );
      for (const caller of others) {
        const wrong = { sc_app_id: world.uniqueName('none'), sc_secret_key: 'no secret of anyone' };
        const create = async (pair: Parameters, course_guid: string) =>
          send(['POST', '/registration'], caller, {
            ...pair,
            course_guid,
            learner_id: world.learners[0],
          });
        const none = comparable(await create(wrong, 'none'));
        expect(none).toMatchObject(emptyError(401));
        for (const realm of realmNames) {
          for (const { id, pair } of world.realm(realm).applications) {
            const course = world
              .itemsOfKind('course')
              .find(({ application }) => application === id);
            const answer = await create(pair, course?.name ?? '');
            if (caller.applications.includes(id)) {
              expect(answer.status).toBe(201);
              world.addRegistration(realm, JSON.parse(answer.text) as JsonRecord);
            } else {
              expect(comparable(answer)).toEqual(none);
            }
          }
        }
      }
    });

    it('a key for an e-mail address that is known in another realm reaches nothing of that realm', async () => {
      const { a } = callers['realm pair'];
      const elsewhere = `${world.uniqueName('elsewhere')}@example.com`;
      await world.create('realm user', 'b', elsewhere);
      for (const user_email of [elsewhere, `${world.uniqueName('new')}@example.com`]) {
        const made = await send(['POST', '/api_key'], a, { user_email });
        expect(made.status).toBe(201);
        world.users.a.add(user_email);
        const { access_token } = JSON.parse(made.text) as { access_token: string };
        const caller = { ...callers['key of the realm for a user'].a, user: user_email };
        const bound = { ...caller, access: { api_key: access_token } };
        expect(recordsOf(await send(['GET', '/registration'], bound, {}))).toEqual([]);
      }
    });

    it('no caller changed an item outside of its reach', async () => {
      const signed = Object.values(callers).flatMap(({ a, b }) => [a, b]);
      let found = 0;
      for (const realm of realmNames) {
        for (const [path, { kind, field }] of Object.entries(resourceLists)) {
          if (kind === 'application') continue;
          const answer = await send(['GET', path], callers['realm pair'][realm], {});
          for (const record of recordsOf(answer)) {
            const text = JSON.stringify(record);
            const writers = signed.filter(({ signature }) => text.includes(signature));
            found += writers.length;
            for (const writer of writers) {
              const [item] = world.items.filter(
                (each) =>
                  each.kind === kind &&
                  each.realm === realm &&
                  (kind === 'course' ? each.id === record['id'] : each.name === record[field]),
              );
              expect({
                signature: writer.signature,
                record,
                may:
                  item &&
                  isInReach(writer, item) &&
                  isPermitted(writer, resourceOf[kind], 'changing'),
              }).toMatchObject({ may: true });
            }
          }
        }
      }
      expect(found).toBeGreaterThan(0);
    });

    it('the access matrix covers every documented route', () => {
      const tried = [...matrixRequests, ...documentedRequests(documented)].flatMap((operation) =>
        routesOf(operation, documented).map((route) => route.join(' ')),
      );
      const routes = documented.map(
        ({ method, path }) => `${method} ${path.replace('.{format}', '')}`,
      );
      expect([...new Set(tried)].sort()).toEqual(routes.sort());
    });
  });
}
