import { HandleRequest, type InputOf, type ReplyOf } from '@registrar/bus';
import { Failure, findPostbackAccess } from '@registrar/contracts';
import { Database, sql } from '@registrar/persistence';
import { Controller } from '@nestjs/common';
import * as z from 'zod';

const hashRow = z.object({ hash: z.instanceof(Buffer) });

/** Finds the hash of the secret with which a course provider authenticates postbacks. */
@Controller()
export class FindPostbackAccess {
  constructor(private readonly database: Database) {}

  /** @throws {Failure} `not-found` */
  @HandleRequest(findPostbackAccess)
  async find({
    applicationId,
  }: InputOf<typeof findPostbackAccess>): Promise<ReplyOf<typeof findPostbackAccess>> {
    const found = await this.database.maybeOne(
      hashRow,
      sql`SELECT a.postback_secret_hash AS hash
          FROM provider_applications AS a JOIN realms AS r ON r.id = a.realm_id
          WHERE a.id = ${applicationId} AND r.disabled_at IS NULL`,
    );
    if (!found) throw new Failure('not-found', `no postbacks of application ${applicationId}`);
    return { secretHash: found.hash.toString('base64url') };
  }
}
