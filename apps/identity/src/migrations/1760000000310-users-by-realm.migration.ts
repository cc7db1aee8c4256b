import { type MigrationInterface, type QueryRunner } from 'typeorm';

/**
 * Gives each realm its own spelling and id of a user, so that neither tells whether another realm
 * has the address. Existing memberships keep what they have shown; null means that of the user.
 */
export class UsersByRealm1760000000310 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE realm_users ADD COLUMN email text, ADD COLUMN public_user_id bigint`);
    await runner.query('CREATE SEQUENCE public_user_ids');
    // The previous version, which runs on during an upgrade, shows the next ids of users. Should it
    // reach these, an insert fails rather than give two users of a realm one id.
    await runner.query(`
      SELECT setval('public_user_ids', max(id) + 1000) FROM users HAVING max(id) IS NOT NULL`);
    await runner.query(`
      CREATE UNIQUE INDEX realm_users_by_public_id
        ON realm_users (realm_id, coalesce(public_user_id, user_id))`);
  }

  down(): Promise<void> {
    throw new Error('migrations go forward only');
  }
}
