import { HandleRequest, type InputOf, type ReplyOf } from '@registrar/bus';
import { findRegistrationCrawl } from '@registrar/contracts';
import { Database, sql, timestampOf } from '@registrar/persistence';
import { Controller } from '@nestjs/common';

/** Finds when a registration is crawled next by its GUID, for the console. */
@Controller()
export class FindRegistrationCrawl {
  constructor(private readonly database: Database) {}

  @HandleRequest(findRegistrationCrawl)
  async find({
    applicationId,
    registrationGuid,
  }: InputOf<typeof findRegistrationCrawl>): Promise<ReplyOf<typeof findRegistrationCrawl>> {
    const due = await this.database.maybeOne(
      findRegistrationCrawl.reply,
      sql`SELECT ${timestampOf(sql`due_at`)} AS due_at FROM due_registrations
          WHERE application_id = ${applicationId} AND registration_guid = ${registrationGuid}`,
    );
    return due ?? { due_at: null };
  }
}
