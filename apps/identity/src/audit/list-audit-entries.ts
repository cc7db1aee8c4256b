import { HandleRequest, type InputOf, type ReplyOf } from '@registrar/bus';
import { auditEntry, listAuditEntries } from '@registrar/contracts';
import { customPlan, Database, join, sql } from '@registrar/persistence';
import { Controller } from '@nestjs/common';
import * as z from 'zod';
import { FindRealm } from '../realms/find-realm.ts';
import { encodeRowCursor, parseRowCursor } from '../row-cursor.ts';

const entryRow = auditEntry.extend({ occurred_at: z.date() });
type EntryRow = z.output<typeof entryRow>;

/** The cursor after an entry: entries are listed by time, and by id within a millisecond. */
const cursorAfter = ({ occurred_at, id }: EntryRow): string => encodeRowCursor([occurred_at, id]);

const parsedCursor = z.tuple([z.iso.datetime(), z.int()]);

/** Lists the audit log for the operator. */
@Controller()
export class ListAuditEntries {
  constructor(
    private readonly database: Database,
    private readonly findRealm: FindRealm,
  ) {}

  /** @throws {Failure} `not-found` for an unknown realm */
  @HandleRequest(listAuditEntries)
  async list(input: InputOf<typeof listAuditEntries>): Promise<ReplyOf<typeof listAuditEntries>> {
    const { limit, newestFirst } = input;
    const order = newestFirst ? sql`l.occurred_at DESC, l.id DESC` : sql`l.occurred_at, l.id`;
    const rows = await this.database.many(
      entryRow,
      sql`SELECT l.id, l.occurred_at, r.guid AS realm_guid, l.actor, l.actor_id, l.actor_name,
                 host(l.client_address) AS client_address, l.request_id, l.action, l.subject
          FROM audit_log AS l
          LEFT JOIN realms AS r ON r.id = l.realm_id
          WHERE ${join(await this.conditions(input), ' AND ')}
          ORDER BY ${order}
          LIMIT ${limit + 1} ${customPlan}`,
    );
    const page = rows.slice(0, limit);
    const last = page.at(-1);
    return {
      items: page.map((row) => ({ ...row, occurred_at: row.occurred_at.toISOString() })),
      next: rows.length > limit && last ? cursorAfter(last) : null,
    };
  }

  private async conditions(input: InputOf<typeof listAuditEntries>) {
    const { realmGuid, since, until, action, apiKeyId, afterId, actor, actorName } = input;
    const { cursor, newestFirst, registrationGuid, invitationId } = input;
    const conditions = [sql`true`];
    if (realmGuid !== null) {
      conditions.push(sql`l.realm_id = ${await this.findRealm.idByGuid(realmGuid)}`);
    }
    if (since !== null) conditions.push(sql`l.occurred_at >= ${since}::timestamptz`);
    if (until !== null) conditions.push(sql`l.occurred_at < ${until}::timestamptz`);
    if (action !== null) conditions.push(sql`l.action = ${action}`);
    if (apiKeyId !== null) {
      conditions.push(sql`((l.actor = 'api_key' AND l.actor_id = ${apiKeyId})
                           OR l.subject -> 'api_key_id' = to_jsonb(${apiKeyId}::bigint))`);
    }
    if (actor !== undefined) conditions.push(sql`l.actor = ${actor}`);
    if (actorName !== undefined) conditions.push(sql`l.actor_name = ${actorName}`);
    if (registrationGuid !== undefined) {
      conditions.push(sql`l.subject -> 'registration_guid' = to_jsonb(${registrationGuid}::text)`);
    }
    if (invitationId !== undefined) {
      conditions.push(sql`l.subject -> 'invitation_id' = to_jsonb(${invitationId}::bigint)`);
    }
    if (afterId !== null) conditions.push(sql`l.id > ${afterId}`);
    if (cursor !== null) {
      const [occurredAt, id] = parseRowCursor(cursor, parsedCursor);
      const place = sql`(${occurredAt}::timestamptz, ${id})`;
      conditions.push(
        newestFirst ? sql`(l.occurred_at, l.id) < ${place}` : sql`(l.occurred_at, l.id) > ${place}`,
      );
    }
    return conditions;
  }
}
