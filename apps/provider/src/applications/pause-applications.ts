import { HandleEvent, type PayloadOf } from '@registrar/bus';
import { realmSwitched } from '@registrar/contracts';
import { Database, sql } from '@registrar/persistence';
import { Controller } from '@nestjs/common';

/**
 * Pauses the applications of a realm while it is disabled: they are refused by the API, and none of
 * their links and course windows works (contract/access#disabled-realm).
 */
@Controller()
export class PauseApplications {
  constructor(private readonly database: Database) {}

  /** Ignores ids of applications at other providers. */
  @HandleEvent(realmSwitched)
  async apply({ enabled, version, appIds }: PayloadOf<typeof realmSwitched>): Promise<void> {
    await this.database.execute(
      sql`UPDATE applications SET is_paused = ${!enabled}, realm_version = ${version}
          WHERE app_id = ANY (${appIds}) AND realm_version < ${version}`,
    );
  }
}
