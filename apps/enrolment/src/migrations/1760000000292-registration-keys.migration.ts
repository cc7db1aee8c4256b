import { type MigrationInterface, type QueryRunner } from 'typeorm';

/**
 * The primary key of registrations begins with the provider application, as partitions by it
 * require. The foreign key of the registrations of invitations goes: their rows have no provider
 * application, and registrations of invitations are never deleted.
 */
export class RegistrationKeys1760000000292 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    // In the order in which requests lock them, so that none is in a deadlock with the migration.
    await runner.query(`
      LOCK TABLE invitation_registrations, registrations IN ACCESS EXCLUSIVE MODE`);
    await runner.query(`
      ALTER TABLE invitation_registrations
        DROP CONSTRAINT invitation_registrations_registration_id_fkey`);
    await runner.query(`
      ALTER TABLE registrations
        DROP CONSTRAINT registrations_pkey,
        ADD CONSTRAINT registrations_pkey PRIMARY KEY USING INDEX registrations_key`);
    await runner.query('DROP INDEX registrations_by_application');
  }

  down(): Promise<void> {
    throw new Error('migrations go forward only');
  }
}
