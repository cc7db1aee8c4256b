import { HandleRequest, type ReplyOf } from '@registrar/bus';
import { listProviderApplications } from '@registrar/contracts';
import { Database, sql } from '@registrar/persistence';
import { Controller } from '@nestjs/common';
import * as z from 'zod';

const applicationRow = z.object({ id: z.number(), realmId: z.number(), isPaused: z.boolean() });

/** Lists all provider applications of the installation for the crawler. */
@Controller()
export class ListProviderApplications {
  constructor(private readonly database: Database) {}

  @HandleRequest(listProviderApplications)
  async list(): Promise<ReplyOf<typeof listProviderApplications>> {
    const applications = await this.database.many(
      applicationRow,
      sql`SELECT a.id, a.realm_id AS "realmId", r.disabled_at IS NOT NULL AS "isPaused"
          FROM provider_applications AS a JOIN realms AS r ON r.id = a.realm_id
          ORDER BY a.id`,
    );
    return { applications };
  }
}
