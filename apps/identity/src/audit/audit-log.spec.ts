import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { InputOf } from '@registrar/bus';
import {
  type AuditActor,
  createRealmUser,
  listAuditEntries,
  operatorActor,
  recordExport,
} from '@registrar/contracts';
import { sql } from '@registrar/persistence';
import { runInRequestContext } from '@registrar/platform';
import { randomUUID } from 'node:crypto';
import * as z from 'zod';
import {
  apiKey,
  type IdentityFixture,
  newEmail,
  realmPair,
  startIdentityFixture,
} from '../identity.fixture.ts';
import { maxEntriesPerHour } from './audit-log.ts';
import { PruneAuditLog } from './prune-audit-log.ts';

const entryRow = z.looseObject({ action: z.string() });
const appendOnly = /the audit log is append-only/;

describe('the audit log', () => {
  let identity: IdentityFixture;
  beforeAll(async () => {
    identity = await startIdentityFixture();
  });
  afterAll(() => identity.stop());

  /** Without the first use of keys. */
  const entriesOf = async (realmId: number) =>
    identity.database.many(
      entryRow,
      sql`SELECT action, actor, actor_id, host(client_address) AS client_address, request_id, subject
          FROM audit_log
          WHERE realm_id = ${realmId} AND action <> 'api-key.first-used' ORDER BY id`,
    );
  const record = (realmId: number) =>
    identity.audit.record({ action: 'realm.disabled', actor: operatorActor, realmId });

  it('records who did what, from which address, under the id of the request', async () => {
    const clientAddress = '2001:db8::7';
    const context = { requestId: 'create-1', deadline: Date.now() + 10_000, clientAddress };
    const realm = await runInRequestContext(context, () => identity.addRealm('Swimmers'));
    expect(await entriesOf(realm.realmId)).toEqual([
      {
        action: 'realm.created',
        actor: 'operator',
        actor_id: null,
        client_address: clientAddress,
        request_id: 'create-1',
        subject: { name: 'Swimmers' },
      },
    ]);
  });

  it('names the API key of a request as the actor, and its creator before', async () => {
    const realm = await identity.addRealm();
    const key = await identity.createKey(realmPair(realm));
    const scope = await identity.resolve(apiKey(key));
    const input = { scope, email: newEmail(), custom: null, realmRoleId: null };
    const user = await identity.bus.request(createRealmUser, input);
    expect((await entriesOf(realm.realmId)).slice(1)).toMatchObject([
      { action: 'api-key.created', actor: 'realm', actor_id: null, client_address: null },
      {
        action: 'realm-user.created',
        actor: 'api_key',
        actor_id: key.id,
        subject: { realm_user_id: user.id, realm_role_id: 1 },
      },
    ]);
  });

  it('the audit log has no entry of a transaction that rolls back, and refuses one outside of a transaction', async () => {
    const { realmId } = await identity.addRealm();
    const failing = identity.database.transaction(async () => {
      await record(realmId);
      throw new Error('the act failed');
    });
    await expect(failing).rejects.toThrow('the act failed');
    await expect(record(realmId)).rejects.toThrow('in its transaction');
    expect(await entriesOf(realmId)).toHaveLength(1);
  });

  it('refuses to change, delete or truncate entries before their retention has passed', async () => {
    const { realmId } = await identity.addRealm();
    const { database } = identity;
    for (const statement of [
      sql`UPDATE audit_log SET realm_id = 0 WHERE realm_id = ${realmId}`,
      sql`DELETE FROM audit_log WHERE realm_id = ${realmId}`,
      sql`TRUNCATE audit_log`,
    ]) {
      await expect(database.execute(statement)).rejects.toThrow(appendOnly);
    }
    expect(await entriesOf(realmId)).toHaveLength(1);
  });

  it('deletes entries when both the retention at their time and the current one have passed', async () => {
    const { realmId } = await identity.addRealm();
    const { database } = identity;
    const insert = (action: string, age: string, keptUntil: string) =>
      database.execute(
        sql`INSERT INTO audit_log (occurred_at, kept_until, realm_id, actor, request_id, action)
            VALUES (now() - ${age}::interval, now() + ${keptUntil}::interval, ${realmId},
                    'operator', 'r', ${action})`,
      );
    await insert('old.expired', '401 days', '-1 day');
    await insert('old.kept-longer', '401 days', '1 day');
    await insert('young.expired', '399 days', '-1 day');
    expect(await new PruneAuditLog(database, { AUDIT_RETENTION_DAYS: 400 }).prune()).toBe(false);
    expect((await entriesOf(realmId)).map(({ action }) => action)).toEqual([
      'realm.created',
      'old.kept-longer',
      'young.expired',
    ]);
  });

  describe('beyond the number of entries in an hour', () => {
    const realm = { kind: 'realm', id: null, applicationId: null } as const;
    const application = (id: number) => ({ kind: 'provider', id, applicationId: id }) as const;
    const key = (id: number, applicationId: number | null = null) =>
      ({ kind: 'api_key', id, applicationId }) as const;
    const act = (realmId: number, actor: AuditActor) =>
      identity.database.transaction(() =>
        identity.audit.record({ action: 'api-key.renewed', actor, realmId }),
      );
    const actorsOf = async (realmId: number) =>
      (await entriesOf(realmId))
        .slice(1)
        .map(({ action, actor, actor_id }) => [action, actor, actor_id]);
    const setUsed = (realmId: number, account: string, entries: number) =>
      identity.database.execute(
        sql`INSERT INTO audit_budgets AS b (realm_id, account, hour, entries)
            VALUES (${realmId}, ${account}, date_trunc('hour', now(), 'UTC'), ${entries})
            ON CONFLICT (realm_id, account, hour) DO UPDATE SET entries = excluded.entries`,
      );

    it('an act of a pair is recorded by one entry that says so, until the next hour', async () => {
      const { realmId } = await identity.addRealm();
      const other = await identity.addRealm();
      await setUsed(realmId, 'realm', maxEntriesPerHour - 1);
      for (const _act of [1, 2, 3]) await act(realmId, realm);
      await identity.database.transaction(() => record(realmId));
      await act(other.realmId, realm);
      expect(await actorsOf(realmId)).toEqual([
        ['api-key.renewed', 'realm', null],
        ['audit.limit-reached', 'realm', null],
        ['realm.disabled', 'operator', null],
      ]);
      expect(await actorsOf(other.realmId)).toEqual([['api-key.renewed', 'realm', null]]);
      await identity.database.execute(
        sql`UPDATE audit_budgets SET hour = hour - interval '1 hour' WHERE realm_id = ${realmId}`,
      );
      await act(realmId, realm);
      expect((await actorsOf(realmId)).at(-1)).toEqual(['api-key.renewed', 'realm', null]);
    });

    it('a provider application leaves the entries of the realm and of other applications to them', async () => {
      const { realmId } = await identity.addRealm();
      await setUsed(realmId, 'application 5', maxEntriesPerHour);
      for (const actor of [application(5), key(7, 5), key(7, 5), application(6), realm, key(8)]) {
        await act(realmId, actor);
      }
      expect(await actorsOf(realmId)).toEqual([
        ['audit.limit-reached', 'provider', 5],
        ['audit.limit-reached', 'api_key', 7],
        ['api-key.renewed', 'provider', 6],
        ['api-key.renewed', 'realm', null],
        ['api-key.renewed', 'api_key', 8],
      ]);
    });

    it('a key leaves half of the entries to its pair and its other keys', async () => {
      const { realmId } = await identity.addRealm();
      const half = maxEntriesPerHour / 2;
      await setUsed(realmId, 'realm', half - 1);
      await setUsed(realmId, 'key 7', half - 1);
      for (const actor of [key(7), key(7), key(8), realm]) await act(realmId, actor);
      expect(await actorsOf(realmId)).toEqual([
        ['api-key.renewed', 'api_key', 7],
        ['audit.limit-reached', 'api_key', 7],
        ['api-key.renewed', 'api_key', 8],
        ['api-key.renewed', 'realm', null],
      ]);
    });

    it('the counts of past hours are deleted', async () => {
      const { realmId } = await identity.addRealm();
      await setUsed(realmId, 'realm', 5);
      await identity.database.execute(
        sql`INSERT INTO audit_budgets SELECT realm_id, 'key 7', hour - interval '2 hours', 1
            FROM audit_budgets WHERE realm_id = ${realmId}`,
      );
      await new PruneAuditLog(identity.database, { AUDIT_RETENTION_DAYS: 400 }).prune();
      const left = await identity.database.many(
        z.object({ account: z.string() }),
        sql`SELECT account FROM audit_budgets WHERE realm_id = ${realmId}`,
      );
      expect(left).toEqual([{ account: 'realm' }]);
    });
  });

  it('shortens texts that callers chose', async () => {
    const { realmId } = await identity.addRealm();
    const subject = { name: `${'n'.repeat(199)}😀` };
    await identity.database.transaction(() =>
      identity.audit.record({
        action: 'realm.disabled',
        actor: operatorActor,
        realmId,
        subject,
      }),
    );
    expect((await entriesOf(realmId)).at(-1)?.['subject']).toEqual({
      name: `${'n'.repeat(199)}\uFFFD`,
    });
  });

  it('records an act of another context at its time', async () => {
    const { realmId } = await identity.addRealm();
    const act = {
      occurredAt: '2026-11-01T08:00:00.123Z',
      action: 'learners.changed',
      actor: { kind: 'api_key' as const, id: 7, applicationId: null },
      realmId,
      clientAddress: '192.0.2.7',
      subject: { learners_added: 3 },
    };
    await identity.audit.append(act);
    expect((await entriesOf(realmId)).slice(1)).toMatchObject([
      { action: 'learners.changed', actor_id: 7, client_address: '192.0.2.7' },
    ]);
  });

  it('records an act at the provider with the realm of the application, if a realm has it', async () => {
    const realm = await identity.addRealm();
    const { appId } = await identity.addApplication(realm);
    const act = {
      occurredAt: '2026-11-01T08:00:00.123Z',
      action: 'learner.erased-at-provider',
      actor: { kind: 'provider' as const, id: null, applicationId: null },
      realmId: null,
      clientAddress: null,
      subject: { app_id: appId, registrations: 3 },
    };
    await identity.recordActs.recordActAtProvider({ ...act, appId });
    expect((await entriesOf(realm.realmId)).at(-1)).toMatchObject({
      action: 'learner.erased-at-provider',
      actor: 'provider',
      actor_id: expect.any(Number),
      subject: { app_id: appId, registrations: 3 },
    });
    const unknown = { ...act, appId: 'unknown', subject: { app_id: 'unknown' } };
    await identity.recordActs.recordActAtProvider(unknown);
    const entries = await identity.database.many(
      entryRow,
      sql`SELECT action, realm_id FROM audit_log ORDER BY id DESC LIMIT 1`,
    );
    expect(entries).toEqual([{ action: 'learner.erased-at-provider', realm_id: null }]);
  });

  it('records an export that a gateway reports twice once', async () => {
    const { realmId } = await identity.addRealm();
    const act = {
      occurredAt: '2026-11-01T08:00:00.123Z',
      action: 'list.exported' as const,
      actor: { kind: 'realm' as const, id: null, applicationId: null },
      realmId,
      clientAddress: null,
      subject: { operation: 'course index', rows: 5_000 },
    };
    const context = { requestId: 'r', deadline: null, idempotencyKey: randomUUID() };
    const report = () =>
      runInRequestContext(context, () => identity.bus.request(recordExport, act));
    await report();
    await report();
    expect(await entriesOf(realmId)).toHaveLength(2);
  });

  it('lists entries by time, page by page, and by realm, time, action, actor and API key', async () => {
    const realm = await identity.addRealm();
    const other = await identity.createKey(realmPair(realm));
    const key = await identity.createKey(realmPair(realm));
    const scope = await identity.resolve(apiKey(key));
    const input = { scope, email: newEmail(), custom: null, realmRoleId: null };
    await identity.bus.request(createRealmUser, input);
    const all = { since: null, until: null, action: null, apiKeyId: null, afterId: null };
    const actions = async (filters: Partial<InputOf<typeof listAuditEntries>>) => {
      const found: string[] = [];
      const wanted = { ...all, realmGuid: realm.realmGuid, ...filters };
      for await (const { items: page } of identity.bus.pages(listAuditEntries, wanted, 2)) {
        found.push(...page.map(({ action }) => action));
      }
      return found;
    };
    const ofKey = ['api-key.created', 'api-key.first-used', 'realm-user.created'];
    const inRealm = ['realm.created', 'api-key.created', ...ofKey];
    expect(await actions({})).toEqual(inRealm);
    expect(await actions({ apiKeyId: key.id })).toEqual(ofKey);
    expect(await actions({ apiKeyId: other.id })).toEqual(['api-key.created']);
    expect(await actions({ action: 'realm.created' })).toEqual(['realm.created']);
    expect(await actions({ until: '2026-01-01T00:00:00Z' })).toEqual([]);
    expect(await actions({ since: '2026-01-01T00:00:00+02:00' })).toEqual(inRealm);
    expect((await actions({ realmGuid: null })).length).toBeGreaterThan(inRealm.length);
    expect(await actions({ newestFirst: true })).toEqual(inRealm.toReversed());
    expect(await actions({ actor: 'operator' })).toEqual(['realm.created']);
    expect(await actions({ actor: 'realm', newestFirst: true })).toEqual([
      'api-key.created',
      'api-key.created',
    ]);
    await identity.database.transaction(() =>
      identity.audit.record({
        action: 'registration.deleted',
        actor: operatorActor,
        realmId: realm.realmId,
        subject: { registration_guid: 'r-1', invitation_id: 7 },
      }),
    );
    expect(await actions({ registrationGuid: 'r-1' })).toEqual(['registration.deleted']);
    expect(await actions({ registrationGuid: 'r-2' })).toEqual([]);
    expect(await actions({ invitationId: 7 })).toEqual(['registration.deleted']);
    expect(await actions({ invitationId: 8 })).toEqual([]);
    await expect(actions({ realmGuid: 'nowhere' })).rejects.toMatchObject({ code: 'not-found' });
  });
});
