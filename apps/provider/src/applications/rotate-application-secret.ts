import { HandleRequest, type InputOf } from '@registrar/bus';
import { Failure, rotateApplicationSecret } from '@registrar/contracts';
import { Database, sql } from '@registrar/persistence';
import { Controller } from '@nestjs/common';
import { hashSecret } from '../access-rules.ts';

/** Replaces the secret key of an application. The old one is accepted during the overlap. */
@Controller()
export class RotateApplicationSecret {
  constructor(private readonly database: Database) {}

  /** @throws {Failure} `not-found` */
  @HandleRequest(rotateApplicationSecret)
  async rotate({
    appId,
    secretKey,
    overlapSeconds,
  }: InputOf<typeof rotateApplicationSecret>): Promise<Record<string, never>> {
    const changed = await this.database.execute(
      sql`UPDATE applications
          SET secret_hash = ${hashSecret(secretKey)}, previous_secret_hash = secret_hash,
              previous_valid_until = now() + make_interval(secs => ${overlapSeconds})
          WHERE app_id = ${appId}`,
    );
    if (changed === 0) throw new Failure('not-found', `no application ${appId}`);
    return {};
  }
}
