import { type BusApp, type BusTransport, HandleRequest, type InputOf, startApp } from '#libs/bus';
import { defineRequest } from '#libs/contracts';
import { Database, PersistenceModule } from '#libs/persistence';
import { type Logger } from '#libs/platform';
import { Controller, Module } from '@nestjs/common';
import * as z from 'zod';

/** Costs nothing but its way. */
export const echo = defineRequest('catalog.echo', {
  input: z.object({ text: z.string() }),
  reply: z.object({ text: z.string() }),
});

/** Costs what a context's smallest work costs: one statement that reads one row by its key. */
export const findTitle = defineRequest('catalog.find-title', {
  input: z.object({ courseId: z.int() }),
  reply: z.object({ title: z.string() }),
});

export const courseCount = 1_000;

/** The handlers that every way of calling them shares. */
@Controller()
export class Answers {
  constructor(private readonly database: Database) {}

  @HandleRequest(echo)
  async echo({ text }: InputOf<typeof echo>) {
    return { text };
  }

  @HandleRequest(findTitle)
  async findTitle({ courseId }: InputOf<typeof findTitle>) {
    const [course] = await this.database.query<{ title: string }>(
      'SELECT title FROM courses WHERE id = $1',
      [courseId],
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

/** Starts the context that answers, on the database at `databaseUrl`. */
export function startAnsweringApp(
  databaseUrl: string,
  { transport, logger }: { transport: BusTransport; logger: Logger },
): Promise<BusApp> {
  const schema = { name: 'catalog', entities: [], migrations: [Courses1700000000000] };
  class AnsweringModule {}
  Module({
    imports: [PersistenceModule.forContext(schema, databaseUrl)],
    controllers: [Answers],
  })(AnsweringModule);
  return startApp({ name: 'catalog', module: AnsweringModule, transport, logger });
}
