import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestDatabase, type TestDatabase } from '@registrar/testing';
import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { contextSchemas, roleStatements, tempFileLimit } from './roles.ts';

describe('the roles of the contexts', () => {
  const prefix = `test_${randomBytes(8).toString('hex')}_`;
  let database: TestDatabase;
  let superuser: pg.Client;
  beforeAll(async () => {
    database = await createTestDatabase();
    superuser = new pg.Client({ connectionString: database.url });
    await superuser.connect();
  });
  afterAll(async () => {
    const roles = Object.keys(contextSchemas)
      .map((name) => `"${prefix}${name}"`)
      .join();
    await superuser.query(`DROP OWNED BY ${roles}; DROP ROLE ${roles}`);
    await superuser.end();
    await database.drop();
  });

  it('the roles of the contexts have bounded temporary files, which they cannot change', async () => {
    await superuser.query(roleStatements(prefix));
    await superuser.query(roleStatements(prefix));
    const { rows } = await superuser.query(
      `SELECT s.setconfig AS settings
       FROM pg_roles AS r LEFT JOIN pg_db_role_setting AS s ON s.setrole = r.oid
       WHERE r.rolname LIKE $1`,
      [`${prefix}%`],
    );
    const bounded = { settings: [`temp_file_limit=${tempFileLimit}`] };
    expect(rows).toEqual(Object.keys(contextSchemas).map(() => bounded));
    await superuser.query(`SET ROLE "${prefix}enrolment"`);
    await expect(superuser.query('SET temp_file_limit = -1')).rejects.toMatchObject({
      code: '42501',
    });
    await superuser.query('RESET ROLE');
  });
});
