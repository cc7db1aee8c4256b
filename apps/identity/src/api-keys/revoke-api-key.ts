import { Outbox } from '#libs/bus';
import { accessChanged, Failure } from '#libs/contracts';
import { Database } from '#libs/persistence';
import { Injectable } from '@nestjs/common';

/** Ends an api key at once. */
@Injectable()
export class RevokeApiKey {
  constructor(
    private readonly database: Database,
    private readonly outbox: Outbox,
  ) {}

  /** @throws {Failure} `not-found` */
  async run(apiKeyId: number): Promise<void> {
    await this.database.transaction(async () => {
      const [key] = await this.database.query<{ realmId: number }>(
        'DELETE FROM api_keys WHERE id = $1 RETURNING realm_id AS "realmId"',
        [apiKeyId],
      );
      if (!key) throw new Failure('not-found', `no api key ${apiKeyId}`);
      await this.outbox.publish(accessChanged, { realmId: key.realmId });
    });
  }
}
