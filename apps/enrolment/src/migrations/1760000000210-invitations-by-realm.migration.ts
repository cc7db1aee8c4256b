import { type MigrationInterface, type QueryRunner } from 'typeorm';

/** An index for the pages of a realm's invitations, which are ordered by id. */
export class InvitationsByRealm1760000000210 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('CREATE INDEX invitations_by_realm ON invitations (realm_id, id)');
  }

  down(): Promise<void> {
    throw new Error('migrations go forward only');
  }
}
