import { HandleRequest, type InputOf } from '@registrar/bus';
import { putApplication } from '@registrar/contracts';
import { Database, sql } from '@registrar/persistence';
import { Controller } from '@nestjs/common';
import { hashSecret } from '../access-rules.ts';

/** Creates an application, or changes its name, secret key and registration limit. */
@Controller()
export class PutApplication {
  constructor(private readonly database: Database) {}

  @HandleRequest(putApplication)
  async put({
    appId,
    name,
    secretKey,
    registrationLimit,
  }: InputOf<typeof putApplication>): Promise<Record<string, never>> {
    await this.database.execute(
      sql`INSERT INTO applications (app_id, name, secret_hash, registration_limit)
          VALUES (${appId}, ${name}, ${hashSecret(secretKey)}, ${registrationLimit})
          ON CONFLICT (app_id) DO UPDATE SET
            name = excluded.name, secret_hash = excluded.secret_hash,
            registration_limit = excluded.registration_limit`,
    );
    return {};
  }
}
