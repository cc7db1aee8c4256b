import { HandleRequest, type InputOf, type ReplyOf } from '@registrar/bus';
import { rotateLaunchKey } from '@registrar/contracts';
import { Database, raw, sql } from '@registrar/persistence';
import { Controller } from '@nestjs/common';
import { LaunchLinkKeys } from './launch-link-keys.ts';
import { maxExpirySeconds } from './launch-link.ts';

/** How long links of a rotated key open courses: as long as the longest link, and clocks differ. */
const overlap = raw(`interval '${maxExpirySeconds + 60} seconds'`);

/** Replaces the key that signs launch links. Links of the old key open courses until they expire, unless `endLinks` is set. */
@Controller()
export class RotateLaunchKey {
  constructor(
    private readonly database: Database,
    private readonly keys: LaunchLinkKeys,
  ) {}

  @HandleRequest(rotateLaunchKey)
  rotate({ endLinks }: InputOf<typeof rotateLaunchKey>): Promise<ReplyOf<typeof rotateLaunchKey>> {
    return this.database.transaction(async () => {
      await this.database.execute(sql`DELETE FROM launch_link_keys WHERE ends_at <= now()`);
      await this.database.execute(
        endLinks
          ? sql`DELETE FROM launch_link_keys`
          : sql`UPDATE launch_link_keys SET ends_at = now() + ${overlap} WHERE ends_at IS NULL`,
      );
      const { kid } = await this.keys.create();
      return { kid };
    });
  }
}
