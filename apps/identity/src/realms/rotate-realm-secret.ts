import { type InputOf, Outbox, type ReplyOf } from '#libs/bus';
import { accessChanged, Failure, type rotateRealmSecret } from '#libs/contracts';
import { Database } from '#libs/persistence';
import { Injectable } from '@nestjs/common';
import { hashSecret, randomSecret } from '../access/secrets.ts';

/**
 * Gives a realm a new secret key, which is told this once; the old one is refused from now on.
 * API keys that were made with the old one stay.
 */
@Injectable()
export class RotateRealmSecret {
  constructor(
    private readonly database: Database,
    private readonly outbox: Outbox,
  ) {}

  /** @throws {Failure} `not-found` */
  async run({
    realmGuid,
  }: InputOf<typeof rotateRealmSecret>): Promise<ReplyOf<typeof rotateRealmSecret>> {
    const realmSecretKey = randomSecret();
    await this.database.transaction(async () => {
      const [realm] = await this.database.query<{ id: number }>(
        'UPDATE realms SET secret_hash = $2 WHERE guid = $1 RETURNING id',
        [realmGuid, hashSecret(realmSecretKey)],
      );
      if (!realm) throw new Failure('not-found', 'no such realm');
      await this.outbox.publish(accessChanged, { realmId: realm.id });
    });
    return { realmGuid, realmSecretKey };
  }
}
