import { startApp } from '@registrar/bootstrap';
import { busMigrations, type BusTransport, HandleEvent, type PayloadOf } from '@registrar/bus';
import { accessChanged, registrationCreated } from '@registrar/contracts';
import { Database, PersistenceModule, sql } from '@registrar/persistence';
import { type Logger } from '@registrar/platform';
import { Controller, type DynamicModule } from '@nestjs/common';

class EventCounter1700000000001 {
  name = 'Tallies1700000000001';
  async up(runner: { query(sql: string): Promise<unknown> }): Promise<void> {
    await runner.query('CREATE TABLE counted_events (event text NOT NULL, subject text NOT NULL)');
  }
  async down(): Promise<void> {
    throw new Error('migrations go forward only');
  }
}

/** Stores a row for every event that takes effect. */
@Controller()
class EventCounter {
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
    await this.database.execute(sql`INSERT INTO counted_events VALUES (${event}, ${subject})`);
  }
}

/**
 * Starts a stand-in for the crawler that stores a row in the table `counted_events` for each event. The
 * crawler itself handles a repeated event without a visible effect.
 */
export function startEventCounter(on: {
  databaseUrl: string;
  transport: BusTransport;
  logger: Logger;
}) {
  const migrations = [...busMigrations, EventCounter1700000000001];
  const schema = { name: 'crawler', entities: [], migrations };
  const module: DynamicModule = {
    module: class EventCounterModule {},
    controllers: [EventCounter],
    imports: [PersistenceModule.forContext(schema, on.databaseUrl)],
  };
  return startApp({ name: 'crawler', module, transport: on.transport, logger: on.logger });
}
