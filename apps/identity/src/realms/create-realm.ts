import { type InputOf, type ReplyOf } from '#libs/bus';
import { type createRealm } from '#libs/contracts';
import { Database } from '#libs/persistence';
import { Injectable } from '@nestjs/common';
import { randomUUID } from 'node:crypto';
import { hashSecret, randomSecret } from '../access/secrets.ts';

/** Makes a realm. Of its secret key only the hash is kept: it is told this once. */
@Injectable()
export class CreateRealm {
  constructor(private readonly database: Database) {}

  async run({ name }: InputOf<typeof createRealm>): Promise<ReplyOf<typeof createRealm>> {
    const realmGuid = randomUUID();
    const realmSecretKey = randomSecret();
    const [row] = await this.database.query<{ id: number }>(
      'INSERT INTO realms (guid, name, secret_hash) VALUES ($1, $2, $3) RETURNING id',
      [realmGuid, name, hashSecret(realmSecretKey)],
    );
    if (!row) throw new Error('INSERT answered no row');
    return { realmId: row.id, realmGuid, realmSecretKey };
  }
}
