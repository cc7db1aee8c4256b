import { HandleEvent, type PayloadOf } from '@registrar/bus';
import { realmSwitched } from '@registrar/contracts';
import { Database, sql } from '@registrar/persistence';
import { Controller } from '@nestjs/common';

/** Records that a realm was disabled or enabled, for `EndLaunches` and `isOfEnabledRealm`. */
@Controller()
export class RecordRealmSwitch {
  constructor(private readonly database: Database) {}

  /** Launches of a disabled realm are ended; those after it was enabled are not. */
  @HandleEvent(realmSwitched)
  async record({ realmId, enabled, at, version }: PayloadOf<typeof realmSwitched>): Promise<void> {
    const launchesEndBefore = enabled ? at : 'infinity';
    await this.database.execute(
      sql`INSERT INTO realms (id, version, launches_end_before)
          VALUES (${realmId}, ${version}, ${launchesEndBefore}::timestamptz)
          ON CONFLICT (id) DO UPDATE
          SET version = excluded.version, launches_end_before = excluded.launches_end_before
          WHERE realms.version < excluded.version`,
    );
  }
}
