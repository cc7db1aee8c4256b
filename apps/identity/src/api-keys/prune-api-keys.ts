import { Database } from '#libs/persistence';
import { Injectable } from '@nestjs/common';

/** For how long the log can still say of a refused key that it had expired. */
const keptFor = '1 day';

/** Forgets, of all realms, the api keys that have expired. */
@Injectable()
export class PruneApiKeys {
  constructor(private readonly database: Database) {}

  async run(): Promise<void> {
    await this.database.query(
      `DELETE FROM api_keys WHERE expires_at < now() - interval '${keptFor}'`,
    );
  }
}
