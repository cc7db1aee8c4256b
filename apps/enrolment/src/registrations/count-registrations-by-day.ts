import { HandleRequest, type InputOf, type ReplyOf } from '@registrar/bus';
import { countRegistrationsByDay, maxCountedDays } from '@registrar/contracts';
import { Database, sql } from '@registrar/persistence';
import { Controller } from '@nestjs/common';
import * as z from 'zod';
import { reachedCounts, requireRealmAccess } from '../access-rules.ts';

const dayRow = z.object({ day: z.string(), registrations: z.number() });

/** Counts the registrations of a course by the days on which they were created, for the console. */
@Controller()
export class CountRegistrationsByDay {
  constructor(private readonly database: Database) {}

  /** Reads a row of each day, however many registrations there are. */
  @HandleRequest(countRegistrationsByDay)
  async count({
    scope,
    courseGuid,
    since,
  }: InputOf<typeof countRegistrationsByDay>): Promise<ReplyOf<typeof countRegistrationsByDay>> {
    requireRealmAccess(scope);
    const days = await this.database.many(
      dayRow,
      sql`SELECT n.created_on::text AS day, sum(n.registrations)::bigint AS registrations
          FROM registration_day_counts AS n
          WHERE ${reachedCounts(scope)} AND n.course_guid = ${courseGuid}
            AND n.created_on >= ${since}::date
          GROUP BY n.created_on HAVING sum(n.registrations) > 0
          ORDER BY n.created_on DESC LIMIT ${maxCountedDays}`,
    );
    return { days: days.toReversed() };
  }
}
