import { busMigrations, type BusTransport, HandleEvent, type PayloadOf, startApp } from '#libs/bus';
import { accessChanged, registrationCreated } from '#libs/contracts';
import { Database, PersistenceModule } from '#libs/persistence';
import { type Logger } from '#libs/platform';
import { Controller, type DynamicModule } from '@nestjs/common';

class Tallies1700000000001 {
  name = 'Tallies1700000000001';
  async up(runner: { query(sql: string): Promise<unknown> }): Promise<void> {
    await runner.query('CREATE TABLE tallies (event text NOT NULL, subject text NOT NULL)');
  }
  async down(): Promise<void> {
    throw new Error('migrations go forward only');
  }
}

/** Counts every time that an event takes effect. */
@Controller()
class Tally {
  constructor(private readonly database: Database) {}

  @HandleEvent(registrationCreated)
  created({ registrationGuid }: PayloadOf<typeof registrationCreated>): Promise<void> {
    return this.count('registration created', registrationGuid);
  }

  @HandleEvent(accessChanged)
  changed({ realmId }: PayloadOf<typeof accessChanged>): Promise<void> {
    return this.count('access changed', `${realmId}`);
  }

  private async count(event: string, subject: string): Promise<void> {
    await this.database.query('INSERT INTO tallies VALUES ($1, $2)', [event, subject]);
  }
}

/**
 * Stands in for the crawler, which takes an event twice without a trace: here each one leaves a row
 * in the table `tallies`.
 */
export function startTally(on: { databaseUrl: string; transport: BusTransport; logger: Logger }) {
  const migrations = [...busMigrations, Tallies1700000000001];
  const schema = { name: 'crawler', entities: [], migrations };
  const module: DynamicModule = {
    module: class TallyModule {},
    controllers: [Tally],
    imports: [PersistenceModule.forContext(schema, on.databaseUrl)],
  };
  return startApp({ name: 'crawler', module, transport: on.transport, logger: on.logger });
}
