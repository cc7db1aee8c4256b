import { Database } from '#libs/persistence';
import { Injectable } from '@nestjs/common';
import { randomBytes } from 'node:crypto';

const purpose = 'launch links';

/** The key that signs launch links: made once, and shared by all replicas through the database. */
@Injectable()
export class SigningKey {
  #key: Promise<Uint8Array> | null = null;

  constructor(private readonly database: Database) {}

  get(): Promise<Uint8Array> {
    this.#key ??= this.keptOrNew().catch((error: unknown) => {
      this.#key = null;
      throw error;
    });
    return this.#key;
  }

  private async keptOrNew(): Promise<Uint8Array> {
    await this.database.query(
      'INSERT INTO signing_keys (purpose, key) VALUES ($1, $2) ON CONFLICT DO NOTHING',
      [purpose, randomBytes(32)],
    );
    const [kept] = await this.database.query<{ key: Buffer }>(
      'SELECT key FROM signing_keys WHERE purpose = $1',
      [purpose],
    );
    if (!kept) throw new Error('the signing key of launch links is missing');
    return kept.key;
  }
}
