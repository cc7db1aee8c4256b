import { HandleRequest, type InputOf, type ReplyOf } from '@registrar/bus';
import { findChangedResults } from '@registrar/contracts';
import { customPlan, Database, sql } from '@registrar/persistence';
import { Controller } from '@nestjs/common';
import * as z from 'zod';

const changedRow = z.object({ registrationGuid: z.string() });

/**
 * Compares a page of a list with the stored results, and records which registrations a page of a full sweep
 * listed: one row for the page, so that an unchanged registration is not written.
 */
@Controller()
export class FindChangedResults {
  constructor(private readonly database: Database) {}

  /**
   * A result that would end a failure, a deletion or a search for a missed registration counts as
   * changed too. An older deletion or failure that arrives after a page of changes is ended by the next one, which
   * lists the registration again.
   */
  @HandleRequest(findChangedResults)
  async find(
    input: InputOf<typeof findChangedResults>,
  ): Promise<ReplyOf<typeof findChangedResults>> {
    const { applicationId, sweep, sequence, results } = input;
    const guids = results.map(({ registrationGuid }) => registrationGuid);
    const digests = results.map(({ digest }) => digest);
    const rows = await this.database.many(
      changedRow,
      sql`WITH listed AS MATERIALIZED (
            SELECT l.guid, r.id,
                   coalesce(
                     r.result_digest = decode(l.digest, 'hex') AND NOT r.missed
                       AND r.failure_sequence <= r.result_sequence
                       AND (
                         r.deletion_sequence <= r.result_sequence
                         OR r.deletion_sequence > ${sequence}
                       ),
                     false
                   ) AS is_unchanged
            FROM unnest(${guids}::text[], ${digests}::text[]) AS l (guid, digest)
            LEFT JOIN registrations AS r
              ON r.provider_application_id = ${applicationId} AND r.registration_guid = l.guid
          ), page AS (
            INSERT INTO swept_pages (provider_application_id, sequence, sweep, registration_ids)
            SELECT ${applicationId}, ${sequence}, ${sweep}::bigint, array_agg(id)
            FROM listed WHERE id IS NOT NULL AND ${sweep}::bigint IS NOT NULL
            HAVING count(*) > 0
            ON CONFLICT (provider_application_id, sequence)
            DO UPDATE SET registration_ids = swept_pages.registration_ids || excluded.registration_ids
          )
          SELECT guid AS "registrationGuid" FROM listed WHERE NOT is_unchanged ${customPlan}`,
    );
    return { changed: rows.map(({ registrationGuid }) => registrationGuid) };
  }
}
