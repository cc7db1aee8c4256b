import { beforeAll, describe, expect, it } from '@jest/globals';
import type { RunningSystem } from '#libs/testing';
import { type JsonRecord, recordsOf } from '../conformance/checks.ts';
import type { Parameters } from '../conformance/client.ts';
import { type Caller, makeCallers } from './access-callers.ts';
import { type Route, type TriedOperation, triedOperations } from './access-operations.ts';
import {
  expectMissing,
  expectOwn,
  leaksIn,
  missingItem,
  refused,
  shown,
  take,
  targets,
} from './access-expectations.ts';
import { lists, within } from './access-lists.ts';
import { callerKinds, isWithin, may, resourceOf } from './access-rules.ts';
import { AccessWorld, type Item, realmNames } from './access-world.ts';

type Callers = Awaited<ReturnType<typeof makeCallers>>;

/**
 * Every operation, for every access mode and kind of key, on what is its own, what is another's
 * and what there is not. Nothing of another realm, application or user shows: not in an answer,
 * not by its status, not by a number.
 */
export function describeAccessMatrix(running: () => RunningSystem): void {
  describe('access', () => {
    let world: AccessWorld;
    let callers: Callers;
    beforeAll(async () => {
      world = await AccessWorld.prepare(running());
      callers = await makeCallers(world);
    }, 120_000);

    const send = async ([method, path]: Route, caller: Caller, parameters: Parameters) => {
      const query = { ...caller.access, ...parameters };
      const answer = await world.api.send(method, `${path}.json`, { query });
      expect({ request: answer.request, leaks: leaksIn(answer, caller, world) }).toEqual({
        request: answer.request,
        leaks: [],
      });
      return answer;
    };
    const sendFor = (operation: TriedOperation, route: Route, caller: Caller, item: Item) => {
      const path = route[1].replace(/\{\w+\}/, operation.part?.(item) ?? '');
      return send([route[0], path], caller, operation.parameters(item, caller, world));
    };

    describe.each(callerKinds)('a %s', (kind) => {
      it.each(triedOperations)('tries $name', async (operation) => {
        for (const realm of realmNames) {
          const caller = callers[kind][realm];
          for (const route of operation.routes) {
            const missing = missingItem(operation, caller, world);
            const none = await sendFor(operation, route, caller, missing);
            expectMissing(operation, caller, none, world);
            for (const [place, item] of await targets(operation, caller, world)) {
              const answer = await sendFor(operation, route, caller, item);
              if (place.startsWith('own')) {
                expectOwn(operation, caller, answer, item, world);
              } else {
                expect({ place, ...shown(answer) }).toEqual({ place, ...shown(none) });
                if (answer.status === 201) take(operation, caller, answer, world);
              }
            }
          }
        }
      });

      it.each(Object.entries(lists))('lists exactly its own at %s', async (path, list) => {
        for (const realm of realmNames) {
          const caller = callers[kind][realm];
          const answer = await send(['GET', path], caller, {});
          if (!may(caller, resourceOf[list.kind], 'reading')) {
            expect(shown(answer)).toMatchObject(refused(401));
            continue;
          }
          const names = recordsOf(answer).map((record) => String(record[list.field]).toLowerCase());
          expect(names.sort()).toEqual(list.own(caller, world).sort());
        }
      });

      it('counts its own alone', async () => {
        for (const realm of realmNames) {
          const caller = callers[kind][realm];
          const courses = recordsOf(await send(['GET', '/course'], caller, {}));
          const wrong = courses.filter(({ course_guid, course_provider_id, registrations }) => {
            const { length: own } = within(caller, world, 'registration').filter(
              ({ course, application }) =>
                course === course_guid && application === course_provider_id,
            );
            // The provider's number comes by the crawl, and without what it never saw.
            return caller.user === null ? Number(registrations) > own : registrations !== own;
          });
          expect(wrong).toEqual([]);

          const query = { name: 'completion_by_course', query_scope: 'bright' };
          const rows = recordsOf(await send(['GET', '/run'], caller, query));
          const sum = rows.reduce((total, row) => total + Number(row['registrations']), 0);
          expect(sum).toBe(within(caller, world, 'registration').length);
        }
      });

      it('reaches another learner only when it is bound to none', async () => {
        for (const realm of realmNames) {
          const caller = callers[kind][realm];
          for (const learner of [...world.learners, `nobody-${world.run}@example.com`]) {
            const filter = { learner_id: learner };
            const answer = await send(['GET', '/registration'], caller, filter);
            if (caller.user !== null && caller.user !== learner) {
              expect(shown(answer)).toMatchObject(refused(401));
              const course_guid = within(caller, world, 'course')[0]?.name;
              const create = { learner_id: learner, course_guid };
              const made = await send(['POST', '/registration'], caller, create);
              expect(shown(made)).toMatchObject(refused(401));
              continue;
            }
            const own = within(caller, world, 'registration').filter(
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

    it('nests the registrations of the key’s own user, and of nobody else', async () => {
      for (const caller of Object.values(callers).flatMap(({ a, b }) => [a, b])) {
        const parameters = { include_registrations: 't' };
        const courses = recordsOf(await send(['GET', '/course'], caller, parameters));
        const nested = courses.map(({ registrations }) => registrations as JsonRecord | number);
        if (caller.user === null) {
          expect(nested.every((each) => typeof each === 'number')).toBe(true);
          continue;
        }
        const own = within(caller, world, 'registration').map(({ name }) => name);
        for (const each of nested as JsonRecord[]) {
          expect(each['learner_id']).toBe(caller.user);
          expect(own).toContain(each['registration_guid']);
        }
      }
    });

    it('takes an application’s pair beside it only for what both reach', async () => {
      const beside = Object.values(callers).flatMap(({ a, b }) => [a, b]);
      for (const caller of beside.filter(({ kind }) => kind !== 'provider pair')) {
        const wrong = { sc_app_id: world.fresh('none'), sc_secret_key: 'no secret of anyone' };
        const create = async (pair: Parameters, course_guid: string) =>
          send(['POST', '/registration'], caller, {
            ...{ ...pair, course_guid, learner_id: world.learners[0] },
          });
        const none = shown(await create(wrong, 'none'));
        expect(none).toMatchObject(refused(401));
        for (const realm of realmNames) {
          for (const { id, pair } of world.realm(realm).applications) {
            const course = world.ofKind('course').find(({ application }) => application === id);
            const answer = await create(pair, course?.name ?? '');
            if (caller.applications.includes(id)) {
              expect(answer.status).toBe(201);
              world.addRegistration(realm, JSON.parse(answer.text) as JsonRecord);
            } else {
              expect(shown(answer)).toEqual(none);
            }
          }
        }
      }
    });

    it('binds a key to an address that another realm knows as to any other', async () => {
      const { a } = callers['realm pair'];
      const elsewhere = `${world.fresh('elsewhere')}@example.com`;
      await world.make('realm user', 'b', elsewhere);
      for (const user_email of [elsewhere, `${world.fresh('new')}@example.com`]) {
        const made = await send(['POST', '/api_key'], a, { user_email });
        expect(made.status).toBe(201);
        world.users.a.add(user_email);
        const { access_token } = JSON.parse(made.text) as { access_token: string };
        const caller = { ...callers['key of the realm for a user'].a, user: user_email };
        const bound = { ...caller, access: { api_key: access_token } };
        expect(recordsOf(await send(['GET', '/registration'], bound, {}))).toEqual([]);
      }
    });

    it('has changed nothing but what its caller reaches', async () => {
      const signed = Object.values(callers).flatMap(({ a, b }) => [a, b]);
      let found = 0;
      for (const realm of realmNames) {
        for (const [path, { kind, field }] of Object.entries(lists)) {
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
                may: item && isWithin(writer, item) && may(writer, resourceOf[kind], 'changing'),
              }).toMatchObject({ may: true });
            }
          }
        }
      }
      expect(found).toBeGreaterThan(0);
    });

    it('knows every documented operation', async () => {
      const { text } = await world.api.get('/openapi.json', {});
      const { paths } = JSON.parse(text) as { paths: Record<string, object> };
      const documented = Object.entries(paths).flatMap(([path, methods]) =>
        Object.keys(methods).map(
          (method) => `${method.toUpperCase()} ${path.replace('.{format}', '')}`,
        ),
      );
      const tried = triedOperations.flatMap(({ routes }) => routes.map((route) => route.join(' ')));
      expect([...new Set(tried)].sort()).toEqual(documented.sort());
    });
  });
}
