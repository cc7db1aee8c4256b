import { Database } from '#libs/persistence';
import { Injectable } from '@nestjs/common';
import type { Application } from './application.ts';
import { hashSecret, isSecret } from './secret-hash.ts';

/** Compared when the application is unknown, so that the answer takes as long. */
const nobodysHash = hashSecret('');

/** Tells whose credentials an `Authorization` header holds (RFC 7617). */
@Injectable()
export class Authenticate {
  constructor(private readonly database: Database) {}

  /** The application; null when the header is malformed or names no application with that key. */
  async run(header: string): Promise<Application | null> {
    const [, encoded] = /^Basic +([A-Za-z0-9+/=_-]+) *$/i.exec(header) ?? [];
    const credentials = Buffer.from(encoded ?? '', 'base64').toString('utf8');
    const colon = credentials.indexOf(':');
    if (colon < 1) return null;
    const [application] = await this.database.query<{ id: number; secret_hash: Buffer }>(
      'SELECT id, secret_hash FROM applications WHERE app_id = $1',
      [credentials.slice(0, colon)],
    );
    const known = isSecret(credentials.slice(colon + 1), application?.secret_hash ?? nobodysHash);
    return known && application ? { id: application.id } : null;
  }
}
