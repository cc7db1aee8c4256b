import { HandleRequest, type InputOf, type ReplyOf } from '@registrar/bus';
import { listSweeps, toTimestamp } from '@registrar/contracts';
import { Database, decodeCursor, sql, type Sql, toPage } from '@registrar/persistence';
import { Injectable } from '@nestjs/common';
import * as z from 'zod';

const sweepRow = z.object({
  id: z.number(),
  registrations: listSweeps.item.shape.registrations,
  registrationsAt: z.date().nullable(),
  courses: listSweeps.item.shape.courses,
  coursesAt: z.date().nullable(),
  error: z.string().nullable(),
});

/** The state of a row of `due_crawls`. */
const stateOf = (row: Sql): Sql => sql`
  CASE WHEN a.is_paused THEN 'paused'
       WHEN ${row}.failures > 0 THEN 'failing'
       WHEN ${row}.more IS NOT NULL THEN 'running'
       WHEN ${row}.due_at <= now() THEN 'due'
       WHEN ${row}.window_at IS NULL THEN 'waiting'
       ELSE 'done' END`;

/** Lists the states of full sweeps, for the operator. */
@Injectable()
export class ListSweeps {
  constructor(private readonly database: Database) {}

  @HandleRequest(listSweeps)
  async list({ cursor, limit }: InputOf<typeof listSweeps>): Promise<ReplyOf<typeof listSweeps>> {
    const rows = await this.database.many(
      sweepRow,
      sql`SELECT a.id, ${stateOf(sql`r`)} AS registrations, r.window_at AS "registrationsAt",
                 ${stateOf(sql`c`)} AS courses, c.window_at AS "coursesAt",
                 CASE WHEN r.failures > 0 OR c.failures > 0 THEN (
                   SELECT h.error FROM crawl_history AS h
                   WHERE h.application_id = a.id AND h.outcome = 'failed'
                   ORDER BY h.id DESC LIMIT 1
                 ) END AS error
          FROM applications AS a
          JOIN due_crawls AS r ON r.application_id = a.id AND r.kind = 'all-registrations'
          JOIN due_crawls AS c ON c.application_id = a.id AND c.kind = 'courses'
          WHERE a.id > ${decodeCursor(cursor)}
          ORDER BY a.id
          LIMIT ${limit + 1}`,
    );
    const { items, next } = toPage(rows, limit);
    return {
      items: items.map(({ id, registrationsAt, coursesAt, ...states }) => ({
        application: id,
        registrations: states.registrations,
        registrations_at: registrationsAt && toTimestamp(registrationsAt),
        courses: states.courses,
        courses_at: coursesAt && toTimestamp(coursesAt),
        error: states.error,
      })),
      next,
    };
  }
}
