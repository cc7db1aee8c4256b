import { expect, it } from 'vitest';
import { type AuditEntry, listAuditEntries } from '@registrar/contracts';
import type { RunningSystem } from '@registrar/standalone/testing';
import { eventually } from '@registrar/testing';
import { randomUUID } from 'node:crypto';
import { ApiClient } from './client.ts';
import { asOperator } from './operator.ts';

/** Checks that acts in several contexts reach the audit log over the broker. */
export function describeAuditLog(running: () => RunningSystem): void {
  it('the audit log has what an API key did in enrolment, its creation, and the address', async () => {
    const system = running();
    const api = new ApiClient(system);
    const created = await api.post('/api_key.json', api.realm);
    expect(created.status).toBe(201);
    const key = JSON.parse(created.text) as { id: number; access_token: string };
    const access = { api_key: key.access_token };
    const name = randomUUID();
    const { course_guid, realm_guid: realmGuid } = system.quickstart;
    const invitation = { ...access, name, course_guids: JSON.stringify([course_guid]) };
    expect((await api.post('/invitation.json', invitation)).status).toBe(201);
    const learners = JSON.stringify([`${randomUUID()}@example.com`]);
    const added = await api.post('/invitation/add_learners.json', { ...access, name, learners });
    expect(added.status).toBe(200);

    await asOperator(system, async (bus) => {
      const times = { since: null, until: null, afterId: null };
      const filters = { ...times, realmGuid, action: null, apiKeyId: key.id };
      const found: AuditEntry[] = [];
      await eventually('enrolment’s act is in the log', async () => {
        found.length = 0;
        for await (const { items: page } of bus.pages(listAuditEntries, filters))
          found.push(...page);
        return found.some(({ action }) => action === 'learners.changed');
      });
      const entry = { realm_guid: realmGuid, client_address: expect.stringMatching(/^[\d.]+$|:/) };
      expect(found).toContainEqual(
        expect.objectContaining({ ...entry, action: 'api-key.created', actor: 'realm' }),
      );
      expect(found).toContainEqual(
        expect.objectContaining({
          ...entry,
          action: 'learners.changed',
          actor: 'api_key',
          actor_id: key.id,
          subject: expect.objectContaining({ learners_added: 1, registrations_created: 1 }),
        }),
      );
    });
  });
}
