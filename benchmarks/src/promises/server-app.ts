import { type StartedApp, startApp } from '@registrar/bootstrap';
import { type BusTransport, HandleRequest, type InputOf } from '@registrar/bus';
import { defineRequest } from '@registrar/contracts';
import { Database, PersistenceModule, sql } from '@registrar/persistence';
import { type Logger } from '@registrar/platform';
import { Controller, Module } from '@nestjs/common';
import * as z from 'zod';

/** A request without work, which costs only its transport. */
export const echo = defineRequest('catalog.echo', {
  callers: ['gateway'],
  input: z.object({ text: z.string() }),
  reply: z.object({ text: z.string() }),
});

/** A request with the smallest work of a context: one statement that reads one row by its key. */
export const findTitle = defineRequest('catalog.find-title', {
  callers: ['gateway'],
  input: z.object({ courseId: z.int() }),
  reply: z.object({ title: z.string() }),
});

export const courseCount = 1_000;

const titleRow = z.object({ title: z.string() });

/** The handlers that every call path uses. */
@Controller()
export class BenchmarkHandlers {
  constructor(private readonly database: Database) {}

  @HandleRequest(echo)
  async echo({ text }: InputOf<typeof echo>) {
    return { text };
  }

  @HandleRequest(findTitle)
  async findTitle({ courseId }: InputOf<typeof findTitle>) {
    const course = await this.database.maybeOne(
      titleRow,
      sql`SELECT title FROM courses WHERE id = ${courseId}`,
    );
    return { title: course?.title ?? '' };
  }
}

class Courses1700000000000 {
  async up(runner: { query(sql: string): Promise<unknown> }): Promise<void> {
    await runner.query(
      `CREATE TABLE courses AS
       SELECT id, 'Course ' || id AS title FROM generate_series(1, ${courseCount}) AS id`,
    );
    await runner.query('ALTER TABLE courses ADD PRIMARY KEY (id)');
  }

  down(): Promise<void> {
    throw new Error('migrations go forward only');
  }
}

/** Starts the context with the handlers, on the database at `databaseUrl`. */
export function startServerApp(
  databaseUrl: string,
  { transport, logger }: { transport: BusTransport; logger: Logger },
): Promise<StartedApp> {
  const schema = { name: 'catalog', entities: [], migrations: [Courses1700000000000] };
  class ServerModule {}
  Module({
    imports: [PersistenceModule.forContext(schema, databaseUrl)],
    controllers: [BenchmarkHandlers],
  })(ServerModule);
  return startApp({ name: 'catalog', module: ServerModule, transport, logger });
}
