import { HandleRequest, type InputOf } from '#libs/bus';
import { putApplication } from '#libs/contracts';
import { Database } from '#libs/persistence';
import { Controller } from '@nestjs/common';
import { hashSecret } from './secret-hash.ts';

/** Makes an application, or changes one: its secret key and its limit too. */
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
    await this.database.query(
      `INSERT INTO applications (app_id, name, secret_hash, registration_limit)
       VALUES ($1, $2, $3, $4)
       ON CONFLICT (app_id) DO UPDATE SET
         name = excluded.name,
         secret_hash = excluded.secret_hash,
         registration_limit = excluded.registration_limit`,
      [appId, name, hashSecret(secretKey), registrationLimit],
    );
    return {};
  }
}
