import type { InputOf } from '@registrar/bus';
import {
  auditActionName,
  auditActor,
  consoleUserName,
  guid,
  id,
  listAuditEntries,
} from '@registrar/contracts';
import * as z from 'zod';
import { callPage, installationCall, realmCall } from '../calls/define-call.ts';

const instant = z.iso.datetime({ offset: true }).nullable().default(null);

/** A filter that is null matches all. */
const filters = z.object({
  since: instant,
  until: instant,
  action: auditActionName.nullable().default(null),
  /** The kind of the actor. */
  actor: auditActor.shape.kind.nullable().default(null),
  /** The console's user that acted. */
  actorName: consoleUserName.nullable().default(null),
  /** What the API key did, and what was done to it. */
  key: id.nullable().default(null),
});

/** Lists the audit log of a realm, the newest entries first. */
export const listAudit = realmCall({
  role: 'administrator',
  input: z.object({ ...callPage, ...filters.shape }),
  handle: async ({ bus }, { realm, cursor, limit, ...wanted }) =>
    bus.page(listAuditEntries, entriesOf(realm, wanted), { cursor, limit }),
});

/** Lists the audit log of the installation, or what of it concerns one realm, the newest entries first. */
export const listAllAudit = installationCall({
  input: z.object({ realm: guid.nullable().default(null), ...callPage, ...filters.shape }),
  handle: async ({ bus }, { realm, cursor, limit, ...wanted }) =>
    bus.page(listAuditEntries, entriesOf(realm, wanted), { cursor, limit }),
});

function entriesOf(
  realmGuid: string | null,
  { actor, actorName, key, ...wanted }: z.output<typeof filters>,
): Omit<InputOf<typeof listAuditEntries>, 'cursor' | 'limit'> {
  return {
    ...wanted,
    realmGuid,
    apiKeyId: key,
    afterId: null,
    newestFirst: true,
    ...(actor !== null && { actor }),
    ...(actorName !== null && { actorName }),
  };
}
