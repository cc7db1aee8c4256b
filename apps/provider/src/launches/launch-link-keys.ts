import { Database, sql } from '@registrar/persistence';
import { appLogger, type Logger, Sealing } from '@registrar/platform';
import { Inject, Injectable } from '@nestjs/common';
import { randomBytes } from 'node:crypto';
import * as z from 'zod';

export interface LinkKey {
  readonly kid: string;
  readonly key: Uint8Array;
}

const purposeOf = (kid: string) => `launch-link-key:${kid}`;

export const sealedKey = z.object({ kid: z.string(), sealed_key: z.string() });
type SealedKey = z.output<typeof sealedKey>;

/** Query of the {@link SealedKey} that signs; no row if there is none. */
export const newestKey = sql`
  SELECT kid, sealed_key FROM launch_link_keys WHERE ends_at IS NULL
  ORDER BY created_at DESC, kid LIMIT 1`;

/**
 * The keys that sign launch links. The newest one signs; each verifies until it ends. They are read
 * anew for every link, so that a rotation holds at once for all replicas.
 */
@Injectable()
export class LaunchLinkKeys {
  constructor(
    private readonly database: Database,
    private readonly sealing: Sealing,
    @Inject(appLogger) private readonly logger: Logger,
  ) {}

  /** Returns the key that signs, from {@link newestKey}. Makes one if there is none, or `LAUNCH_KEY_FILE` does not open it. */
  async signing(newest: SealedKey | null): Promise<LinkKey> {
    return (newest && this.open(newest)) ?? this.create();
  }

  /** Returns the key with that `kid`, or null if it is unknown or has ended. */
  async find(kid: string): Promise<Uint8Array | null> {
    const found = await this.database.maybeOne(
      sealedKey,
      sql`SELECT kid, sealed_key FROM launch_link_keys
          WHERE kid = ${kid} AND (ends_at IS NULL OR ends_at > now())`,
    );
    return found && (this.open(found)?.key ?? null);
  }

  /** Makes a key. The newest one signs from then on. */
  async create(): Promise<LinkKey> {
    const kid = randomBytes(9).toString('base64url');
    const key = randomBytes(32);
    const sealed = this.sealing.seal(key.toString('base64url'), purposeOf(kid));
    await this.database.execute(
      sql`INSERT INTO launch_link_keys (kid, sealed_key) VALUES (${kid}, ${sealed})`,
    );
    return { kid, key };
  }

  private open({ kid, sealed_key }: SealedKey): LinkKey | null {
    try {
      return { kid, key: Buffer.from(this.sealing.open(sealed_key, purposeOf(kid)), 'base64url') };
    } catch (error) {
      this.logger.warn({ err: error }, 'LAUNCH_KEY_FILE does not open a key of launch links');
      return null;
    }
  }
}
