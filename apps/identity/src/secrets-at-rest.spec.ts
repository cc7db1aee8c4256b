import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import {
  apiKey,
  type IdentityFixture,
  newEmail,
  providerPair,
  realmPair,
  startIdentityFixture,
} from './identity.fixture.ts';

/** A secret in clear, in the forms in which a table or a log could show it. */
const formsOf = (secret: string): string[] => {
  const bytes = Buffer.from(secret);
  const encoded = (['hex', 'base64', 'base64url'] as const).map((form) => bytes.toString(form));
  return [secret, ...encoded.map((text) => text.replace(/=+$/, ''))];
};

describe('secrets at rest', () => {
  let identity: IdentityFixture;
  const secrets: string[] = [];

  beforeAll(async () => {
    identity = await startIdentityFixture();
    const realm = await identity.addRealm();
    const application = await identity.addApplication(realm);
    const ofRealm = await identity.createKey(realmPair(realm));
    const ofUser = await identity.createKey(providerPair(application), { userEmail: newEmail() });
    await identity.resolve(apiKey(ofUser));
    const mistaken = randomUUID();
    for (const presented of [
      { ...realmPair(realm), secretKey: mistaken },
      { ...providerPair(application), secretKey: mistaken },
      { mode: 'api_key' as const, token: mistaken },
    ]) {
      await expect(identity.resolve(presented)).rejects.toThrow();
    }
    secrets.push(realm.realmSecretKey, application.secretKey, mistaken);
    secrets.push(...[ofRealm, ofUser].map((key) => key.access_token));
  });
  afterAll(() => identity.stop());

  it('stand in no table in clear', async () => {
    const tables = await identity.database.query<{ name: string }>(
      `SELECT table_name AS name FROM information_schema.tables WHERE table_schema = 'identity'`,
    );
    const contents = await Promise.all(
      tables.map(({ name }) =>
        identity.database.query<{ row: string }>(`SELECT t::text AS row FROM "${name}" AS t`),
      ),
    );
    const rows = contents.flat().map(({ row }) => row);
    // What was stored is there: the dump sees what it must not see.
    expect(tables.map(({ name }) => name)).toContain('api_keys');
    expect(rows.filter((row) => row.includes('provider.example.com'))).toHaveLength(1);
    for (const form of secrets.flatMap(formsOf)) {
      expect(rows.filter((row) => row.includes(form))).toEqual([]);
    }
  });

  it('stand in no log', () => {
    const log = JSON.stringify(identity.logLines());
    for (const form of secrets.flatMap(formsOf)) expect(log).not.toContain(form);
  });
});
