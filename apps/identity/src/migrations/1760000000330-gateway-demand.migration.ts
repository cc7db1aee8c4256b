import { type MigrationInterface, type QueryRunner } from 'typeorm';

/** What gateways tell each other about the demand of clients. It is worth nothing after a crash. */
export class GatewayDemand1760000000330 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE UNLOGGED TABLE gateway_demand (
        account text NOT NULL,
        gateway uuid NOT NULL,
        requests_per_second double precision NOT NULL,
        reported_at timestamptz NOT NULL DEFAULT now(),
        PRIMARY KEY (account, gateway)
      )`);
  }

  down(): Promise<void> {
    throw new Error('migrations go forward only');
  }
}
