import { Database, sql } from '@registrar/persistence';
import { PeriodicTask } from '@registrar/platform';
import { Injectable } from '@nestjs/common';

/** Deletes API keys that have been expired for a day. Until then the log names their expiry. */
@Injectable()
export class PruneApiKeys {
  constructor(private readonly database: Database) {}

  @PeriodicTask({ name: 'prune expired API keys', everyMs: 60 * 60_000, timeoutMs: 60_000 })
  async prune(): Promise<void> {
    await this.database.execute(
      sql`DELETE FROM api_keys WHERE expires_at < now() - interval '1 day'`,
    );
  }
}
