import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { showPostbackSecret } from '@registrar/contracts';
import { raw, sql } from '@registrar/persistence';
import { randomUUID } from 'node:crypto';
import * as z from 'zod';
import {
  apiKey,
  type IdentityFixture,
  newEmail,
  providerPair,
  realmPair,
  startIdentityFixture,
} from './identity.fixture.ts';

/** The encodings in which a table or a log could contain a secret. */
const encodingsOf = (secret: string): string[] => {
  const bytes = Buffer.from(secret);
  const encoded = (['hex', 'base64', 'base64url'] as const).map((form) => bytes.toString(form));
  return [secret, ...encoded.map((text) => text.replace(/=+$/, ''))];
};

describe('plaintext secrets', () => {
  let identity: IdentityFixture;
  const secrets: string[] = [];

  beforeAll(async () => {
    identity = await startIdentityFixture();
    const realm = await identity.addRealm();
    const application = await identity.addApplication(realm);
    const ofRealm = await identity.createKey(realmPair(realm));
    const ofUser = await identity.createKey(providerPair(application), { userEmail: newEmail() });
    await identity.resolve(apiKey(ofUser));
    const wrongSecret = randomUUID();
    for (const presented of [
      { ...realmPair(realm), secretKey: wrongSecret },
      { ...providerPair(application), secretKey: wrongSecret },
      { mode: 'api_key' as const, token: wrongSecret },
    ]) {
      await expect(identity.resolve(presented)).rejects.toThrow();
    }
    const { applicationId } = application;
    const { password } = await identity.bus.request(showPostbackSecret, { applicationId });
    secrets.push(password, realm.realmSecretKey, application.secretKey, wrongSecret);
    secrets.push(...[ofRealm, ofUser].map((key) => key.access_token));
  });
  afterAll(() => identity.stop());

  it('plaintext secrets are stored in no table', async () => {
    const tables = await identity.database.many(
      z.object({ name: z.string() }),
      sql`SELECT tablename AS name FROM pg_tables WHERE schemaname = 'identity'`,
    );
    const contents = await Promise.all(
      tables.map(({ name }) =>
        identity.database.many(
          z.object({ row: z.string() }),
          sql`SELECT t::text AS row FROM ${raw(name)} AS t`,
        ),
      ),
    );
    const rows = contents.flat().map(({ row }) => row);
    // The dump contains the rows that could contain secrets.
    expect(tables.map(({ name }) => name)).toContain('api_keys');
    expect(rows.filter((row) => row.includes('provider.example.com'))).toHaveLength(1);
    for (const encoding of secrets.flatMap(encodingsOf)) {
      expect(rows.filter((row) => row.includes(encoding))).toEqual([]);
    }
  });

  it('plaintext secrets are written to no log', () => {
    const log = JSON.stringify(identity.logLines());
    for (const encoding of secrets.flatMap(encodingsOf)) expect(log).not.toContain(encoding);
  });
});
